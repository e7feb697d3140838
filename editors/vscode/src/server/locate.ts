/**
 * Which `assent` binary is started: the one of the setting, else the one packed beside the extension, else the one
 * on `PATH`. Reads nothing but the file system it is given, so that it can be tested without an editor.
 */
import * as path from 'node:path';

/** Where a binary was found. */
export type Source = 'setting' | 'bundled' | 'path';

/** The binary to start, or why there is none. */
export type Located = { found: string; source: Source } | { missing: 'setting'; tried: string } | { missing: 'everywhere' };

/** What the search depends on. */
export interface Surroundings {
  /** Setting `assent.server.path`; empty when unset. */
  setting: string;
  /** Folder of the extension. */
  extension: string;
  /** `PATH` of the extension host. */
  path: string;
  /** Home folder, for `~/` in the setting. */
  home: string;
  platform: NodeJS.Platform;
  /** Whether a path is a file that may be executed. */
  isExecutable: (file: string) => boolean;
}

/** Finds the binary. A setting that names nothing executable is an error, never a reason to take another one. */
export function locate(around: Surroundings): Located {
  const name = around.platform === 'win32' ? 'assent.exe' : 'assent';
  const setting = around.setting.trim();
  if (setting !== '') {
    const file = setting.startsWith('~/') ? path.join(around.home, setting.slice(2)) : setting;
    return around.isExecutable(file) ? { found: file, source: 'setting' } : { missing: 'setting', tried: file };
  }
  const bundled = path.join(around.extension, 'server', name);
  if (around.isExecutable(bundled)) return { found: bundled, source: 'bundled' };
  for (const folder of around.path.split(path.delimiter)) {
    // A relative entry of PATH would find a binary of the project's.
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, name);
    if (around.isExecutable(file)) return { found: file, source: 'path' };
  }
  return { missing: 'everywhere' };
}
