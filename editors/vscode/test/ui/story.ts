/** The story: a fault in a small project is found, mended under review, and talked about. */
import type { Folders } from '../driver/code_server.ts';
import type { Workbench } from './workbench.ts';

/** Files of the workspace. */
export const project = {
  'basket.py': `"""What a customer has in the basket."""


def total(prices, voucher=0):
    """The sum to pay; a voucher never makes it negative."""
    result = 0
    for price in prices:
        result = result + price
    return result - voucher


def average(prices):
    """The average price of an item."""
    return sum(prices) / len(prices)
`,
  'README.md': '# Shop\n',
};

/** What the model says. */
export const script = [[{ say: 'Hello.' }]];

export type Step = (name: string, act: () => Promise<void>) => Promise<void>;

export async function story(bench: Workbench, _folders: Folders, step: Step): Promise<void> {
  await step('a file is open', async () => {
    await bench.edit('basket.py');
    await bench.textIs('the file', (text) => text.includes('def average'));
    await bench.picture('file');
  });
  await step('the palette asks', async () => {
    await bench.palette('Assent: Ask');
    await bench.answer('Where is the fault?');
  });
}
