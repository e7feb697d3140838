/** The server's process: started, listened to, ended. Knows nothing of what is said over its pipes. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What to start. */
export interface Launch {
  command: string;
  arguments: readonly string[];
  environment: NodeJS.ProcessEnv;
  directory: string;
}

/** How long a process may take to end by itself once its pipes are closed. */
const END_TIME = 2_000;
/** Lines of the standard error that are kept to say why it ended. */
const LAST_LINES = 5;

/** The environment with the user's additions; null takes a variable away. */
export function environment(own: NodeJS.ProcessEnv, added: unknown): NodeJS.ProcessEnv {
  const result = { ...own };
  if (typeof added !== 'object' || added === null) return result;
  for (const [name, value] of Object.entries(added)) {
    if (value === null) delete result[name];
    else if (typeof value === 'string') result[name] = value;
  }
  return result;
}

export class Program {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly errors: string[] = [];
  private problem: string | undefined;
  private readonly ended: Promise<void>;

  /** Starts it; `onError` gets each line of its standard error. */
  constructor(launch: Launch, onError: (line: string) => void) {
    this.process = spawn(launch.command, launch.arguments, {
      env: launch.environment,
      cwd: launch.directory,
      windowsHide: true,
    });
    this.ended = new Promise((resolve) => {
      this.process.once('error', (error) => {
        this.problem = error.message;
        resolve();
      });
      this.process.once('exit', (code, signal) => {
        this.problem ??= signal === null ? `exit code ${code}` : `signal ${signal}`;
      });
      // Behind `exit`, and when its last words have been read.
      this.process.once('close', () => resolve());
    });
    createInterface({ input: this.process.stderr }).on('line', (line) => {
      this.errors.push(line);
      this.errors.splice(0, this.errors.length - LAST_LINES);
      onError(line);
    });
    // Writing to a process that has just ended is no error of its own: the end is told by `exit`.
    this.process.stdin.on('error', () => undefined);
  }

  /** Its pipes, once it runs. Rejects when it could not be started. */
  async pipes(): Promise<{ reader: NodeJS.ReadableStream; writer: NodeJS.WritableStream }> {
    if (this.process.pid === undefined) await this.ended;
    if (this.problem !== undefined) throw new Error(this.problem);
    return { reader: this.process.stdout, writer: this.process.stdin };
  }

  /** How it ended and its last words. Waits a moment for the end, because pipes close before it is told. */
  async epitaph(): Promise<string> {
    await Promise.race([this.ended, pause(END_TIME)]);
    return [this.problem ?? 'it closed its output', ...this.errors].join('\n');
  }

  /** Ends it: at once when `kill`, else when it has had the time to end by itself. */
  async end(kill: boolean): Promise<void> {
    if (!kill) await Promise.race([this.ended, pause(END_TIME)]);
    if (this.problem === undefined) this.process.kill('SIGKILL');
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
