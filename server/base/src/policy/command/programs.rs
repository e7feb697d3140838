//! What a rule with a star must not cover.
//!
//! `find *` in an allow list means searching, not `-delete`. Here stands, as data, which options
//! and programs run other programs or write files where that is not what their name says. They
//! are covered only by a rule that spells the whole command out. The table is help against
//! accidents and known tricks, not a wall: a user who allows `make *` allows what make does.

use super::builtins::{has_effects, is_builtin};
use super::wrappers;
use crate::policy::Program;
use std::path::{Path, PathBuf};

/// How far rules reach for a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::policy) enum Guard {
    /// Any rule may cover it.
    Free,
    /// Only an exact rule may; the reason is for the approval.
    Exact {
        /// Why.
        reason: &'static str,
        /// Whether an answer may be remembered as such a rule.
        remember: bool,
    },
    /// No rule may.
    Never(&'static str),
}

/// A program's options that run or write. Long ones are also struck by their abbreviations.
struct Profile {
    program: &'static str,
    long: &'static [&'static str],
    /// Letters, also within a cluster such as `-rO`.
    short: &'static str,
    /// Words that begin with `+` are commands or toolchains.
    plus: bool,
}

const fn profile(program: &'static str, long: &'static [&'static str], short: &'static str) -> Profile {
    Profile { program, long, short, plus: false }
}

const PROFILES: [Profile; 20] = [
    profile(
        "git",
        &[
            "output",
            "ext-diff",
            "textconv",
            "no-index",
            "upload-pack",
            "receive-pack",
            "exec",
            "exec-path",
            "open-files-in-pager",
            "config",
            "config-env",
            "template",
            "separate-git-dir",
            "git-dir",
            "work-tree",
            "pager",
            "paginate",
            "extcmd",
            "run",
        ],
        "O",
    ),
    profile("rg", &["pre", "pre-glob", "hostname-bin"], ""),
    profile("fd", &["exec", "exec-batch"], "xX"),
    profile("fdfind", &["exec", "exec-batch"], "xX"),
    profile("sort", &["output", "compress-program", "temporary-directory"], "oT"),
    profile(
        "tar",
        &[
            "checkpoint-action",
            "to-command",
            "use-compress-program",
            "rsh-command",
            "rmt-command",
            "info-script",
            "new-volume-script",
        ],
        "IF",
    ),
    profile("man", &["pager", "html", "gxditview", "preprocessor", "config-file"], "PHXpC"),
    Profile { program: "less", long: &["log-file", "lesskey-file", "lesskey-src"], short: "oOk", plus: true },
    Profile { program: "more", long: &[], short: "", plus: true },
    Profile { program: "cargo", long: &["config", "manifest-path"], short: "ZC", plus: true },
    profile(
        "go",
        &[
            "exec",
            "toolexec",
            "overlay",
            "vettool",
            "modfile",
            "ldflags",
            "gcflags",
            "asmflags",
            "gccgoflags",
            "pkgdir",
            "cpuprofile",
            "memprofile",
            "blockprofile",
            "mutexprofile",
            "trace",
            "coverprofile",
            "outputdir",
        ],
        "oC",
    ),
    profile("date", &["set", "file"], "sf"),
    profile("tree", &[], "o"),
    profile("file", &["compile", "magic-file"], "Cm"),
    profile("split", &["filter"], ""),
    profile(
        "curl",
        &["output", "output-dir", "remote-name", "config", "dump-header", "trace", "cookie-jar"],
        "oOKDc",
    ),
    profile("wget", &["output-document", "output-file", "execute", "use-askpass", "config"], "Ooe"),
    profile("rsync", &["rsh", "rsync-path"], "e"),
    profile("zip", &["unzip-command"], "T"),
    profile("make", &["file", "makefile", "directory", "eval", "include-dir"], "fCI"),
];

/// Subcommands of git that do what they say. Others may be aliases out of a repository's own
/// configuration, or run what they are told to.
const GIT: [&str; 62] = [
    "add",
    "am",
    "apply",
    "archive",
    "blame",
    "branch",
    "bundle",
    "cat-file",
    "check-attr",
    "check-ignore",
    "checkout",
    "cherry",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "count-objects",
    "describe",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "fetch",
    "for-each-ref",
    "format-patch",
    "fsck",
    "gc",
    "grep",
    "help",
    "init",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge",
    "merge-base",
    "mv",
    "name-rev",
    "notes",
    "prune",
    "pull",
    "push",
    "range-diff",
    "rebase",
    "reflog",
    "remote",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "show-ref",
    "stash",
    "status",
    "switch",
    "symbolic-ref",
    "tag",
    "version",
    "worktree",
];

/// The tests and output forms of `find` that only look.
const FIND: [&str; 62] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-xtype",
    "-maxdepth",
    "-mindepth",
    "-depth",
    "-d",
    "-mount",
    "-xdev",
    "-size",
    "-empty",
    "-newer",
    "-anewer",
    "-cnewer",
    "-newermt",
    "-newerct",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-daystart",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-nouser",
    "-nogroup",
    "-links",
    "-inum",
    "-samefile",
    "-lname",
    "-ilname",
    "-readable",
    "-writable",
    "-executable",
    "-print",
    "-print0",
    "-printf",
    "-ls",
    "-prune",
    "-quit",
    "-not",
    "-a",
    "-and",
    "-o",
    "-or",
    "-true",
    "-false",
    "-follow",
    "-H",
    "-L",
];

/// Programs with a language of their own in their arguments.
const LANGUAGES: [&str; 9] = ["awk", "gawk", "mawk", "nawk", "ed", "ex", "vi", "vim", "nvim"];

/// Package managers, build and test tools, interpreters: what they do, the project says.
const PROJECT_RUNNERS: [&str; 40] = [
    "npm", "npx", "pnpm", "yarn", "bun", "bunx", "deno", "node", "tsx", "cargo", "make", "gmake", "cmake",
    "ninja", "meson", "bazel", "go", "pytest", "tox", "nox", "python", "python3", "pip", "pip3", "uv",
    "poetry", "ruby", "rake", "bundle", "perl", "php", "composer", "gradle", "gradlew", "mvn", "dotnet",
    "swift", "zig", "just", "lua",
];

/// Whether the program runs what the project tells it to.
pub(in crate::policy) fn runs_project_code(argv: &[String]) -> bool {
    argv.first().is_some_and(|program| PROJECT_RUNNERS.contains(&wrappers::name(program).as_str()))
}

/// Where a command would run.
#[derive(Debug, Clone, Copy)]
pub(in crate::policy) struct Surroundings<'a> {
    /// The workspace folders.
    pub roots: &'a [PathBuf],
    /// The directory at that point of the line.
    pub directory: &'a Path,
    /// The program that will run, where one was found.
    pub program: Option<&'a Program>,
}

/// How far rules reach for this command.
pub(in crate::policy) fn guard(argv: &[String], around: Surroundings<'_>) -> Guard {
    let exact = |reason| Guard::Exact { reason, remember: true };
    let unremembered = |reason| Guard::Exact { reason, remember: false };
    let Some((program, rest)) = argv.split_first() else { return Guard::Never("there is no command") };
    let name = wrappers::name(program);
    match name.as_str() {
        "eval" | "source" | "." | "trap" | "coproc" => {
            return Guard::Never("the shell evaluates its arguments");
        }
        _ if wrappers::is_shell_script(&name, rest) => return Guard::Never("a shell runs its argument"),
        _ if wrappers::is_wrapper(&name) => return unremembered("it runs another program"),
        _ if has_effects(&name) => {
            return unremembered("a shell builtin with effects of its own");
        }
        "printf" if rest.iter().any(|word| word.starts_with("-v")) => {
            return unremembered("`printf -v` sets a variable");
        }
        _ => {}
    }
    let local = program.contains('/')
        && (!program.starts_with('/')
            || around.roots.iter().any(|root| Path::new(program).starts_with(root)));
    if local || around.program.is_some_and(|program| program.lies_in(around.roots)) {
        return exact("it runs a program of the project");
    }
    if around.program.is_none() && !is_builtin(program) {
        return unremembered("no such program was found");
    }
    if name == "git" && !around.roots.iter().any(|root| root == around.directory) {
        // Also for a rule that spells the command out: it does not say where.
        return Guard::Never(
            "git in a folder below the workspace may obey another repository's configuration",
        );
    }
    match name.as_str() {
        "git" => git(rest).or_else(|| options(&name, rest)),
        "find" => find(rest),
        "sed" | "gsed" => sed(rest),
        _ if LANGUAGES.contains(&name.as_str()) => Some("its arguments are a program"),
        _ => options(&name, rest),
    }
    .map_or(Guard::Free, exact)
}

fn git(rest: &[String]) -> Option<&'static str> {
    let first = rest.first()?;
    if first.starts_with('-') && rest.len() > 1 {
        return Some("an option before git's subcommand can run programs or lead to another repository");
    }
    if !first.starts_with('-') && !GIT.contains(&first.as_str()) {
        return Some("this subcommand of git may run a program");
    }
    let risky = |subcommands: &[&str], letter: char| {
        subcommands.contains(&first.as_str()) && rest[1..].iter().any(|word| in_cluster(word, letter))
    };
    if risky(&["clone", "ls-remote"], 'u')
        || risky(&["rebase"], 'x')
        || risky(&["archive", "format-patch"], 'o')
    {
        return Some("an option of git that runs a program or writes a file");
    }
    rest.iter().any(|word| word.contains("::")).then_some("a transport of git that may run a program")
}

fn find(rest: &[String]) -> Option<&'static str> {
    let acts = |word: &&String| word.starts_with('-') && word.len() > 1 && !FIND.contains(&word.as_str());
    rest.iter().find(acts).map(|_| "an option of find that is not known only to look")
}

/// `sed -n '1,5p'` prints lines; other scripts may write or run.
fn sed(rest: &[String]) -> Option<&'static str> {
    let prints = |script: &str| {
        let address = script.strip_suffix(['p', 'q', 'd']).unwrap_or("x");
        let mut parts = address.split(',');
        let line = |part: &str| part == "$" || (!part.is_empty() && part.chars().all(|c| c.is_ascii_digit()));
        parts.clone().count() <= 2 && parts.all(line)
    };
    let script = rest.iter().find(|word| !word.starts_with('-')).map_or("", String::as_str);
    let options = rest.iter().filter(|word| word.starts_with('-'));
    let quiet =
        options.clone().all(|word| matches!(word.as_str(), "-n" | "--quiet" | "--silent" | "-E" | "-r"));
    (!quiet || !prints(script)).then_some("a script of sed can write files and run programs")
}

fn options(name: &str, rest: &[String]) -> Option<&'static str> {
    let profile = PROFILES.iter().find(|profile| profile.program == name)?;
    let struck = rest.iter().enumerate().any(|(at, word)| {
        if let Some(long) = word.strip_prefix("--") {
            let given = long.split('=').next().unwrap_or_default();
            return !given.is_empty() && profile.long.iter().any(|long| long.starts_with(given));
        }
        if name == "go"
            && let Some(flag) = word.strip_prefix('-')
        {
            let given = flag.split('=').next().unwrap_or_default();
            return profile.long.contains(&given)
                || profile.short.contains(given)
                || given.starts_with("test.");
        }
        // tar takes its first cluster without a dash.
        let cluster = if name == "tar" && at == 0 { Some(word.as_str()) } else { word.strip_prefix('-') };
        cluster.is_some_and(|cluster| cluster.contains(|c| profile.short.contains(c)))
            || (profile.plus && word.starts_with('+'))
    });
    struck.then_some("an option that runs a program or writes a file")
}

fn in_cluster(word: &str, letter: char) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
}
