/** The commands about the server itself: its log, its tools, what is missing, and starting it anew. */
import * as vscode from 'vscode';
import { report } from '../server/report';
import type { Parts, Table } from './parts';

const { t } = vscode.l10n;

/** What `assent.doctor` answers. */
interface Checkup {
  checks: { name: string; status: string; message: string; action?: string }[];
}

/** What `assent.tools` answers, as far as it is shown. */
interface ToolList {
  tools: { name: string; kind: string; source: string; available: boolean }[];
}

export function serverCommands(parts: Parts): Table {
  const { pages } = parts;
  return {
    'assent.restartServer': () => parts.connection.restart(),
    'assent.showLog': async () => parts.log.channel.show(true),
    'assent.showMenu': () => parts.status.menu(),
    'assent.openWalkthrough': () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${parts.extension.id}#assent.start`),
    'assent.collectDiagnostics': () => collect(parts),
    'assent.doctor': async () => {
      const checkup = await parts.connection.execute<Checkup>('assent.doctor');
      await pages.show('Setup.md', `# ${t('Assent: setup')}\n\n${checkupText(checkup)}\n`);
      return checkup;
    },
    'assent.tools': async () => {
      const list = await parts.connection.execute<ToolList>('assent.tools');
      await pages.show('Tools.md', `# ${t('Assent: tools')}\n\n${toolsText(list)}\n`);
      return list;
    },
  };
}

async function collect(parts: Parts): Promise<void> {
  const settings = vscode.workspace.getConfiguration('assent');
  const doctor = await parts.connection.execute<Checkup>('assent.doctor').catch((error: unknown) => String(error));
  const text = report({
    versions: {
      Assent: String(parts.extension.packageJSON.version),
      Editor: `${vscode.env.appName} ${vscode.version}`,
      System: `${process.platform} ${process.arch}`,
      Remote: vscode.env.remoteName ?? 'none',
      Trusted: String(vscode.workspace.isTrusted),
      Folders: String(vscode.workspace.workspaceFolders?.length ?? 0),
      Server: parts.connection.state,
    },
    settings: JSON.parse(JSON.stringify(settings)) as Record<string, unknown>,
    doctor: typeof doctor === 'string' ? doctor : checkupText(doctor),
    log: parts.log.last(),
  });
  // Untitled, so that the user can take out what is nobody's business before he passes it on.
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content: text }));
}

function checkupText({ checks }: Checkup): string {
  return checks
    .map(({ name, status, message, action }) => `- ${status}: ${name}: ${message}${action ? `\n  - ${action}` : ''}`)
    .join('\n');
}

function toolsText({ tools }: ToolList): string {
  const rows = tools.map(
    ({ name, kind, source, available }) => `| ${name} | ${kind} | ${source} | ${available ? t('yes') : t('no')} |`,
  );
  return [`| ${t('tool')} | ${t('kind')} | ${t('source')} | ${t('available')} |`, '|---|---|---|---|', ...rows].join('\n');
}
