/** The last words of a turn, taken from its updates. */
import type { SessionUpdate } from '../wire';

export type Words = SessionUpdate;

/** What the model said last without calling a tool behind it, or what Assent had to say instead. */
export function lastWords(updates: readonly Words[]): { text: string; problem?: string } {
  let text = '';
  let problem: string | undefined;
  for (const update of updates) {
    if (update.sessionUpdate === 'tool_call') text = '';
    if (update.sessionUpdate !== 'agent_message_chunk' || update.content.type !== 'text') continue;
    const notice = noticeOf(update._meta);
    if (notice === 'error') problem = update.content.text;
    if (notice === undefined) text += update.content.text;
  }
  text = unfenced(text.trim());
  return problem === undefined ? { text } : { text, problem };
}

/** The level of a word of Assent's own. */
function noticeOf(meta: unknown): string | undefined {
  const assent = (meta as { assent?: { notice?: string } } | null | undefined)?.assent;
  return assent?.notice;
}

/** Models like to put a message into a code block. */
function unfenced(text: string): string {
  return /^(`{3,})[^\n]*\n(?<inside>[\s\S]*)\n\1$/.exec(text)?.groups?.['inside']?.trim() ?? text;
}
