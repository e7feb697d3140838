//! Programs that run other programs. What they would run is looked for so that `deny` rules hold
//! against it; being found here never allows anything. So doubt means one candidate more.

/// What a command would run in turn.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inner {
    /// A program with its arguments.
    Argv(Vec<String>),
    /// A text that a shell would read.
    Script(String),
}

/// Wrappers, with the number of operands before the command.
const WRAPPERS: [(&str, usize); 43] = [
    ("env", 0),
    ("sudo", 0),
    ("doas", 0),
    ("run0", 0),
    ("pkexec", 0),
    ("su", 1),
    ("runuser", 1),
    ("timeout", 1),
    ("gtimeout", 1),
    ("nohup", 0),
    ("nice", 0),
    ("ionice", 0),
    ("chrt", 1),
    ("taskset", 1),
    ("setsid", 0),
    ("stdbuf", 0),
    ("unbuffer", 0),
    ("time", 0),
    ("command", 0),
    ("builtin", 0),
    ("exec", 0),
    ("coproc", 1),
    ("xargs", 0),
    ("parallel", 0),
    ("watch", 0),
    ("unshare", 0),
    ("nsenter", 0),
    ("chroot", 1),
    ("setpriv", 0),
    ("fakeroot", 0),
    ("firejail", 0),
    ("bwrap", 0),
    ("systemd-run", 0),
    ("flock", 1),
    ("strace", 0),
    ("ltrace", 0),
    ("script", 0),
    ("busybox", 0),
    ("toybox", 0),
    ("caffeinate", 0),
    ("faketime", 1),
    ("ssh", 1),
    ("prlimit", 0),
];

const SHELLS: [&str; 10] = ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh"];

/// Options after which a command stands.
const EXEC_OPTIONS: [&str; 12] = [
    "-exec",
    "-execdir",
    "-ok",
    "-okdir",
    "-x",
    "-X",
    "--exec",
    "--exec-batch",
    "--pre",
    "--upload-pack",
    "--receive-pack",
    "--use-compress-program",
];

/// The program's bare name: `/bin/RM.exe` is `rm`.
pub(super) fn name(program: &str) -> String {
    let base = program.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    base.strip_suffix(".exe").map(str::to_owned).unwrap_or(base)
}

/// Whether the program's purpose is to run another one.
pub(super) fn is_wrapper(name: &str) -> bool {
    WRAPPERS.iter().any(|(wrapper, _)| *wrapper == name)
}

/// Whether the program is a shell.
pub(super) fn is_shell(name: &str) -> bool {
    SHELLS.contains(&name)
}

/// Whether this is a shell that reads its command from an argument.
pub(super) fn is_shell_script(name: &str, argv: &[String]) -> bool {
    is_shell(name) && argv.iter().any(|word| is_c_option(word))
}

fn is_c_option(word: &str) -> bool {
    word == "--command" || (word.starts_with('-') && !word.starts_with("--") && word.contains('c'))
}

/// The most commands that one command is taken to run.
const MAX_INNER: usize = 64;

/// Everything that the command might run in turn; `None` if that is more than can be judged.
pub(super) fn inner(argv: &[String]) -> Option<Vec<Inner>> {
    let Some((program, rest)) = argv.split_first() else { return Some(Vec::new()) };
    let name = name(program);
    let mut found = Vec::new();
    if let Some((_, operands)) = WRAPPERS.iter().find(|(wrapper, _)| *wrapper == name) {
        found.extend(starts(rest, *operands).take(MAX_INNER + 1).map(|at| Inner::Argv(rest[at..].to_vec())));
        scripts_of_wrapper(&name, rest, *operands, &mut found);
    }
    if is_shell(&name)
        && let Some(at) = rest.iter().position(|word| is_c_option(word))
    {
        let scripts = rest[at + 1..].iter().filter(|word| !word.starts_with(['-', '+'])).take(2);
        found.extend(scripts.map(|script| Inner::Script(script.clone())));
    }
    match name.as_str() {
        "eval" => found.push(Inner::Script(rest.join(" "))),
        "trap" => found.extend(rest.first().map(|script| Inner::Script(script.clone()))),
        _ => {}
    }
    for (at, word) in rest.iter().enumerate() {
        let (option, value) = word.split_once('=').map_or((word.as_str(), None), |(o, v)| (o, Some(v)));
        if !EXEC_OPTIONS.contains(&option) {
            continue;
        }
        if found.len() > MAX_INNER {
            break;
        }
        match value {
            Some(value) => found.push(Inner::Script(value.to_owned())),
            None => {
                let end = rest[at + 1..].iter().position(|word| word == ";" || word == "+");
                let command = &rest[at + 1..end.map_or(rest.len(), |end| at + 1 + end)];
                found.push(Inner::Argv(command.to_vec()));
            }
        }
    }
    found.retain(|inner| match inner {
        Inner::Argv(argv) => !argv.is_empty(),
        Inner::Script(script) => !script.trim().is_empty(),
    });
    (found.len() <= MAX_INNER).then_some(found)
}

/// Where the wrapped command may begin: after options, each of which may take a value, after
/// assignments, and after the wrapper's own operands.
fn starts(words: &[String], operands: usize) -> impl Iterator<Item = usize> + '_ {
    let mut left = operands;
    let mut begins = 0;
    let mut after_option = false;
    for word in words {
        let option = word.starts_with('-') || word.starts_with('+');
        if !option && !after_option && !is_assignment(word) {
            if left == 0 {
                break;
            }
            left -= 1;
        }
        after_option = option;
        begins += 1;
    }
    // An operand may be left out, so every word up to there is a candidate.
    (0..=begins).filter(|at| words.get(*at).is_some_and(|word| !word.starts_with('-')))
}

pub(super) fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name).unwrap_or_default();
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Wrappers that hand a text to a shell.
fn scripts_of_wrapper(name: &str, rest: &[String], operands: usize, found: &mut Vec<Inner>) {
    let value_of = |short: &str, long: &str| {
        rest.iter().enumerate().find_map(|(at, word)| {
            let glued = word.strip_prefix(long).and_then(|value| value.strip_prefix('='));
            let short_glued = word.strip_prefix(short).filter(|value| !value.is_empty());
            match glued.or(short_glued) {
                Some(value) => Some(value.to_owned()),
                None if word == short || word == long => rest.get(at + 1).cloned(),
                None => None,
            }
        })
    };
    let script = match name {
        "env" => value_of("-S", "--split-string"),
        "su" | "runuser" | "script" | "flock" => value_of("-c", "--command"),
        "watch" | "parallel" | "ssh" => starts(rest, operands).last().map(|at| rest[at..].join(" ")),
        _ => None,
    };
    found.extend(script.map(Inner::Script));
}

/// A crude command line for a text that no grammar could read.
pub(super) fn crude(text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| word.chars().filter(|c| !matches!(c, '"' | '\'' | '\\')).collect::<String>())
        .filter(|word| !word.is_empty())
        .collect()
}
