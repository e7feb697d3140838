import unittest

from tally.receipt import money, receipt


class ReceiptTest(unittest.TestCase):
    def test_money_has_two_places(self):
        self.assertEqual(money(1205), "12.05")

    def test_two_people_pay_half_each(self):
        self.assertEqual(receipt(2000, 10, ["Ada", "Ben"]), ["Ada pays 11.00", "Ben pays 11.00"])


if __name__ == "__main__":
    unittest.main()
