//! What the shell does by itself, without a program.

/// Those that do no more than they are told to, or are judged by their own rules.
const PLAIN: [&str; 28] = [
    ":", ".", "bg", "break", "builtin", "command", "compopt", "continue", "coproc", "dirs", "echo", "eval",
    "exec", "exit", "false", "fg", "help", "jobs", "printf", "pwd", "return", "shift", "source", "times",
    "trap", "true", "type", "wait",
];

/// Those that change what later words mean, or evaluate their arguments.
const EFFECTS: [&str; 34] = [
    "test",
    "[",
    "read",
    "mapfile",
    "readarray",
    "let",
    "unset",
    "declare",
    "typeset",
    "local",
    "readonly",
    "export",
    "pushd",
    "popd",
    "bind",
    "compgen",
    "complete",
    "fc",
    "history",
    "ulimit",
    "umask",
    "getopts",
    "hash",
    "alias",
    "unalias",
    "enable",
    "set",
    "shopt",
    "disown",
    "caller",
    "logout",
    "suspend",
    "cd",
    "kill",
];

/// Whether the shell runs this word itself. Names of builtins are exact.
pub(in crate::policy) fn is_builtin(name: &str) -> bool {
    PLAIN.contains(&name) || EFFECTS.contains(&name)
}

/// Whether it is a builtin with effects that its words do not show. Struck in any spelling.
pub(super) fn has_effects(name: &str) -> bool {
    EFFECTS.contains(&name)
}
