//! The system prompt, from parts kept as text files in `prompts/`.
//!
//! The system prompt is made once a session and stays the same from request to request, so that
//! the provider's cache holds.

mod attachment;
pub use attachment::{Sources, expand, origin};

use assent_base::policy::Mode;
use std::path::PathBuf;
use std::sync::Arc;

/// What the system prompt says of the surroundings.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The workspace folders.
    pub folders: Arc<[PathBuf]>,
    /// Whether the first is a git repository.
    pub git: bool,
    /// `linux`, `macos`, `windows`.
    pub platform: &'static str,
    /// Today, as `2026-11-30`.
    pub date: String,
    /// An agent's own prompt, after ours.
    pub agent: Option<String>,
}

impl Surroundings {
    /// As they are, for an agent with a prompt of its own.
    pub async fn of(folders: &Arc<[PathBuf]>, agent: Option<String>) -> Self {
        let git = match folders.first() {
            Some(folder) => tokio::fs::symlink_metadata(folder.join(".git")).await.is_ok(),
            None => false,
        };
        Self {
            folders: Arc::clone(folders),
            git,
            platform: std::env::consts::OS,
            date: jiff::ZonedDateTime::now().date().to_string(),
            agent,
        }
    }
}

/// The system prompt of an agent that works for another.
pub fn system_of_sub_agent(surroundings: &Surroundings) -> String {
    let mut text = system(surroundings);
    text.push('\n');
    text.push_str(include_str!("prompts/sub_agent.md"));
    text
}

/// The system prompt.
pub fn system(surroundings: &Surroundings) -> String {
    let mut text = include_str!("prompts/role.md").to_owned();
    text.push_str("\nSurroundings:\n");
    match &surroundings.folders[..] {
        [] => text
            .push_str("- no workspace folder is open: only absolute paths and open documents can be used\n"),
        [folder] => text.push_str(&format!("- workspace folder: {}\n", folder.display())),
        folders => {
            text.push_str("- workspace folders (relative paths resolve in the first):\n");
            folders.iter().for_each(|folder| text.push_str(&format!("  - {}\n", folder.display())));
        }
    }
    text.push_str(&format!(
        "- git repository: {}\n- platform: {}\n- date: {}\n",
        if surroundings.git { "yes" } else { "no" },
        surroundings.platform,
        surroundings.date
    ));
    if let Some(agent) = &surroundings.agent {
        text.push('\n');
        text.push_str(agent.trim_end());
        text.push('\n');
    }
    text
}

/// What a mode adds to the user's message; the system prompt stays as it is.
pub fn mode_note(mode: Mode) -> Option<&'static str> {
    match mode {
        Mode::Ask | Mode::AcceptEdits => None,
        Mode::Plan => Some(include_str!("prompts/plan.md")),
    }
}

#[cfg(test)]
mod tests;
