/** What the status bar and its menu say for given facts. What needs the user comes before what goes on by itself. */
import type { Facts } from './board';

/** The words, which the caller takes from the user's language. */
export interface Words {
  idle: string;
  starting: string;
  down: string;
  working: string;
  hunks(count: number): string;
  approvals(count: number): string;
  trust(count: number): string;
  tokens(count: string): string;
  model(name: string): string;
  mode(name: string): string;
  showApprovals: string;
  lookAtTrust: string;
  stop: string;
  nextHunk: string;
  acceptAll: string;
  rejectAll: string;
  ask: string;
  openChat: string;
  selectModel: string;
  selectMode: string;
  restart: string;
  log: string;
}

/** A line in the menu. */
export interface Choice {
  /** Name of a codicon. */
  icon: string;
  label: string;
  detail?: string;
  command: string;
}

export interface View {
  text: string;
  tooltip: string;
  severity: 'none' | 'warning' | 'error';
}

/** The item itself. */
export function view(facts: Readonly<Facts>, words: Words): View {
  if (facts.server === 'failed') return { text: '$(error) Assent', tooltip: words.down, severity: 'error' };
  const waiting = [
    ...(facts.approvals > 0 ? [`$(shield) ${facts.approvals}`] : []),
    ...(facts.hunks > 0 ? [`$(diff) ${facts.hunks}`] : []),
    ...(facts.trust > 0 ? [`$(workspace-unknown) ${facts.trust}`] : []),
  ];
  const icon = facts.turns > 0 || facts.server === 'starting' ? '$(loading~spin)' : '$(pass)';
  const tokens = facts.turns > 0 && facts.tokens > 0 ? [short(facts.tokens)] : [];
  return {
    text: [`${icon} Assent`, ...tokens, ...waiting].join(' '),
    tooltip: [headline(facts, words), ...details(facts, words)].join(', '),
    severity: facts.approvals > 0 ? 'warning' : 'none',
  };
}

function headline(facts: Readonly<Facts>, words: Words): string {
  if (facts.server === 'starting') return words.starting;
  if (facts.turns === 0) return words.idle;
  return facts.message === '' ? words.working : `${words.working}: ${facts.message}`;
}

function details(facts: Readonly<Facts>, words: Words): string[] {
  return [
    ...(facts.approvals > 0 ? [words.approvals(facts.approvals)] : []),
    ...(facts.hunks > 0 ? [words.hunks(facts.hunks)] : []),
    ...(facts.trust > 0 ? [words.trust(facts.trust)] : []),
    ...(facts.tokens > 0 ? [words.tokens(short(facts.tokens))] : []),
    ...(facts.model === '' ? [] : [words.model(facts.model)]),
    ...(facts.mode === '' ? [] : [words.mode(facts.mode)]),
  ];
}

/** The menu: what waits for the user first, then the conversation, then the server. */
export function choices(facts: Readonly<Facts>, words: Words): Choice[] {
  const log: Choice = { icon: 'output', label: words.log, command: 'assent.showLog' };
  const restart: Choice = { icon: 'debug-restart', label: words.restart, command: 'assent.restartServer' };
  if (facts.server === 'failed') return [restart, log];
  const found: Choice[] = [];
  if (facts.approvals > 0) {
    found.push({
      icon: 'shield',
      label: words.showApprovals,
      detail: words.approvals(facts.approvals),
      command: 'assent.approvals',
    });
  }
  if (facts.turns > 0) {
    found.push({ icon: 'debug-stop', label: words.stop, detail: facts.message, command: 'assent.cancel' });
  }
  if (facts.hunks > 0) {
    found.push({
      icon: 'arrow-down',
      label: words.nextHunk,
      detail: words.hunks(facts.hunks),
      command: 'assent.review.next',
    });
    found.push({ icon: 'check-all', label: words.acceptAll, command: 'assent.review.acceptAll' });
    found.push({ icon: 'close-all', label: words.rejectAll, command: 'assent.review.rejectAll' });
  }
  if (facts.trust > 0) {
    found.push({ icon: 'workspace-unknown', label: words.lookAtTrust, detail: words.trust(facts.trust), command: 'assent.trustWorkspace' });
  }
  found.push({ icon: 'comment-discussion', label: words.openChat, command: 'assent.chat.open' });
  found.push({ icon: 'comment', label: words.ask, command: 'assent.ask' });
  if (facts.model !== '') {
    found.push({ icon: 'chip', label: words.selectModel, detail: facts.model, command: 'assent.selectModel' });
  }
  if (facts.mode !== '') {
    found.push({ icon: 'settings', label: words.selectMode, detail: facts.mode, command: 'assent.selectMode' });
  }
  return [...found, restart, log];
}

/** A count of tokens in few letters. */
export function short(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_500) return `${count < 9_950 ? (count / 1_000).toFixed(1) : Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
