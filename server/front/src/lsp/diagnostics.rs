//! What is wrong in the files that settings and tools come from, told where the user wrote it: diagnostics
//! for each file, open or not, and one message at the start.
//!
//! One task looks, whenever it is asked to, so that nothing waits for the disk and an older look
//! never overwrites a newer one.

use super::capabilities::Capabilities;
use super::connection::Connection;
use super::trust;
use crate::conversation::review;
use assent_base::manifest::{FILE_NAMES, Problem};
use assent_base::path::DocumentUri;
use assent_base::text::PositionEncoding;
use assent_engine::settings::{self, Loaded};
use assent_engine::tools::{ProjectTools, check_tool_files};
use ropey::Rope;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// LSP's `DiagnosticSeverity` and `MessageType`, which agree on these.
const ERROR: u32 = 1;
const WARNING: u32 = 2;

/// Diagnostics by the URI of their file.
type Diagnostics = BTreeMap<String, Vec<Value>>;

/// Look at once, and again each time the connection says so, for ever.
pub async fn keep(connection: Arc<Connection>) {
    connection.settle().await;
    let mut told = Diagnostics::new();
    let mut trusted = trust::Told::new();
    let mut started = false;
    loop {
        if let Some(found) = look(&connection).await {
            if let Some(words) = found.words.filter(|_| !started) {
                let message = json!({ "type": ERROR, "message": words });
                connection.peer.notify("window/showMessage", message).await;
            }
            started = true;
            if connection.capabilities.diagnostics {
                tell(&connection, &mut told, found.diagnostics).await;
            }
        }
        trust::tell(&connection, &mut trusted).await;
        connection.settings_touched.notified().await;
    }
}

/// Whether a document may be one that settings come from, or tools: the user's in this folder, or a
/// project's.
pub fn concerns(tools: &Path, uri: &str) -> bool {
    let name = uri.rsplit('/').next().unwrap_or_default();
    FILE_NAMES.contains(&name) || is_tool_file(tools, uri)
}

/// Whether a document is a tool file: one of the user's, in this folder, or a project's.
pub fn is_tool_file(tools: &Path, uri: &str) -> bool {
    let holds_tools = |folder: &Path| folder == tools || folder.ends_with(".assent/tools");
    let is_tool =
        || DocumentUri::new(uri).to_path().is_some_and(|path| path.parent().is_some_and(holds_tools));
    uri.ends_with(".json") && is_tool()
}

/// What a client is to watch for us, where it can: the tool files.
pub fn watchers(tools: &Path, client: &Capabilities) -> Option<Value> {
    let pattern = match (client.watches_files, client.relative_patterns) {
        (false, _) => return None,
        (true, true) => {
            json!({ "baseUri": DocumentUri::from_path(tools).as_str(), "pattern": "*.json" })
        }
        (true, false) => json!(format!("{}/*.json", tools.display())),
    };
    // A project's lie in its folder, which is the client's to name.
    Some(json!([{ "globPattern": pattern }, { "globPattern": "**/.assent/tools/*.json" }]))
}

async fn tell(connection: &Connection, told: &mut Diagnostics, found: Diagnostics) {
    let mended: Vec<String> = told.keys().filter(|uri| !found.contains_key(*uri)).cloned().collect();
    for uri in mended {
        told.remove(&uri);
        publish(connection, &uri, &[]).await;
    }
    for (uri, diagnostics) in found {
        if told.get(&uri) != Some(&diagnostics) {
            publish(connection, &uri, &diagnostics).await;
            told.insert(uri, diagnostics);
        }
    }
}

async fn publish(connection: &Connection, uri: &str, diagnostics: &[Value]) {
    let params = json!({ "uri": uri, "diagnostics": diagnostics });
    connection.peer.notify("textDocument/publishDiagnostics", params).await;
}

/// What one look found.
struct Found {
    diagnostics: Diagnostics,
    /// For a message, where no turn would start.
    words: Option<String>,
}

/// `None` while the process ends.
async fn look(connection: &Connection) -> Option<Found> {
    // The change that led here has to be in the documents first.
    connection.handle.caught_up().await.ok()?;
    let (config, tools) = (connection.environment.config.clone(), connection.environment.tools.clone());
    let open: BTreeMap<PathBuf, Rope> = connection
        .handle
        .documents()
        .all()
        .iter()
        .filter(|document| concerns(&tools, document.uri.as_str()))
        .filter_map(|document| Some((document.uri.to_path()?, document.text.clone())))
        .collect();
    let folders = connection.folders.lock().clone();
    let (editor, encoding) = (connection.settings.lock().clone(), connection.capabilities.encoding);
    let trust = connection.trust();
    let work = move || {
        let read = |path: &Path| match open.get(path) {
            Some(text) => Ok(text.to_string()),
            None => std::fs::read_to_string(path),
        };
        let folders: Vec<Option<&Path>> = match &folders[..] {
            [] => vec![None],
            folders => folders.iter().map(|folder| Some(folder.as_path())).collect(),
        };
        let load = |folder: &Option<&Path>| settings::load_by(&config, *folder, &editor, &trust, &read);
        let mut looks: Vec<Loaded> = folders.iter().map(load).collect();
        let (files, problems) = check_tool_files(&tools, &read);
        let mut of_tools = vec![Loaded { files, problems, ..Loaded::default() }];
        for (folder, loaded) in folders.iter().zip(&looks) {
            let Some(folder) = folder else { continue };
            let may_replace = &loaded.settings.project_may_replace;
            let found = ProjectTools::default().load_by(folder, &trust, may_replace, &read);
            let (files, problems, ignored) = (found.files, found.problems, found.left_out);
            of_tools.push(Loaded { files, problems, ignored, ..Loaded::default() });
        }
        let words = words(&looks, SETTINGS).or_else(|| words(&of_tools, TOOLS));
        looks.extend(of_tools);
        Found { diagnostics: diagnostics(&looks, &read, encoding), words }
    };
    tokio::task::spawn_blocking(work).await.ok()
}

fn diagnostics(
    looks: &[Loaded],
    read: &impl Fn(&Path) -> std::io::Result<String>,
    encoding: PositionEncoding,
) -> Diagnostics {
    let mut found = Diagnostics::new();
    for look in looks {
        for file in &look.files {
            let uri = DocumentUri::from_path(file).as_str().to_owned();
            // The user's file is in every look.
            if found.contains_key(&uri) {
                continue;
            }
            let name = file.display().to_string();
            let text = Rope::from_str(&read(file).unwrap_or_default());
            let of = |problems: &[Problem], severity| -> Vec<Value> {
                let ours = problems.iter().filter(|problem| problem.file == name);
                ours.map(|problem| diagnostic(problem, severity, &text, encoding)).collect()
            };
            let mut all = of(&look.problems, ERROR);
            all.extend(of(&look.ignored, WARNING));
            all.extend(of(&look.warnings, WARNING));
            if !all.is_empty() {
                found.insert(uri, all);
            }
        }
    }
    found
}

/// From the place of a problem to the end of its line.
fn diagnostic(problem: &Problem, severity: u32, text: &Rope, encoding: PositionEncoding) -> Value {
    let line = (problem.line.saturating_sub(1) as usize).min(text.len_lines().saturating_sub(1));
    let start = text.line_to_char(line);
    let end = start + text.line(line).to_string().trim_end().chars().count();
    let from = (start + problem.column.saturating_sub(1) as usize).min(end);
    let bytes = text.char_to_byte(from)..text.char_to_byte(end);
    let message = match problem.key.is_empty() {
        true => problem.message.clone(),
        false => format!("`{}`: {}", problem.key, problem.message),
    };
    json!({
        "range": review::range(text, &bytes, encoding),
        "severity": severity,
        "source": "assent",
        "message": message,
    })
}

/// What mistakes mean, in words.
const SETTINGS: &str = "Assent's settings have mistakes; nothing is run until they are mended";
const TOOLS: &str = "Assent's tool files have mistakes; no tool is offered until they are mended";

fn words(looks: &[Loaded], meaning: &str) -> Option<String> {
    let mut problems: Vec<String> =
        looks.iter().flat_map(|look| &look.problems).map(ToString::to_string).collect();
    problems.sort();
    problems.dedup();
    let first = problems.first()?;
    let more = match problems.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more: `assent validate` lists them)"),
    };
    Some(format!("{meaning}: {first}{more}"))
}

#[cfg(test)]
mod tests;
