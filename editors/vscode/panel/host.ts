/** The way to the extension, and what the page keeps of itself while it is hidden or moved. */
import type { FromPanel, ToPanel } from '../src/chat/messages';

interface Kept {
  draft: string;
}

declare function acquireVsCodeApi(): {
  postMessage(message: FromPanel): void;
  getState(): Kept | undefined;
  setState(state: Kept): void;
};

const api = acquireVsCodeApi();

/** Tells the extension something. */
export function post(message: FromPanel): void {
  api.postMessage(message);
}

/** Hears what the extension says. The page's policy lets no other page in that could say anything. */
export function listen(listener: (message: ToPanel) => void): void {
  window.addEventListener('message', (event: MessageEvent<ToPanel>) => listener(event.data));
}

/** The words in the composer. */
export const draft = {
  get: (): string => api.getState()?.draft ?? '',
  set: (text: string): void => api.setState({ draft: text }),
};
