//! The files of a project that count once it is trusted, by name: nothing here reads one.
//!
//! They lie in the workspace folder itself. What lies deeper, in vendored packages for instance,
//! is nobody's, and a link out of the place is refused, since it names what may change without the
//! project.

use crate::limits;
use assent_base::manifest::{FILE_NAMES, Problem};
use std::io;
use std::path::{Path, PathBuf};

/// Where a project's tool files lie.
const TOOLS: [&str; 2] = [".assent", "tools"];
/// Where the Markdown files of a project's agents lie.
const AGENTS: [&str; 2] = [".assent", "agents"];

/// The settings file of a project: the first name that is there, whatever is behind it.
pub fn settings_file(folder: &Path) -> Option<PathBuf> {
    FILE_NAMES.iter().map(|name| folder.join(name)).find(|path| path.symlink_metadata().is_ok())
}

/// The folder of a project's tool files.
pub fn tools_folder(folder: &Path) -> PathBuf {
    TOOLS.iter().fold(folder.to_owned(), |path, name| path.join(name))
}

/// The tool files of a project, in a fixed order. A folder that is not there has none.
pub fn tool_files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    listed(folder, TOOLS, "json")
}

/// The Markdown files of a project's agents, in a fixed order. A folder that is not there has none.
pub fn agent_files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    listed(folder, AGENTS, "md")
}

fn listed(folder: &Path, names: [&str; 2], ending: &str) -> Result<Vec<PathBuf>, Problem> {
    let mut place = folder.to_owned();
    for name in names {
        place.push(name);
        match place.symlink_metadata() {
            Ok(data) if data.is_symlink() => {
                let words = "is a link, so what is behind it can change without the project; put the folder itself here";
                return Err(whole(&place, words.into()));
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(whole(&place, format!("can't be looked at: {error}"))),
        }
    }
    let entries = match std::fs::read_dir(&place) {
        Ok(entries) => entries,
        Err(error) => return Err(whole(&place, format!("the folder can't be read: {error}"))),
    };
    let wanted = |path: &PathBuf| path.extension().is_some_and(|extension| extension == ending);
    let found = entries.flatten().map(|entry| entry.path()).filter(wanted);
    let mut files: Vec<PathBuf> = found.take(limits::PROJECT_FILES + 1).collect();
    if files.len() > limits::PROJECT_FILES {
        return Err(whole(&place, format!("holds more than {} `.{ending}` files", limits::PROJECT_FILES)));
    }
    files.sort();
    Ok(files)
}

/// Every file of a project that trust would make count, by its path.
pub fn project_files(folder: &Path) -> Vec<PathBuf> {
    let tools = tool_files(folder).unwrap_or_else(|_| vec![tools_folder(folder)]);
    let place = || AGENTS.iter().fold(folder.to_owned(), |path, name| path.join(name));
    let agents = agent_files(folder).unwrap_or_else(|_| vec![place()]);
    settings_file(folder).into_iter().chain(agents).chain(tools).collect()
}

/// Whether a path of a project is a file to be read. A link is none: what is behind it can change
/// without the project.
pub fn may_be_read(path: &Path, most: u64) -> Result<(), Problem> {
    let data = path.symlink_metadata().map_err(|error| whole(path, error.to_string()))?;
    if data.is_symlink() {
        return Err(whole(
            path,
            "is a link, which a project's file can't be; put the file itself here".into(),
        ));
    }
    if !data.is_file() {
        return Err(whole(path, "is no file".into()));
    }
    if data.len() > most {
        return Err(whole(path, format!("is longer than {most} bytes")));
    }
    Ok(())
}

/// A problem of a file as a whole.
pub(super) fn whole(path: &Path, message: String) -> Problem {
    Problem { file: path.display().to_string(), line: 1, column: 1, key: String::new(), message }
}
