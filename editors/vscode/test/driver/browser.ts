/** The browser that shows the workbench. */
import { chromium, type Browser } from 'playwright-core';

/** Starts the Chromium at `program`, without a screen and without a word to the outside. */
export function browser(program: string): Promise<Browser> {
  return chromium.launch({
    executablePath: program,
    headless: true,
    args: [
      '--no-sandbox', // as root it can't have one, and it opens nothing but our own page
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
