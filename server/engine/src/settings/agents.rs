//! Agents as files: those that ship, and the Markdown files of a folder.

use crate::limits;
use assent_base::manifest::{Problem, Written, WrittenAgent, agent_from_file};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The agents that ship, beside `assent` itself, which has every tool and no prompt of its own.
const SHIPPED: [(&str, &str); 3] = [
    ("plan", include_str!("../agents/plan.md")),
    ("review", include_str!("../agents/review.md")),
    ("explore", include_str!("../agents/explore.md")),
];

/// The agents that ship.
pub(super) fn shipped() -> Written {
    static AGENTS: LazyLock<Written> = LazyLock::new(|| {
        let parsed = SHIPPED.iter().map(|(name, text)| {
            let agent =
                agent_from_file(&format!("{name}.md"), text).expect("a test parses the shipped agents");
            ((*name).to_owned(), agent)
        });
        Written::of_agents(parsed.chain([(super::DEFAULT_AGENT.to_owned(), WrittenAgent::default())]))
    });
    AGENTS.clone()
}

/// The agents of a folder, one a `.md` file, with the files that were looked at and their mistakes.
/// A folder that is not there has none. Blocks.
pub(super) fn of_folder(
    folder: &Path,
    read: &dyn Fn(&Path) -> io::Result<String>,
) -> (Written, Vec<PathBuf>, Vec<Problem>) {
    let mut problems = Vec::new();
    let files = match listed(folder) {
        Ok(files) => files,
        Err(error) => {
            problems.push(whole(folder, format!("the folder can't be read: {error}")));
            Vec::new()
        }
    };
    let mut agents = Vec::new();
    for path in &files {
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else {
            problems.push(whole(path, "the name of the file is not UTF-8".to_owned()));
            continue;
        };
        let text = std::fs::metadata(path).and_then(|data| match data.len() {
            0..=limits::AGENT_FILE => read(path),
            _ => Err(io::Error::other(format!("is longer than {} bytes", limits::AGENT_FILE))),
        });
        match text {
            Ok(text) => match agent_from_file(&path.display().to_string(), &text) {
                Ok(agent) => agents.push((name.to_owned(), agent)),
                Err(mistakes) => problems.extend(mistakes),
            },
            Err(error) => problems.push(whole(path, format!("can't be read: {error}"))),
        }
    }
    (Written::of_agents(agents), files, problems)
}

/// The files of a folder that are agents, in a fixed order.
fn listed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let is_agent = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_agent).collect();
    files.sort();
    files.truncate(limits::AGENT_FILES);
    Ok(files)
}

/// A problem of a file as a whole.
fn whole(path: &Path, message: String) -> Problem {
    Problem { file: path.display().to_string(), line: 1, column: 1, key: String::new(), message }
}
