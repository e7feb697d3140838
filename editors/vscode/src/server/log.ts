/** The log that the user can look at, and its last lines for a report. */
import type * as vscode from 'vscode';

/** How many lines a report shows. */
const KEPT = 200;
/** How much of one line a report shows. */
const LINE = 2000;

export class Log {
  private readonly kept: string[] = [];

  constructor(readonly channel: vscode.LogOutputChannel) {}

  info(text: string): void {
    this.keep('info', text);
    this.channel.info(text);
  }

  warn(text: string): void {
    this.keep('warning', text);
    this.channel.warn(text);
  }

  error(text: string): void {
    this.keep('error', text);
    this.channel.error(text);
  }

  /** The last lines, oldest first. */
  last(): readonly string[] {
    return this.kept;
  }

  private keep(level: string, text: string): void {
    for (const line of text.trimEnd().split('\n')) this.kept.push(`${level}: ${line.slice(0, LINE)}`);
    this.kept.splice(0, this.kept.length - KEPT);
  }
}
