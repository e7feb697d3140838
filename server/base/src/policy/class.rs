//! What the mode says about the class of a call, where no rule said anything.

use super::{Access, Mode, ResolvedCall};
use crate::path::{PathClass, ResolvedPath};
use crate::tool::{Exec, Reads, Writes};

/// What the class of a call leads to, from least to most strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ByClass {
    /// Runs.
    Allow,
    /// An edit of the project: the review asks, hunk by hunk.
    Review,
    /// The class is not known: the policy's default, then ask.
    Unknown,
    /// Asks once a session for the tool.
    AskOnce,
    /// Asks.
    Ask,
    /// Not in this mode.
    Deny,
}

/// The stricter of what the call reads, writes and runs, with words for it. `spared` says that
/// all it touches outside the workspace are files it may read.
pub(super) fn by_class(mode: Mode, call: &ResolvedCall, spared: bool) -> (ByClass, &'static str) {
    let read = match call.effects.reads {
        Reads::External if spared => Reads::Project,
        reads => reads,
    };
    let sides = [reads(read), writes(mode, call), exec(call)];
    // A declared class is believed only as far as the paths agree with it.
    let paths = call.paths.iter().filter(|(_, path)| !(spared && path.class == PathClass::External));
    let paths = paths.map(|(access, path)| match (access.writes(), path.class) {
        (true, _) if mode == Mode::Plan => (ByClass::Deny, "writes, and the mode is plan"),
        (_, PathClass::Project) => (ByClass::Allow, "stays in the project"),
        (_, PathClass::Dot) => (ByClass::Ask, "touches a hidden path of the project"),
        (_, PathClass::Ignored) => (ByClass::Ask, "touches a path that ignore rules exclude"),
        (_, PathClass::External) => (ByClass::Ask, "touches a path outside the workspace"),
    });
    let all = paths.chain(sides);
    all.max_by_key(|(verdict, _)| *verdict).unwrap_or((ByClass::Ask, "nothing is known of it"))
}

/// Whether the call is an edit of ordinary project files, which the review can ask about.
pub(super) fn is_project_edit(call: &ResolvedCall) -> bool {
    let project =
        |(access, path): &(Access, ResolvedPath)| *access == Access::Read || path.class == PathClass::Project;
    is_edit(call) && call.effects.writes <= Writes::Project && call.paths.iter().all(project)
}

/// Whether the call is an edit of files: a proposal that can be reviewed by hunk.
pub(super) fn is_edit(call: &ResolvedCall) -> bool {
    let writes = call.paths.iter().any(|(access, _)| access.writes());
    let shown = call.paths.iter().all(|(access, _)| *access != Access::Mode);
    (writes || is_unfiled(call)) && shown && !call.runs() && call.effects.exec == Exec::None
}

/// Whether the call edits an open document that is no file (`untitled:…`): nothing but its text.
fn is_unfiled(call: &ResolvedCall) -> bool {
    let named = call.arguments.get("filePath").and_then(serde_json::Value::as_str);
    call.paths.is_empty() && named == Some(&call.subject) && call.subject.starts_with("untitled:")
}

fn reads(reads: Reads) -> (ByClass, &'static str) {
    match reads {
        Reads::None => (ByClass::Allow, "reads nothing"),
        Reads::Project => (ByClass::Allow, "reads the project"),
        Reads::ProjectDot => (ByClass::Ask, "reads a hidden path of the project"),
        Reads::ProjectIgnore => (ByClass::Ask, "reads a path that ignore rules exclude"),
        Reads::External => (ByClass::Ask, "reads outside the workspace"),
        Reads::Network => (ByClass::Ask, "reads from the network"),
    }
}

fn writes(mode: Mode, call: &ResolvedCall) -> (ByClass, &'static str) {
    let (verdict, words) = match call.effects.writes {
        Writes::None => return (ByClass::Allow, "writes nothing"),
        Writes::Artifacts => (ByClass::AskOnce, "writes caches or build output"),
        Writes::Project if is_project_edit(call) => match mode {
            Mode::AcceptEdits => (ByClass::Allow, "edits the project in mode accept-edits"),
            _ => (ByClass::Review, "edits the project, reviewed by hunk"),
        },
        Writes::Project => (ByClass::Ask, "writes the project"),
        Writes::ProjectDot => (ByClass::Ask, "writes a hidden path of the project"),
        Writes::ProjectIgnore => (ByClass::Ask, "writes a path that ignore rules exclude"),
        Writes::External => (ByClass::Ask, "writes outside the workspace"),
        Writes::Remote => (ByClass::Ask, "writes to another machine"),
    };
    if mode == Mode::Plan { (ByClass::Deny, "writes, and the mode is plan") } else { (verdict, words) }
}

fn exec(call: &ResolvedCall) -> (ByClass, &'static str) {
    match (call.effects.exec, &call.command) {
        (Exec::None, None) => (ByClass::Allow, "runs nothing"),
        (Exec::Project, _) => (ByClass::Ask, "runs code from this project"),
        (Exec::None | Exec::Undeclared, Some(_)) => (ByClass::Ask, "runs a command"),
        (Exec::Undeclared, None) => (ByClass::Unknown, "its effects are not declared"),
        (Exec::Untrusted, _) => (ByClass::Ask, "can run code that is not the project's"),
    }
}
