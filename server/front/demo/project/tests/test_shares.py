import unittest

from tally.shares import by_dishes, evenly, with_tip


class SharesTest(unittest.TestCase):
    def test_tip_is_rounded_up(self):
        self.assertEqual(with_tip(1001, 10), 1102)

    def test_dishes_add_up(self):
        self.assertEqual(sum(by_dishes(1000, [1, 1, 1])), 1000)

    def test_no_cent_is_lost(self):
        self.assertEqual(sum(evenly(1000, 3)), 1000)

    def test_shares_are_as_equal_as_cents_allow(self):
        self.assertEqual(evenly(1001, 2), [501, 500])


if __name__ == "__main__":
    unittest.main()
