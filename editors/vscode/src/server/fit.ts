/** Whether the program that answered `initialize` is an `assent` that this extension can talk to. */
import { ACP_VERSION } from '../wire';

/** What is wrong with it, if anything. */
export type Misfit = { kind: 'unknown' } | { kind: 'version'; found: string; wanted: string };

/** Looks at the answer's `capabilities.experimental.assent`. */
export function misfit(experimental: unknown, extension: string): Misfit | undefined {
  const assent = member(experimental, 'assent');
  const version = member(assent, 'version');
  const protocol = member(member(assent, 'acp'), 'protocolVersion');
  if (typeof version !== 'string' || typeof protocol !== 'number') return { kind: 'unknown' };
  if (protocol !== ACP_VERSION) {
    return { kind: 'version', found: `${version} (ACP ${protocol})`, wanted: `${series(extension)} (ACP ${ACP_VERSION})` };
  }
  if (series(version) !== series(extension)) return { kind: 'version', found: version, wanted: series(extension) };
  return undefined;
}

/** The versions among which the wire does not change: `1.x`, and before 1.0 `0.1.x`. */
function series(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return major === '0' ? `0.${minor}.x` : `${major}.x`;
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
