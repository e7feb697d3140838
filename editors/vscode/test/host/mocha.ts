/** Mocha in the extension host: runs the tests it is given and writes down what became of each. */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

/** One line of `outcome.jsonl`. */
export interface Outcome {
  title: string;
  ms: number;
  /** Absent when it passed. */
  error?: string;
}

/** Runs what `load` defines; rejects when something failed. Outcomes go into `folder`. */
export function run(folder: string, load: () => void): Promise<void> {
  const mocha = new Mocha({ ui: 'tdd', timeout: 30_000 });
  const only = process.env['ASSENT_TEST_ONLY'];
  if (only) mocha.fgrep(only);
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  load();
  const write = (outcome: Outcome): void => appendFileSync(path.join(folder, 'outcome.jsonl'), `${JSON.stringify(outcome)}\n`);
  return new Promise((resolve, reject) => {
    mocha
      .run((failures) => (failures === 0 ? resolve() : reject(new Error(`${failures} failed`))))
      .on('pass', (test) => write({ title: test.fullTitle(), ms: test.duration ?? 0 }))
      .on('fail', (test, error: Error) => write({ title: test.fullTitle(), ms: test.duration ?? 0, error: ownFrames(error) }));
  });
}

/** The message, and of the stack what is not VS Code's own. */
function ownFrames(error: Error): string {
  const lines = (error.stack ?? error.message).split('\n');
  return lines.filter((line) => !/^\s+at .*\/(vs|mocha)\//.test(line)).join('\n');
}
