"""What is printed at the end of the evening."""

from tally.shares import evenly, with_tip


def money(cents):
    """Cents as people write them: 1234 is 12.34."""
    return f"{cents // 100}.{cents % 100:02}"


def receipt(bill, tip_percent, names):
    """One line for each person."""
    shares = evenly(with_tip(bill, tip_percent), len(names))
    return [f"{name} pays {money(share)}" for name, share in zip(names, shares)]
