/**
 * A code-server (VS Code's workbench and extension host, served as a page) with the packaged extension in it, in
 * throw-away folders. It stays in the process group of whoever starts it, who ends the whole group.
 */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from './until.ts';

/** What the tests are given from outside. */
export interface Given {
  /** Folder of the package `code-server`. */
  codeServer: string;
  /** The packaged extension. */
  vsix: string;
  /** Where to leave what a person wants to see after a failure. */
  output: string;
}

/** The folders of one run. The code that runs in the extension host finds them by `ASSENT_TEST_ROOT`. */
export class Folders {
  readonly root = mkdtempSync(path.join(tmpdir(), 'assent-vscode-'));
  readonly workspace = path.join(this.root, 'shop');
  /** Configuration and state of the server. */
  readonly config = path.join(this.root, 'config');
  readonly state = path.join(this.root, 'state');
  /** What the model says; see server/engine/src/model/scripted.rs. */
  readonly script = path.join(this.root, 'script.json');
  readonly settings = path.join(this.root, 'user', 'User', 'settings.json');
  /** Settings of scope `machine`, which the settings of a remote user can't give. */
  readonly machineSettings = path.join(this.root, 'user', 'Machine', 'settings.json');

  constructor() {
    for (const folder of [path.join(this.workspace, '.git'), this.config, this.state, path.join(this.root, 'home')]) {
      mkdirSync(folder, { recursive: true });
    }
    writeFileSync(path.join(this.config, 'assent.yaml'), `model: scripted/${this.script}\n`);
    this.play([]);
    this.set({});
    this.setMachine({});
  }

  /** Writes a file of the workspace. */
  write(name: string, text: string): void {
    const file = path.join(this.workspace, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read(name: string): string {
    return readFileSync(path.join(this.workspace, name), 'utf8');
  }

  /** Gives the model its answers. */
  play(answers: object[][]): void {
    writeFileSync(this.script, JSON.stringify({ answers }));
  }

  /** Writes the user's settings. */
  set(settings: Record<string, unknown>): void {
    writeJson(this.settings, { ...quiet, ...settings });
  }

  setMachine(settings: Record<string, unknown>): void {
    writeJson(this.machineSettings, settings);
  }

  /** Copies what tells of a failure: the script, the session logs, the logs of the extension host. */
  keep(output: string): void {
    const kept = path.join(output, 'run');
    cpSync(this.script, path.join(kept, 'script.json'));
    cpSync(this.state, path.join(kept, 'state'), { recursive: true });
    const logs = path.join(this.root, 'user', 'logs');
    if (existsSync(logs)) cpSync(logs, path.join(kept, 'logs'), { recursive: true });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Settings that keep everything of VS Code's own out of the way. */
const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'window.restoreWindows': 'none',
  'telemetry.telemetryLevel': 'off',
  'security.workspace.trust.enabled': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'files.autoSave': 'off', // in a browser it is on
  'files.hotExit': 'off',
  'git.enabled': false,
};

function writeJson(file: string, value: object): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value, undefined, 2));
}

/** A running code-server; `address` is that of its page. */
export interface CodeServer {
  address: string;
  authority: string;
}

/** Installs the extension and starts the server. */
export async function serve(given: Given, folders: Folders): Promise<CodeServer> {
  const port = await freePort();
  const config = path.join(folders.root, 'code-server.yaml');
  writeFileSync(config, `bind-addr: 127.0.0.1:${port}\nauth: none\ncert: false\n`);
  const home = path.join(folders.root, 'home');
  const env = {
    ...process.env,
    HOME: home,
    XDG_DATA_HOME: path.join(home, 'data'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_CACHE_HOME: path.join(home, 'cache'),
    ASSENT_CONFIG_DIR: folders.config,
    ASSENT_STATE_DIR: folders.state,
    ASSENT_TEST_ROOT: folders.root,
  };
  const program = path.join(given.codeServer, 'out', 'node', 'entry.js');
  const where = ['--user-data-dir', path.join(folders.root, 'user'), '--extensions-dir', path.join(folders.root, 'extensions')];
  const common = [program, ...where, '--config', config];
  execFileSync(process.execPath, [...common, '--install-extension', given.vsix], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = openSync(path.join(given.output, 'code-server.log'), 'a');
  const quietly = ['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust', '--disable-getting-started-override'];
  const child = spawn(process.execPath, [...common, ...quietly], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  const address = `http://127.0.0.1:${port}`;
  await until('code-server to answer', async () => {
    if (child.exitCode !== null) throw new Error(`code-server ended with ${child.exitCode}; see code-server.log`);
    return (await fetch(`${address}/healthz`).catch(() => undefined))?.ok;
  });
  return { address, authority: `127.0.0.1:${port}` };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))));
    });
  });
}
