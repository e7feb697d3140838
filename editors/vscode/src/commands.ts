/** Every command of the palette, registered from one table. */
import * as vscode from 'vscode';
import { approvalCommands } from './commands/approvals';
import { commitCommands } from './commands/commit';
import { optionCommands } from './commands/options';
import type { Parts, Run, Table } from './commands/parts';
import { ruleCommands } from './commands/rules';
import { serverCommands } from './commands/server';
import { slashCommands } from './commands/slash';
import { turnCommands } from './commands/turns';
import { ServerUnavailable } from './server/trouble';

/** The table. A test holds it against the manifest and the documentation of the wire. */
function table(parts: Parts): Table {
  return {
    ...turnCommands(parts),
    ...slashCommands(parts),
    ...approvalCommands(parts),
    ...parts.review.commands,
    ...commitCommands(parts),
    ...optionCommands(parts),
    ...ruleCommands(parts),
    ...parts.trust.table(),
    ...serverCommands(parts),
  };
}

/** Registers them. What goes wrong in one is told to the user, in the server's words. */
export function registerCommands(parts: Parts): vscode.Disposable {
  const registered = Object.entries(table(parts)).map(([id, run]) =>
    vscode.commands.registerCommand(id, (argument?: unknown) => guarded(parts, run, argument)),
  );
  return vscode.Disposable.from(...registered);
}

async function guarded(parts: Parts, run: Run, argument: unknown): Promise<unknown> {
  try {
    return await run(argument);
  } catch (error) {
    if (error instanceof ServerUnavailable) void parts.notices.tell(error.trouble);
    else void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
