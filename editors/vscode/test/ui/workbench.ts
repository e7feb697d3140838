/** The workbench as a person uses it: the palette, editors, the chat's webview, notifications. Waits, never sleeps. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Folders } from '../driver/code_server.ts';
import { until } from '../driver/until.ts';

/** Themes of the screenshots: what the system says it wants, and the class that the workbench has then. */
const themes = {
  dark: { media: { colorScheme: 'dark', forcedColors: 'none' }, shown: 'vs-dark' },
  light: { media: { colorScheme: 'light', forcedColors: 'none' }, shown: 'vs' },
  contrast: { media: { colorScheme: 'dark', forcedColors: 'active' }, shown: 'hc-black' },
} as const;

export type Theme = keyof typeof themes;

/** Widths of the screenshots, in pixels. */
export type Width = 1400 | 700;

const HEIGHT = 900;

/** One window of VS Code. */
export class Workbench {
  readonly page: Page;
  private readonly folders: Folders;
  private readonly pictures: string;
  private taken = 0;

  constructor(page: Page, folders: Folders, output: string) {
    this.page = page;
    this.folders = folders;
    this.pictures = path.join(output, 'screenshots');
    mkdirSync(this.pictures, { recursive: true });
  }

  /** Opens the workspace's window. */
  async open(address: string): Promise<void> {
    this.folders.set({ 'window.autoDetectColorScheme': true, 'window.autoDetectHighContrast': true });
    await this.dress('dark', 1400);
    await this.page.goto(`${address}/?folder=${encodeURIComponent(this.folders.workspace)}`, { waitUntil: 'commit' });
    await this.up();
  }

  /** Reloads the window, as `Developer: Reload Window` does. */
  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'commit' });
    await this.up();
  }

  /** The palette knows the extension's commands once its item is there. */
  private async up(): Promise<void> {
    await this.status('Assent').waitFor({ timeout: 60_000 });
  }

  /** Runs a command by its title in the palette. */
  async palette(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    const input = this.page.locator('.quick-input-widget input:visible').first();
    await input.fill(`>${title}`);
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
  }

  /** Opens a file that stands in the explorer. */
  async edit(name: string): Promise<void> {
    await this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().dblclick();
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
  }

  /** Types into the input box of that title; the palette that led to it has none, and may still be there. */
  async type(title: string, words: string): Promise<void> {
    const box = this.page.locator('.quick-input-widget', { has: this.page.locator('.quick-input-title', { hasText: title }) });
    await box.locator('input:visible').first().fill(words);
  }

  /** The text that the active editor shows. */
  async text(): Promise<string> {
    const lines = this.page.locator('.editor-group-container.active .monaco-editor .view-lines').first().locator('.view-line');
    // Lines stand in the page in the order they were drawn, not in that of the file.
    const placed = await lines.evaluateAll((all) =>
      all.map((line) => ({ top: Number.parseFloat((line as unknown as { style: { top: string } }).style.top), text: line.textContent ?? '' })),
    );
    return placed
      .sort((one, other) => one.top - other.top)
      .map((line) => line.text.replaceAll('\u00a0', ' '))
      .join('\n');
  }

  /** Waits until the active editor's text holds what it should. */
  async textIs(what: string, right: (text: string) => boolean): Promise<void> {
    let text = '';
    await until(what, async () => right((text = await this.text()))).catch((error: unknown) => {
      throw new Error(`${String(error)}; the editor shows:\n${text}`);
    });
  }

  /** Code lenses of the active editor. */
  lens(title: string | RegExp): Locator {
    return this.page.locator('.codelens-decoration a', { hasText: title });
  }

  /** The page in the chat's webview. */
  chat(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** A notification that holds these words. */
  notification(words: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: words });
  }

  /** An item of the status bar. */
  status(words: string | RegExp): Locator {
    return this.page.locator('.statusbar-item', { hasText: words });
  }

  /** Shows the window in a theme, at a width. */
  private async dress(theme: Theme, width: Width): Promise<void> {
    const { media, shown } = themes[theme];
    await this.page.emulateMedia(media);
    await this.page.setViewportSize({ width, height: HEIGHT });
    if (this.page.url() !== 'about:blank') await this.page.locator(`.monaco-workbench.${shown}`).waitFor();
  }

  /** Takes pictures in these themes at these widths, and leaves the window as it was. */
  async picture(name: string, looks: [Theme, Width][] = everyLook): Promise<void> {
    this.taken += 1;
    const number = String(this.taken).padStart(2, '0');
    for (const [theme, width] of looks) {
      await this.dress(theme, width);
      await this.page.screenshot({ path: path.join(this.pictures, `${number}-${name}-${theme}-${width}.png`) });
    }
    if (looks.at(-1)?.join() !== 'dark,1400') await this.dress('dark', 1400);
  }
}

/** Every look that is kept, ending in the one the story goes on in. */
const everyLook: [Theme, Width][] = [
  ['contrast', 1400],
  ['light', 700],
  ['light', 1400],
  ['dark', 700],
  ['dark', 1400],
];
