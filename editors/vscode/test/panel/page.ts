/** The panel's page in a browser: the real script and style under the real policy, and a test in the extension's place. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { PanelState } from '../../src/chat/entries';
import type { FromPanel, ToPanel } from '../../src/chat/messages';
import { page as html } from '../../src/chat/page';
import { words } from '../../src/chat/words';
import { until } from '../driver/until';
import themes from './themes.json';

/** Where the page comes from; nothing of it is ever looked up. */
const ORIGIN = 'https://panel.invalid';

export type Theme = keyof typeof themes;

/** What the panel calls, and what a theme gives it. */
type Stage = { said: FromPanel[]; acquireVsCodeApi: () => unknown };

/** One panel. */
export class Panel {
  /** Messages of the page that its policy refused something. */
  readonly refused: string[] = [];

  private constructor(readonly page: Page) {
    page.on('console', (message) => message.type() === 'error' && this.refused.push(message.text()));
    page.on('pageerror', (error) => this.refused.push(String(error)));
  }

  /** Opens it, and says the state and the words as the extension does first. */
  static async open(browser: Browser, bundles: string): Promise<Panel> {
    const page = await browser.newPage({ viewport: { width: 480, height: 860 } });
    const panel = new Panel(page);
    await page.route('**/*', (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      if (name === 'panel.js') return route.fulfill({ contentType: 'text/javascript', body: readFileSync(path.join(bundles, name)) });
      if (name === 'panel.css') return route.fulfill({ contentType: 'text/css', body: readFileSync(path.join(bundles, name)) });
      const parts = { source: ORIGIN, script: `${ORIGIN}/panel.js`, style: `${ORIGIN}/panel.css`, nonce: 'n0nce', language: 'en' };
      return name === '' ? route.fulfill({ contentType: 'text/html', body: html(parts) }) : route.abort();
    });
    await page.addInitScript(() => {
      const stage = window as unknown as Stage;
      stage.said = [];
      stage.acquireVsCodeApi = () => ({
        postMessage: (message: FromPanel) => stage.said.push(message),
        getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
        setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
      });
    });
    await page.goto(`${ORIGIN}/`);
    await panel.dress('dark');
    await panel.begin();
    return panel;
  }

  /** The page is made anew, as when the view was hidden or the window reloaded. */
  async remake(): Promise<void> {
    await this.page.reload();
    await this.dress('dark');
    await this.begin();
  }

  private async begin(): Promise<void> {
    await this.heard('ready');
    await this.tell({ type: 'update', words: words(), state: { server: 'running', session: { id: 's1', title: 'A session' } } });
  }

  /** Says something as the extension does. */
  async tell(...messages: ToPanel[]): Promise<void> {
    await this.page.evaluate(async (all) => {
      for (const message of all) window.postMessage(message, '*');
      // Drawn with the frame after the one in which it was heard.
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    }, messages);
  }

  state(state: Partial<PanelState>): Promise<void> {
    return this.tell({ type: 'update', state });
  }

  /** What the panel said, since it was last asked. */
  async said(): Promise<FromPanel[]> {
    return this.page.evaluate(() => (window as unknown as Stage).said.splice(0));
  }

  /** Waits for a message of that type and gives it. */
  async heard<Type extends FromPanel['type']>(type: Type): Promise<Extract<FromPanel, { type: Type }>> {
    const found = await until(`the panel to say ${type}`, async () => (await this.said()).findLast((message) => message.type === type));
    return found as Extract<FromPanel, { type: Type }>;
  }

  /** The colours and fonts of a theme. */
  async dress(theme: Theme): Promise<void> {
    await this.page.evaluate(
      ([name, variables]) => {
        document.documentElement.removeAttribute('style');
        for (const [variable, value] of Object.entries(variables)) document.documentElement.style.setProperty(variable, value);
        document.body.className = `vscode-${name}`;
        document.body.style.background = 'var(--vscode-sideBar-background)';
      },
      [theme, themes[theme]] as [string, Record<string, string>],
    );
  }

  find(selector: string, hasText?: string | RegExp): Locator {
    return this.page.locator(selector, hasText === undefined ? {} : { hasText });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The accessible name or the text of what has the focus. */
  focused(): Promise<string> {
    return this.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
  }

  /** A picture in each of these themes, at each of these widths. */
  async picture(file: string, widths: number[] = [480, 330]): Promise<void> {
    for (const theme of Object.keys(themes) as Theme[]) {
      await this.dress(theme);
      for (const width of widths) {
        await this.page.setViewportSize({ width, height: 860 });
        await this.page.screenshot({ path: `${file}-${theme}-${width}.png` });
      }
    }
    await this.dress('dark');
    await this.page.setViewportSize({ width: 480, height: 860 });
  }
}
