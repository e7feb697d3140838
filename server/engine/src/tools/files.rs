//! The user's own tool files: every `.json` of one folder. Read when a turn begins, each again only
//! when it has changed.

use super::registry::shipped_commands;
use crate::commands;
use crate::limits;
use crate::trust;
use assent_base::manifest::Problem;
use assent_base::tool::{ToolFile, parse_tool_file};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The folder, and what was found in it last.
pub struct ToolFiles {
    folder: PathBuf,
    known: Mutex<BTreeMap<PathBuf, Known>>,
}

/// One file as it was read.
struct Known {
    /// When it was written, and how long it was.
    stamp: (Option<SystemTime>, u64),
    /// What it said when it was last without a mistake.
    good: Option<Arc<ToolFile>>,
    /// The mistakes it has now.
    problems: Vec<Problem>,
}

/// What the folder holds.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The tools, by the names of their files.
    pub tools: Vec<(PathBuf, Arc<ToolFile>)>,
    /// Mistakes.
    pub problems: Vec<Problem>,
    /// One of the files with mistakes has never been without. Then no tool is offered: the missing one
    /// might be safer than what the model takes instead. A file that was good goes on as it was.
    pub withheld: bool,
    /// What does not count although it has no mistake, and why.
    pub left_out: Vec<Problem>,
    /// The files that were looked at.
    pub files: Vec<PathBuf>,
}

impl Found {
    /// Whether this is the same as another, without looking into the files.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let same = |(a, b): (&(PathBuf, Arc<ToolFile>), &(PathBuf, Arc<ToolFile>))| {
            a.0 == b.0 && Arc::ptr_eq(&a.1, &b.1)
        };
        self.problems == other.problems
            && self.left_out == other.left_out
            && self.withheld == other.withheld
            && self.tools.len() == other.tools.len()
            && self.tools.iter().zip(&other.tools).all(same)
    }
}

impl ToolFiles {
    /// The tool files of a folder, which need not be there.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, known: Mutex::default() }
    }

    /// The folder as it stands. Blocks.
    pub fn load(&self) -> Found {
        let mut found = Found::default();
        found.files = match listed(&self.folder) {
            Ok(files) => files,
            Err(problem) => {
                found.problems.push(problem);
                found.withheld = true;
                return found;
            }
        };
        let mut known = self.known.lock();
        let mut now = BTreeMap::new();
        for path in &found.files {
            let kept = known.remove(path);
            let file = look_at(path, kept);
            found.problems.extend(file.problems.iter().cloned());
            match &file.good {
                Some(tool) if let Some(problem) = clash(path, tool, &found.tools) => {
                    found.problems.push(problem);
                    found.withheld = true;
                }
                Some(tool) => found.tools.push((path.clone(), Arc::clone(tool))),
                None => found.withheld = true,
            }
            now.insert(path.clone(), file);
        }
        *known = now;
        found
    }
}

/// What is wrong in the tool files of a folder, with their texts as `read` has them: the files, and
/// the mistakes. Blocks.
pub fn check_tool_files(
    folder: &Path,
    read: &dyn Fn(&Path) -> io::Result<String>,
) -> (Vec<PathBuf>, Vec<Problem>) {
    let files = match listed(folder) {
        Ok(files) => files,
        Err(problem) => return (vec![folder.to_owned()], vec![problem]),
    };
    let mut mistakes = Vec::new();
    let mut good: Vec<(PathBuf, Arc<ToolFile>)> = Vec::new();
    for path in &files {
        let text = std::fs::metadata(path).and_then(|data| fit(&data)).and_then(|()| read(path));
        match parse(path, text) {
            Ok(tool) => {
                mistakes.extend(clash(path, &tool, &good));
                good.push((path.clone(), Arc::new(tool)));
            }
            Err(problems) => mistakes.extend(problems),
        }
    }
    (files, mistakes)
}

/// The files of a folder that are tools, in a fixed order. A folder that is not there has none.
fn listed(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(whole(folder, format!("the folder can't be read: {error}"))),
    };
    if let Ok(data) = std::fs::metadata(folder) {
        trust::nobody_else_can_write(&data).map_err(|why| whole(folder, why))?;
    }
    let is_tool = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "json");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_tool).collect();
    files.sort();
    Ok(files)
}

/// The file, read anew only if it is another one than before.
fn look_at(path: &Path, kept: Option<Known>) -> Known {
    let data = std::fs::metadata(path);
    let stamp = data.as_ref().map_or((None, 0), |data| (data.modified().ok(), data.len()));
    let before = match kept {
        Some(kept) if kept.stamp == stamp && stamp.0.is_some() => return kept,
        kept => kept.and_then(|kept| kept.good),
    };
    let text = data.and_then(|data| fit(&data)).and_then(|()| std::fs::read_to_string(path));
    match parse(path, text).map(Arc::new) {
        Ok(tool) => Known { stamp, good: Some(tool), problems: Vec::new() },
        Err(problems) => Known { stamp, good: before, problems },
    }
}

pub(super) fn parse(path: &Path, text: io::Result<String>) -> Result<ToolFile, Vec<Problem>> {
    let text = text.map_err(|error| vec![whole(path, error.to_string())])?;
    parse_tool_file(&path.display().to_string(), &text)
}

/// A slash command that means something else already.
pub(super) fn clash(path: &Path, tool: &ToolFile, others: &[(PathBuf, Arc<ToolFile>)]) -> Option<Problem> {
    let name = tool.definition.slash_command.as_deref()?;
    let shipped = || {
        let mut tools = shipped_commands().iter();
        tools.any(|(command, owner)| command == name && *owner != tool.definition.name)
    };
    let other = others.iter().find(|(_, other)| other.definition.slash_command.as_deref() == Some(name));
    let message = match other {
        Some((other, _)) => format!("/{name} is the command of {}; choose another", other.display()),
        None if commands::is_shipped(name) || shipped() => {
            format!("/{name} is a command of Assent's own; choose another")
        }
        None => return None,
    };
    let mut problem = whole(path, message);
    problem.key = "slashCommand".to_owned();
    if let Some(place) = tool.slash_place {
        (problem.line, problem.column) = (place.line, place.column);
    }
    Some(problem)
}

/// Whether a file is one to be read.
fn fit(data: &std::fs::Metadata) -> io::Result<()> {
    if !data.is_file() {
        return Err(io::Error::other("is no file"));
    }
    if data.len() > limits::TOOL_FILE {
        return Err(io::Error::other(format!("is longer than {} bytes", limits::TOOL_FILE)));
    }
    trust::nobody_else_can_write(data).map_err(io::Error::other)
}

/// A problem of a file as a whole.
fn whole(path: &Path, message: String) -> Problem {
    let file = path.display().to_string();
    Problem { file, line: 1, column: 1, key: String::new(), message }
}

#[cfg(test)]
mod tests;
