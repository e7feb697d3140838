//! `sandbox:` and `commands:`: what holds the processes that tools start, and which of the user's
//! variables they see. The user decides; a project may only make it tighter.

use super::Problem;
use super::fields;
use super::read::place;
use crate::written::{Kind, Node, Reader};
use std::path::Path;

/// When commands run in a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum SandboxMode {
    /// Never.
    Off,
    /// Where there is one; where there is none the approval says so.
    #[default]
    Preferred,
    /// Always: what can't be held does not run.
    Required,
}

/// Which sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SandboxKind {
    /// Namespaces, made by the program `bwrap`.
    Bubblewrap,
    /// The kernel's Landlock, without another program.
    Landlock,
}

/// The sandbox as it is set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// When.
    pub mode: SandboxMode,
    /// Whether commands in it reach the network.
    pub network: bool,
    /// Folders they may write beside the workspace and a temporary folder of their own: absolute,
    /// or below the home with `~/`.
    pub writable: Vec<String>,
    /// Only this one; `None`: the best that is there.
    pub kind: Option<SandboxKind>,
}

/// What one file says of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Written {
    mode: Option<(SandboxMode, Problem)>,
    network: Option<(bool, Problem)>,
    writable: Option<(Vec<String>, Problem)>,
    kind: Option<(SandboxKind, Problem)>,
    /// `commands.env`: names of variables that commands get beside the usual ones.
    variables: Option<(Vec<String>, Problem)>,
}

/// Variables from which programs take code, options or the name of another program to run: they
/// pass for nobody, and no setting lets them. A `*` at the end stands for any rest.
const NEVER: [&str; 33] = [
    "LD_*",
    "DYLD_*",
    "BASH_ENV",
    "BASH_FUNC_*",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "IFS",
    "PROMPT_COMMAND",
    "ZDOTDIR",
    "GIT_*",
    "GOFLAGS",
    "GOENV",
    "RIPGREP_CONFIG_PATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PERL5OPT",
    "PERL5LIB",
    "RUBYOPT",
    "RUBYLIB",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO_BUILD_RUSTC*",
    "MAKEFLAGS",
    "ASSENT_*",
];

pub(super) const MODES: [(&str, SandboxMode); 3] =
    [("off", SandboxMode::Off), ("preferred", SandboxMode::Preferred), ("required", SandboxMode::Required)];
pub(super) const KINDS: [(&str, SandboxKind); 2] =
    [("bubblewrap", SandboxKind::Bubblewrap), ("landlock", SandboxKind::Landlock)];

/// Reads `sandbox:`, a mode or an object.
pub(super) fn read(reader: &mut Reader<'_>, node: &Node, key: &str, written: &mut Written) {
    if !matches!(node.kind, Kind::Map(_)) {
        written.mode = reader.one_of(node, key, &MODES).map(|mode| (mode, place(reader, node.place, key)));
        return;
    }
    let fields = reader.by_table(node, key, fields::SANDBOX);
    if let Some((node, key)) = fields.get("mode") {
        written.mode = reader.one_of(node, &key, &MODES).map(|mode| (mode, place(reader, node.place, &key)));
    }
    if let Some((node, key)) = fields.get("network") {
        written.network = reader.flag(node, &key).map(|network| (network, place(reader, node.place, &key)));
    }
    if let Some((node, key)) = fields.get("kind") {
        written.kind = reader.one_of(node, &key, &KINDS).map(|kind| (kind, place(reader, node.place, &key)));
    }
    if let Some((node, key)) = fields.get("writable") {
        for (key, item) in reader.items(node, &key) {
            let folder = reader.words(item, &key).unwrap_or("/");
            if !Path::new(folder).is_absolute() && !folder.starts_with("~/") {
                let wanted = "must be an absolute path, or one below the home folder such as `~/.cache`";
                reader.problem(item.place, &key, wanted);
            }
        }
        written.writable = Some((reader.texts(node, &key), place(reader, node.place, &key)));
    }
}

/// Reads `commands:`.
pub(super) fn read_commands(reader: &mut Reader<'_>, node: &Node, key: &str, written: &mut Written) {
    let fields = reader.by_table(node, key, fields::COMMANDS);
    let Some((node, key)) = fields.get("env") else { return };
    for (key, item) in reader.items(node, &key) {
        let name = reader.words(item, &key).unwrap_or_default();
        let starts = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
        let is_name =
            name.starts_with(starts) && name.chars().all(|letter| starts(letter) || letter.is_ascii_digit());
        if !name.is_empty() && !is_name {
            reader.problem(item.place, &key, "must be the name of a variable, such as `DATABASE_URL`");
        } else if !may_pass(name) {
            let why = format!("`{name}` is never passed on: programs take code or options from it");
            reader.problem(item.place, &key, why);
        }
    }
    written.variables = Some((reader.texts(node, &key), place(reader, node.place, &key)));
}

/// Whether a variable may be let through by its name.
fn may_pass(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let meant = |never: &str| match never.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == never,
    };
    name != "PATH" && !NEVER.into_iter().any(meant)
}

impl Written {
    /// The user's: it decides.
    pub(super) fn set(self, sandbox: &mut Sandbox, variables: &mut Vec<String>) {
        sandbox.mode = self.mode.map_or(sandbox.mode, |(mode, _)| mode);
        sandbox.network = self.network.map_or(sandbox.network, |(network, _)| network);
        sandbox.kind = self.kind.map(|(kind, _)| kind).or(sandbox.kind);
        sandbox.writable =
            self.writable.map_or(std::mem::take(&mut sandbox.writable), |(folders, _)| folders);
        *variables = self.variables.map_or(std::mem::take(variables), |(names, _)| names);
    }

    /// A project's: it tightens; what it would loosen is given back.
    pub(super) fn tighten(self, sandbox: &mut Sandbox) -> Vec<Problem> {
        let mut loosens = Vec::new();
        match self.mode {
            Some((mode, _)) if mode >= sandbox.mode => sandbox.mode = mode,
            Some((_, place)) => loosens.push(place),
            None => {}
        }
        match self.network {
            Some((false, _)) => sandbox.network = false,
            Some((true, _)) if sandbox.network => {}
            Some((true, place)) => loosens.push(place),
            None => {}
        }
        loosens.extend(self.writable.map(|(_, place)| place));
        loosens.extend(self.kind.map(|(_, place)| place));
        loosens.extend(self.variables.map(|(_, place)| place));
        loosens
    }
}
