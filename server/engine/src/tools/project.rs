//! The tool files of a trusted project: those that are as the user looked at them. Unlike one of the
//! user's own, a file that changed does not go on as it was: what runs is what was looked at.

use super::files::{Found, clash, parse};
use super::registry::is_built_in;
use crate::limits;
use crate::trust::{self, Approved, Kind, Standing, Trust};
use assent_base::manifest::Problem;
use assent_base::tool::ToolFile;
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was found in projects last, so that a file that stays as it is stays the same tool.
#[derive(Default)]
pub struct ProjectTools {
    /// The files with the digests of their texts.
    known: Mutex<BTreeMap<PathBuf, (String, Arc<ToolFile>)>>,
}

impl ProjectTools {
    /// The tool files of a folder, none where it is not trusted. Those in `may_replace` may have the
    /// name of a built-in tool. Blocks.
    pub fn load(&self, folder: &Path, trust: &Trust, may_replace: &BTreeSet<String>) -> Found {
        self.load_by(folder, trust, may_replace, &|path| std::fs::read_to_string(path))
    }

    /// The same where `read` gives the text of a file.
    pub fn load_by(
        &self,
        folder: &Path,
        trust: &Trust,
        may_replace: &BTreeSet<String>,
        read: &dyn Fn(&Path) -> io::Result<String>,
    ) -> Found {
        match trust.of(folder) {
            Standing::Trusted(approved) => self.look(folder, &approved, may_replace, read),
            Standing::Untrusted(_) => Found::default(),
        }
    }

    fn look(
        &self,
        folder: &Path,
        approved: &Approved,
        may_replace: &BTreeSet<String>,
        read: &dyn Fn(&Path) -> io::Result<String>,
    ) -> Found {
        let mut found = Found::default();
        let files = match trust::tool_files(folder) {
            Ok(files) => files,
            Err(problem) => {
                found.files = vec![trust::tools_folder(folder)];
                found.problems.push(problem);
                found.withheld = true;
                return found;
            }
        };
        let mut known = self.known.lock();
        let mut now = BTreeMap::new();
        for path in files {
            let before = known.remove(&path);
            match one(&path, before, read) {
                Err(problems) => {
                    found.problems.extend(problems);
                    found.withheld = true;
                }
                Ok((digest, tool)) => {
                    let name = trust::tool_name(folder, &path);
                    let approved = approved.has(Kind::Tool, &name, &digest);
                    let problem = left_out(&path, approved, &tool, may_replace);
                    match problem.or_else(|| clash(&path, &tool, &found.tools)) {
                        Some(problem) => found.left_out.push(problem),
                        None => found.tools.push((path.clone(), Arc::clone(&tool))),
                    }
                    now.insert(path.clone(), (digest, tool));
                }
            }
            found.files.push(path);
        }
        *known = now;
        found
    }
}

fn one(
    path: &Path,
    before: Option<(String, Arc<ToolFile>)>,
    read: &dyn Fn(&Path) -> io::Result<String>,
) -> Result<(String, Arc<ToolFile>), Vec<Problem>> {
    trust::may_be_read(path, limits::TOOL_FILE).map_err(|problem| vec![problem])?;
    let text = read(path);
    let digest = text.as_ref().map(|text| trust::digest(text.as_bytes())).unwrap_or_default();
    match before.filter(|(known, _)| *known == digest) {
        Some(known) => Ok(known),
        None => Ok((digest, Arc::new(parse(path, text)?))),
    }
}

/// Why a tool without a mistake does not count.
fn left_out(path: &Path, approved: bool, tool: &ToolFile, may_replace: &BTreeSet<String>) -> Option<Problem> {
    let name = &tool.definition.name;
    let message = if !approved {
        "is new, or not as it was when you trusted this workspace; it is offered once you have looked at it with \
         `assent trust`"
            .to_owned()
    } else if let Some(built_in) = is_built_in(name).filter(|built_in| !may_replace.contains(*built_in)) {
        format!(
            "would take the place of the built-in tool {built_in}, which only you can allow: write \
             `projectMayReplace: [{built_in}]` into your own assent.yaml"
        )
    } else {
        return None;
    };
    let file = path.display().to_string();
    Some(Problem { file, line: 1, column: 1, key: String::new(), message })
}
