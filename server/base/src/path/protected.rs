//! Names that a write must ask about every time: files that configure us, run by themselves, or
//! steer other agents. Matched folded, at any depth, so that a case-insensitive disk, a trailing
//! dot or an invisible character is no way around.

use std::path::{Component, Path, PathBuf};

/// Folders: everything in them, and the name itself (`.git` may be a file).
const FOLDERS: [&str; 18] = [
    ".git",
    ".hg",
    ".svn",
    ".vscode",
    ".vs",
    ".idea",
    ".zed",
    ".helix",
    ".fleet",
    ".assent",
    ".devcontainer",
    ".husky",
    ".cursor",
    ".claude",
    ".gemini",
    ".codex",
    ".ssh",
    ".gnupg",
];

/// Folders out of which an editor may take what it runs as soon as they are there. Where a sandbox
/// can, it keeps these from being made at the top of a workspace.
pub const MASKED: [&str; 3] = [".vscode", ".idea", ".assent"];

/// Folders named by two components.
const NESTED: [(&str, &str); 6] = [
    (".github", "workflows"),
    (".github", "actions"),
    (".github", "copilot-instructions.md"),
    (".config", "git"),
    (".cargo", "config"),
    (".cargo", "config.toml"),
];

/// Files.
const FILES: [&str; 38] = [
    "assent.yaml",
    "assent.yml",
    "beeuni.yaml",
    "beeuni.yml",
    ".envrc",
    ".env",
    ".gitconfig",
    ".gitmodules",
    ".gitattributes",
    ".gitignore",
    ".ignore",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".inputrc",
    ".exrc",
    ".vimrc",
    ".nvimrc",
    ".nvim.lua",
    ".lazy.lua",
    ".mcp.json",
    "agents.md",
    "claude.md",
    "gemini.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
];

/// The protected name that `path` falls under, for display; `None` for an ordinary path.
///
/// Give the path relative to its workspace folder where it lies in one: a workspace that itself
/// lies under, say, `~/.config/git` is not protected as a whole. `own` are absolute folders of
/// ours (config, state).
pub fn protected(path: &Path, own: &[PathBuf]) -> Option<String> {
    if let Some(name) = owned(path, own) {
        return Some(name);
    }
    let names: Vec<String> = path
        .components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(fold(&name.to_string_lossy())),
            _ => None,
        })
        .collect();
    for (at, name) in names.iter().enumerate() {
        if FOLDERS.contains(&name.as_str()) {
            return Some(format!("{name}/"));
        }
        // The short name that Windows gives to `.git`.
        if name == "git~1" {
            return Some(".git/".to_owned());
        }
        let next = names.get(at + 1).map(String::as_str);
        if let Some((outer, inner)) =
            NESTED.iter().find(|(outer, inner)| outer == name && Some(*inner) == next)
        {
            return Some(format!("{outer}/{inner}"));
        }
    }
    let file = names.last()?;
    if FILES.contains(&file.as_str()) {
        return Some(file.clone());
    }
    if file.ends_with(".code-workspace") {
        return Some("*.code-workspace".to_owned());
    }
    is_env_with_values(file).then(|| ".env.*".to_owned())
}

/// The name for what lies in one of our own folders.
pub(super) fn owned(path: &Path, own: &[PathBuf]) -> Option<String> {
    let inside = own.iter().any(|folder| path.starts_with(folder));
    inside.then(|| "Assent's own settings and state".to_owned())
}

/// `.env.local` and its kin, but not the examples that are meant to be edited and committed.
pub fn is_env_with_values(file: &str) -> bool {
    let examples = ["example", "sample", "template"];
    file.strip_prefix(".env.").is_some_and(|rest| !examples.contains(&rest))
}

/// The form in which file systems that ignore case, trailing dots and blanks, or invisible
/// characters would take a name.
fn fold(name: &str) -> String {
    let visible: String = name.chars().filter(|c| !is_ignorable(*c)).collect();
    visible.trim_end_matches(['.', ' ']).to_lowercase()
}

/// Characters that some file systems drop from names.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{00AD}')
}
