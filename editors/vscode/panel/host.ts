/** The way to the extension, and to what VS Code stores for the page. */
import type { FromPanel, ToPanel } from '../src/chat/messages';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: object): void;
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

/** What is stored for the page while it is hidden or moved, or the window reloaded. */
export const store = {
  get: (): unknown => api.getState(),
  set: (state: object): void => api.setState(state),
};
