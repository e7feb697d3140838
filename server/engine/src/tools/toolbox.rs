//! The tools of a turn: those that ship, the user's files and a trusted project's as they stand,
//! built anew only when a file has changed.

use super::files::{Found, ToolFiles};
use super::project::ProjectTools;
use super::registry::Registry;
use crate::commands::SlashCommand;
use crate::event::Level;
use crate::process::Processes;
use crate::trust::Trust;
use assent_base::manifest::Problem;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Where turns get their tools from.
pub struct Toolbox {
    built_in: Arc<Registry>,
    files: ToolFiles,
    project: ProjectTools,
    /// With the tool files that ship, for the folders of the last turn.
    shipped: Mutex<Option<Shipped>>,
    last: Mutex<Option<Built>>,
}

/// The tools that ship for a workspace.
struct Shipped {
    folders: Arc<[PathBuf]>,
    trusted: bool,
    registry: Arc<Registry>,
}

/// What was handed out last.
struct Built {
    /// Of the user, and of the project.
    found: [Found; 2],
    folders: Arc<[PathBuf]>,
    trusted: bool,
    registry: Arc<Registry>,
}

impl Built {
    fn is_of(&self, found: &[Found; 2], folders: &Arc<[PathBuf]>) -> bool {
        self.folders == *folders && self.found.iter().zip(found).all(|(before, now)| before.is_same(now))
    }
}

impl Toolbox {
    /// The tools that ship and the user's tool files in a folder.
    pub fn new(folder: PathBuf) -> Self {
        Self {
            built_in: Arc::new(Registry::built_in()),
            files: ToolFiles::new(folder),
            project: ProjectTools::default(),
            shipped: Mutex::default(),
            last: Mutex::default(),
        }
    }

    /// The tools that ship.
    pub fn built_in(&self) -> &Arc<Registry> {
        &self.built_in
    }

    /// The tools that can be called by a slash command, from the same files as [`Self::now`]. A mistake
    /// in a file is told elsewhere, and once; it is not told here. Blocks.
    pub fn commands(
        &self,
        processes: &Processes,
        folders: &[PathBuf],
        trust: &Trust,
        may_replace: &BTreeSet<String>,
    ) -> Vec<SlashCommand> {
        let folders = folders.iter().map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.clone()));
        let folders: Arc<[PathBuf]> = folders.collect();
        let found = self.look(&folders, trust, may_replace);
        if let Some(built) = self.last.lock().as_ref().filter(|built| built.is_of(&found, &folders)) {
            return built.registry.commands();
        }
        with_files(&self.built_in, &found, processes, &folders).commands()
    }

    /// The tools that ship, for these folders. What a workspace is made with is looked at once.
    fn shipped(&self, processes: &Processes, folders: &Arc<[PathBuf]>, trusted: bool) -> Arc<Registry> {
        let mut shipped = self.shipped.lock();
        if let Some(shipped) = shipped.as_ref().filter(|of| of.folders == *folders && of.trusted == trusted) {
            return Arc::clone(&shipped.registry);
        }
        let registry = Arc::new(self.built_in.with_catalogue(processes, folders, trusted));
        *shipped = Some(Shipped { folders: Arc::clone(folders), trusted, registry: Arc::clone(&registry) });
        registry
    }

    fn look(&self, folders: &[PathBuf], trust: &Trust, may_replace: &BTreeSet<String>) -> [Found; 2] {
        let project = folders.first().map(|folder| self.project.load(folder, trust, may_replace));
        [self.files.load(), project.unwrap_or_default()]
    }

    /// The tools as they stand, and what the user has not been told of the files yet. The project's are
    /// those of the first folder, where it is trusted; they may have the names of built-in tools
    /// only as far as `may_replace` goes. Blocks.
    pub fn now(
        &self,
        processes: &Processes,
        folders: &Arc<[PathBuf]>,
        trust: &Trust,
        may_replace: &BTreeSet<String>,
    ) -> (Arc<Registry>, Vec<(Level, Problem)>) {
        let found = self.look(folders, trust, may_replace);
        let trusted = folders.first().is_some_and(|folder| trust.of(folder).approved().is_some());
        let mut last = self.last.lock();
        let same = |built: &&Built| built.is_of(&found, folders) && built.trusted == trusted;
        if let Some(built) = last.as_ref().filter(same) {
            return (Arc::clone(&built.registry), Vec::new());
        }
        let shipped = self.shipped(processes, folders, trusted);
        let registry = with_files(&shipped, &found, processes, folders);
        // Looks for what each tool needs, here where looking may take a while.
        registry.offered(|_| true);
        let before = last.as_ref().map(|built| news(&built.found)).unwrap_or_default();
        let mut news = news(&found);
        if news == before {
            news.clear();
        }
        let folders = Arc::clone(folders);
        *last = Some(Built { found, folders, trusted, registry: Arc::clone(&registry) });
        (registry, news)
    }
}

fn with_files(
    tools: &Arc<Registry>,
    found: &[Found],
    processes: &Processes,
    folders: &Arc<[PathBuf]>,
) -> Arc<Registry> {
    let mut registry = Arc::clone(tools);
    for found in found.iter().filter(|found| !found.files.is_empty() || found.withheld) {
        registry = Arc::new(registry.with_files(found, processes, folders));
    }
    registry
}

fn news(found: &[Found]) -> Vec<(Level, Problem)> {
    let problems =
        found.iter().flat_map(|found| &found.problems).map(|problem| (Level::Error, problem.clone()));
    let left_out = found.iter().flat_map(|found| &found.left_out);
    problems.chain(left_out.map(|problem| (Level::Warning, problem.clone()))).collect()
}
