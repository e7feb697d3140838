//! What a tool file depends on: programs, and files that say what a workspace is made with. Looked
//! for when somebody first asks, and not again.

use crate::process::Processes;
use assent_base::tool::{Handler, ToolFile};
use globset::Glob;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The needs of one tool.
pub(super) struct Needs {
    program: Option<String>,
    beside: Option<String>,
    files: Vec<String>,
    processes: Processes,
    folders: Arc<[PathBuf]>,
    found: OnceLock<Result<Option<PathBuf>, String>>,
}

impl Needs {
    pub(super) fn of(file: &ToolFile, processes: &Processes, folders: &Arc<[PathBuf]>) -> Self {
        let program = match &file.handler {
            Some(Handler::Exec(handler)) => Some(handler.bin.clone()),
            Some(Handler::BuiltIn(_)) | None => None,
        };
        Self {
            program,
            beside: file.requires_bin.clone(),
            files: file.requires_file.clone(),
            processes: processes.clone(),
            folders: Arc::clone(folders),
            found: OnceLock::new(),
        }
    }

    /// The tool's program, where it runs one, once all it needs is there; else what is missing. May
    /// look at the disk.
    pub(super) fn program(&self) -> Result<Option<&Path>, &str> {
        match self.found.get_or_init(|| self.look()) {
            Ok(program) => Ok(program.as_deref()),
            Err(missing) => Err(missing),
        }
    }

    fn look(&self) -> Result<Option<PathBuf>, String> {
        let is_there = |name: &String| self.folders.iter().any(|folder| has(folder, name));
        if !self.files.is_empty() && !self.files.iter().any(is_there) {
            let names = match self.files.as_slice() {
                [only] => format!("no {only}"),
                names => format!("none of {}", names.join(", ")),
            };
            return Err(format!("{names} is in the workspace folder"));
        }
        let find = |bin: &String| self.processes.find_bin(bin, &self.folders);
        self.beside.as_ref().map(find).transpose()?;
        self.program.as_ref().map(find).transpose()
    }
}

/// Whether a folder has an entry of that name.
fn has(folder: &Path, name: &str) -> bool {
    if !name.contains('*') {
        return folder.join(name).symlink_metadata().is_ok();
    }
    let (Ok(pattern), Ok(entries)) = (Glob::new(name), std::fs::read_dir(folder)) else { return false };
    let pattern = pattern.compile_matcher();
    entries.flatten().any(|entry| pattern.is_match(entry.file_name()))
}
