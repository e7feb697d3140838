/** Choosing the options of the session that the panel shows: its model, its mode. */
import * as vscode from 'vscode';
import type { Parts, Run, Table } from './parts';

export function optionCommands(parts: Parts): Table {
  return {
    'assent.selectModel': choose(parts, 'model'),
    'assent.selectMode': choose(parts, 'mode'),
  };
}

function choose(parts: Parts, id: string): Run {
  return async () => {
    const { sessions } = parts.panel;
    const { transcript } = await sessions.ready();
    const picker = transcript.pickers.find((one) => one.id === id);
    if (!picker) return;
    const rows = picker.choices.map(({ value, name, description }) => ({
      label: name,
      detail: description ?? '',
      description: value === picker.value ? `$(check) ${value}` : name === value ? '' : value,
      value,
    }));
    const options = { title: picker.name, matchOnDescription: true, matchOnDetail: true };
    const picked = await vscode.window.showQuickPick(rows, options);
    if (picked) await sessions.setOption(id, picked.value);
  };
}
