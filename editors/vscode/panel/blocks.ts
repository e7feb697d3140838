/**
 * A Markdown text in blocks that do not depend on one another, so that of an answer that grows only the last is read
 * again. A fence is a block of its own, also while its end is still to come.
 */

/** A piece of a text. */
export interface Block {
  kind: 'markdown' | 'code';
  /** Where it begins in the text. */
  start: number;
  /** Of code: what stands between the fences. */
  text: string;
  /** Of code: the word behind the fence. */
  language: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\n`]*)$/;
/** Lines that go on with what stands before the blank line above them. */
const CONTINUES = /^(?: {2,}|\t|[-*+] |\d{1,9}[.)] |>|\[[^\]]+\]:)/;

/** Where a block ends follows from the line behind it, which may still be growing: so that many are read again. */
const OPEN = 2;

/** The blocks of `text`, given those of a beginning of it. Blocks that did not change are the same objects. */
export function blocksOf(text: string, before: readonly Block[] = []): Block[] {
  const open = before.slice(-OPEN);
  const start = open[0]?.start ?? 0;
  const rest = split(text.slice(start), start).map((block, index) => {
    const old = open[index];
    return old && old.kind === block.kind && old.text === block.text && old.language === block.language ? old : block;
  });
  return [...before.slice(0, -OPEN), ...rest];
}

function split(text: string, offset: number): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  let end = 0;
  let list = false;
  const close = (at: number) => {
    const piece = text.slice(start, at);
    if (piece.trim() !== '') blocks.push({ kind: 'markdown', start: offset + start, text: piece, language: '' });
    start = at;
  };
  let blank = false;
  while (end < text.length) {
    const next = lineEnd(text, end);
    const line = text.slice(end, next).replace(/\r?\n$/, '');
    const fence = FENCE.exec(line);
    if (fence) {
      close(end);
      end = code(blocks, text, end, next, fence, offset);
      start = end;
      blank = list = false;
      continue;
    }
    const isBlank = line.trim() === '';
    if (blank && !isBlank && !(CONTINUES.test(line) && (list || !/^[-*+\d]/.test(line)))) {
      close(end);
      list = false;
    }
    if (!isBlank && /^ {0,3}(?:[-*+]|\d{1,9}[.)]) /.test(line)) list = true;
    blank = isBlank;
    end = next;
  }
  close(text.length);
  return blocks;
}

/** Reads a fenced block; gives where it ends. */
function code(blocks: Block[], text: string, from: number, body: number, fence: RegExpExecArray, offset: number): number {
  const mark = fence[1] ?? '```';
  const closing = new RegExp(`^ {0,3}${mark[0] === '~' ? '~' : '`'}{${mark.length},}[ \\t]*\\r?$`);
  let at = body;
  while (at < text.length) {
    const next = lineEnd(text, at);
    if (closing.test(text.slice(at, next).replace(/\n$/, ''))) {
      blocks.push({ kind: 'code', start: offset + from, text: text.slice(body, at).replace(/\r?\n$/, ''), language: language(fence) });
      return next;
    }
    at = next;
  }
  blocks.push({ kind: 'code', start: offset + from, text: text.slice(body), language: language(fence) });
  return text.length;
}

function language(fence: RegExpExecArray): string {
  return (fence[2] ?? '').trim().split(/\s/, 1)[0] ?? '';
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at + 1;
}
