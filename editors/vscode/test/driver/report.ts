/** What a run counts: a line for each check, and the sum. */

/** Counts checks and prints them as they come. */
export class Report {
  passed = 0;
  failed = 0;

  ok(name: string): void {
    this.passed += 1;
    console.log(`ok: ${name}`);
  }

  notOk(name: string, why: string): void {
    this.failed += 1;
    console.log(`not ok: ${name}\n${why.replace(/^/gm, '    ')}`);
  }

  /** Prints the sum and gives the exit code. */
  end(): number {
    console.log(`${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0 && this.passed > 0 ? 0 : 1;
  }
}
