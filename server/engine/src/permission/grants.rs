//! What the user chose to remember: for a session in memory, for a workspace on disk.

use crate::private;
use assent_base::policy::{Memory, Remembered, Span};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use tokio::sync::OnceCell;

/// Remembered for one session.
#[derive(Default)]
pub struct SessionGrants {
    inner: Mutex<(Memory, BTreeSet<String>)>,
}

impl SessionGrants {
    pub(super) fn remember(&self, remember: Option<Remembered>) {
        if let Some(remember) = remember {
            self.inner.lock().0.remember(remember, Span::Session);
        }
    }

    pub(super) fn remember_artifacts(&self, tool: &str) {
        self.inner.lock().1.insert(tool.to_owned());
    }

    pub(super) fn memory(&self) -> Memory {
        self.inner.lock().0.clone()
    }

    pub(super) fn artifacts(&self) -> BTreeSet<String> {
        self.inner.lock().1.clone()
    }
}

/// Remembered for one workspace: a file in the state folder, named after the folder's digest. Read
/// once a turn, like the settings; what the user adds meanwhile is remembered for the session too.
pub struct Saved {
    file: Option<PathBuf>,
    rules: OnceCell<Vec<Remembered>>,
}

impl Saved {
    pub(super) fn new(state: &Path, workspace: Option<&PathBuf>) -> Self {
        let file = workspace.map(|folder| {
            let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
            let name: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
            state.join("rules").join(format!("{name}.json"))
        });
        Self { file, rules: OnceCell::new() }
    }

    /// The rules of this turn.
    pub(super) async fn rules(&self) -> &[Remembered] {
        self.rules.get_or_init(|| self.load()).await
    }

    /// The rules as they stand. A file that can't be read gives none: the user is asked again.
    async fn load(&self) -> Vec<Remembered> {
        let Some(file) = self.file.clone() else { return Vec::new() };
        match tokio::fs::read(&file).await {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|problem| {
                tracing::warn!(%problem, file = %file.display(), "remembered rules can't be read and do not count");
                Vec::new()
            }),
            Err(_) => Vec::new(),
        }
    }

    pub(super) async fn add(&self, remember: Remembered) -> io::Result<()> {
        let Some(file) = self.file.clone() else { return Ok(()) };
        let mut rules = self.load().await;
        if rules.contains(&remember) {
            return Ok(());
        }
        rules.push(remember);
        let written = tokio::task::spawn_blocking(move || write(&file, &rules)).await;
        written.unwrap_or_else(|_| Err(io::Error::other("the writer failed")))
    }
}

fn write(file: &Path, rules: &[Remembered]) -> io::Result<()> {
    private::replace(file, &serde_json::to_vec_pretty(rules)?)
}
