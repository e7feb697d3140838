//! The tools of a turn: those that ship and the user's files as they stand, built anew only when a
//! file has changed.

use super::files::{Found, ToolFiles};
use super::registry::Registry;
use crate::commands::SlashCommand;
use crate::process::Processes;
use assent_base::manifest::Problem;
use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::Arc;

/// Where turns get their tools from.
pub struct Toolbox {
    built_in: Arc<Registry>,
    files: ToolFiles,
    last: Mutex<Option<Built>>,
}

/// What was handed out last.
struct Built {
    found: Found,
    folders: Arc<[PathBuf]>,
    registry: Arc<Registry>,
}

impl Toolbox {
    /// The tools that ship and the tool files of a folder.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            built_in: Arc::new(Registry::built_in()),
            files: ToolFiles::new(folder),
            last: Mutex::default(),
        }
    }

    /// The tools that ship.
    pub fn built_in(&self) -> &Arc<Registry> {
        &self.built_in
    }

    /// The tools that can be called by a slash command. A mistake in a file is told elsewhere, and
    /// once; it is not told here. Blocks.
    pub fn commands(&self, processes: &Processes, folders: &[PathBuf]) -> Vec<SlashCommand> {
        let found = self.files.load();
        let folders = folders.iter().map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.clone()));
        let folders: Vec<PathBuf> = folders.collect();
        if let Some(built) = self.last.lock().as_ref()
            && built.found.is_same(&found)
            && *built.folders == *folders
        {
            return built.registry.commands();
        }
        self.built_in.with_files(&found, processes, &folders).commands()
    }

    /// The tools as they stand, and the mistakes in files that nobody has been told of yet. Blocks.
    pub fn now(&self, processes: &Processes, folders: &Arc<[PathBuf]>) -> (Arc<Registry>, Vec<Problem>) {
        let found = self.files.load();
        let mut last = self.last.lock();
        let before = last.as_ref().map(|built| built.found.problems.clone()).unwrap_or_default();
        if let Some(built) =
            last.as_ref().filter(|built| built.found.is_same(&found) && built.folders == *folders)
        {
            return (Arc::clone(&built.registry), Vec::new());
        }
        let registry = match found.files.is_empty() && !found.withheld {
            true => Arc::clone(&self.built_in),
            false => Arc::new(self.built_in.with_files(&found, processes, folders)),
        };
        let news = if found.problems == before { Vec::new() } else { found.problems.clone() };
        let built = Built { found, folders: Arc::clone(folders), registry: Arc::clone(&registry) };
        *last = Some(built);
        (registry, news)
    }
}
