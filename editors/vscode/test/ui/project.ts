/** The small project that the story is about, and what the scripted model says and does in it. */

const basket = `"""What a customer has in the basket."""


def total(prices, voucher=0):
    """The sum to pay; a voucher never makes it negative."""
    result = 0
    for price in prices:
        result += price
    return result - voucher


def average(prices):
    """The average price of an item."""
    return sum(prices) / len(prices)
`;

const test = `import unittest

from basket import total


class Total(unittest.TestCase):
    def test_a_voucher_never_makes_it_negative(self):
        self.assertEqual(total([5], voucher=8), 0)


unittest.main()
`;

/** Files of the workspace. */
export const files = { 'basket.py': basket, 'test_basket.py': test };

/** How `basket.py` reads when the first hunk is in. */
export const mended = basket.replace('return result - voucher', 'return max(0, result - voucher)');

const file = '{folder}/basket.py';

/** One answer for each request, over all prompts of the session. */
export const answers: object[][] = [
  [
    {
      say: 'I read `total` first. It subtracts the voucher from the sum and returns whatever is left, so a voucher that is worth more than the basket gives a **negative** sum. I run the test to see it fail.',
      pace: 60,
    },
    { call: 'read', with: { filePath: file } },
    { call: 'bash', with: { command: 'python3 test_basket.py', description: 'Run the tests' } },
  ],
  [
    { think: 'The test fails as expected. average() divides by zero for an empty basket, too.' },
    {
      call: 'multiedit',
      with: {
        filePath: file,
        edits: [
          { oldString: 'return result - voucher', newString: 'return max(0, result - voucher)' },
          { oldString: 'return sum(prices) / len(prices)', newString: 'return sum(prices) / len(prices) if prices else 0' },
        ],
      },
    },
  ],
  [{ say: 'The sum can no longer be negative:\n\n```python\nreturn max(0, result - voucher)\n```\n\nYou kept `average` as it was.' }],
  [
    {
      call: 'edit',
      with: { filePath: file, oldString: '"""The average price of an item."""', newString: '"""The average price of an item; fails for an empty basket."""' },
    },
  ],
  [{ say: 'Now the words say so.' }],
  [{ say: '`total` adds up the prices and takes the voucher off.' }],
];
