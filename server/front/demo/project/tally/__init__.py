"""Who owes what after an evening out."""
