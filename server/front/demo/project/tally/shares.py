"""Dividing a bill. All money is in whole cents."""


def with_tip(bill, percent):
    """The bill and the tip, which is rounded up to a whole cent."""
    return bill + -(-bill * percent // 100)


def evenly(bill, people):
    """One share for each person, as equal as cents allow."""
    if people < 1:
        raise ValueError("a bill needs somebody to pay it")
    return [bill // people] * people


def by_dishes(bill, dishes):
    """One share for each person, by the number of dishes each of them had."""
    shares = []
    paid = 0
    eaten = 0
    for count in dishes:
        eaten += count
        due = bill * eaten // sum(dishes)
        shares.append(due - paid)
        paid = due
    return shares
