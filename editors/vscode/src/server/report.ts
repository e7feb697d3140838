/** What a user attaches to a bug report: everything that explains a fault, and no secret. */

export interface Findings {
  versions: Record<string, string>;
  settings: Record<string, unknown>;
  /** What the doctor says, or why it says nothing. */
  doctor: string;
  log: readonly string[];
}

/** Settings whose values are left out, because that is where people put keys. */
const SECRET = new Set(['environment']);

/** As Markdown. */
export function report(findings: Findings): string {
  const versions = Object.entries(findings.versions).map(([name, version]) => `- ${name}: ${version}`);
  return [
    '# Assent: diagnostics',
    'Read it before you pass it on: the log may name files of yours.',
    '## Versions',
    versions.join('\n'),
    '## Setup',
    findings.doctor,
    '## Settings',
    fenced('json', JSON.stringify(withoutSecrets(findings.settings), null, 2)),
    '## Log',
    fenced('text', findings.log.join('\n')),
    '',
  ].join('\n\n');
}

/** The names stay, so that one sees what is set. */
function withoutSecrets(value: unknown, secret = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secret));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner, secret || SECRET.has(key))]),
    );
  }
  return secret ? '(left out)' : value;
}

/** A fence that is longer than any in the text. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
