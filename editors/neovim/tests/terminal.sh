#!/usr/bin/env bash
# What a person sees: a turn from the prompt to the accepted edit in a terminal, with the screen
# checked. Needs tmux, ASSENT_BIN, and the Neovim to run as the only argument.
set -euo pipefail

nvim=$1
plugin=$(cd "$(dirname "$0")/.." && pwd)
socket=assent-test-$$
root=$(mktemp -d)
# shellcheck disable=SC2329 # called by the trap
finish() {
  tmux -L "$socket" kill-server 2>/dev/null || true
  rm -rf "$root"
}
trap finish EXIT
mkdir -p "$root"/{ws/.git,home,config,state,xdg}

cat >"$root/ws/calc.py" <<'FILE'
def add(a, b):
    return a - b


def sub(a, b):
    return a + b
FILE
cat >"$root/script.json" <<'FILE'
{ "answers": [
  [ { "say": "I read it first." }, { "call": "read", "with": { "filePath": "{folder}/calc.py" } } ],
  [ { "call": "multiedit", "with": { "filePath": "{folder}/calc.py", "edits": [
      { "oldString": "return a - b", "newString": "return a + b  # plus" },
      { "oldString": "def sub(a, b):\n    return a + b", "newString": "def sub(a, b):\n    return a - b  # minus" } ] } } ],
  [ { "call": "bash", "with": { "command": "grep -c plus calc.py > count.txt", "description": "Count" } } ],
  [ { "say": "All is done." } ] ] }
FILE
echo "model: scripted/$root/script.json" >"$root/config/assent.yaml"
cat >"$root/init.lua" <<FILE
vim.opt.runtimepath:prepend('$plugin')
vim.cmd.runtime('plugin/assent.lua')
vim.opt.swapfile = false
vim.o.laststatus = 3
vim.o.statusline = '%f%=[%{v:lua.require("assent").statusline()}]'
vim.lsp.enable('assent')
FILE

in_tmux() { tmux -L "$socket" "$@"; }
screen() { in_tmux capture-pane -p -t main; }
press() { in_tmux send-keys -t main "$@"; }

# wait_for TEXT: until it stands on the screen.
wait_for() {
  local tries
  for tries in $(seq 300); do
    screen | grep -qF -- "$1" && return
    sleep 0.05 # between two looks, not in place of one
  done
  echo "\"$1\" did not come onto the screen ($tries looks):"
  screen
  exit 1
}

# wait_gone TEXT: until it stands there no more.
wait_gone() {
  local tries
  for tries in $(seq 300); do
    screen | grep -qF -- "$1" || return 0
    sleep 0.05
  done
  echo "\"$1\" stays on the screen ($tries looks):"
  screen
  exit 1
}

in_tmux -f /dev/null new-session -d -s main -x 110 -y 30 \
  env LC_ALL=C.UTF-8 TERM=tmux-256color HOME="$root/home" XDG_CONFIG_HOME="$root/xdg" \
  XDG_STATE_HOME="$root/xdg" XDG_DATA_HOME="$root/xdg" XDG_CACHE_HOME="$root/xdg" \
  ASSENT_BIN="${ASSENT_BIN:?}" ASSENT_CONFIG_DIR="$root/config" ASSENT_STATE_DIR="$root/state" \
  sh -c "cd '$root/ws' && exec '$nvim' --clean -u '$root/init.lua' calc.py"

wait_for '[Assent]'
press ':Assent ask swap the two' Enter
wait_for 'I read it first.'
wait_for 'Assent 1/2'
wait_for '# plus'
wait_for '[Assent: working, 2 hunks]'
# The line that would go is coloured, and still there.
in_tmux capture-pane -e -p -t main | grep -F 'return a - b' | grep -qF $'\e['

# Typing goes on meanwhile, and the hunks move along.
press 'ggO' '# typed meanwhile' Escape
wait_for '# typed meanwhile'
press ']h' ':Assent accept' Enter
wait_for '[Assent: working, 1 hunk]'
press ']h' ':Assent reject hunk not this one' Enter
wait_gone '# minus'

wait_for '[Assent: working, 1 approval]'
press ':Assent approvals' Enter
wait_for 'grep -c plus calc.py > count.txt'
wait_for 'Why'
for _ in $(seq 100); do
  press 'ga'
  sleep 0.05
  screen | grep -qF 'All is done.' && break
done
wait_for 'All is done.'
wait_for '[Assent]'

press ':Assent undo' Enter
wait_gone '# plus'
press ':w' Enter
wait_for 'written'
printf '# typed meanwhile\ndef add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a + b\n' |
  diff - "$root/ws/calc.py"
press ':qa!' Enter
