//! `assent tools`: which tools there are, and calling one by hand.

use super::headless::Headless;
use super::{Exit, environment, print, trust};
use crate::terminal::{Form, Terminal};
use anyhow::Context;
use assent_base::manifest::FILE_NAMES;
use assent_base::policy::Mode;
use assent_engine::main_loop::Environment;
use assent_engine::permission::Explain;
use assent_engine::process::Processes;
use assent_engine::settings;
use assent_engine::tools::{Found, Listed, ProjectTools, ToolFiles, Toolbox};
use assent_engine::trust::Trust;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What `assent tools` takes.
#[derive(clap::Subcommand)]
pub enum Arguments {
    /// List the tools that a session here gets.
    Ls {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Call a tool as a model would, through the same gate.
    Call {
        /// The tool.
        name: String,
        /// Its arguments, a JSON object.
        #[arg(value_name = "JSON")]
        arguments: String,
    },
}

/// Do it.
pub async fn run(arguments: Arguments, environment: Environment) -> anyhow::Result<Exit> {
    let folder = environment::folder(None)?;
    match arguments {
        Arguments::Ls { json } => {
            let list = list(&environment, &folder, &Value::Null, &trust::trust(&environment));
            print(&if json { format!("{list:#}\n") } else { table(&list) });
            trust::tell(&environment, &folder);
        }
        Arguments::Call { name, arguments } => return call(&name, &arguments, &folder, environment).await,
    }
    Ok(Exit::Done)
}

/// The tools of a session in this folder. `editor` is the editor's section of settings, null where
/// there is none.
pub fn list(environment: &Environment, folder: &Path, editor: &Value, trust: &Trust) -> Value {
    let manifest = FILE_NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    let may_replace =
        settings::load(&environment.config, Some(folder), editor, trust).settings.project_may_replace;
    let trusted = trust.of(folder).approved().is_some();
    let processes = Processes::new(&*environment.variable);
    let folders: Arc<[PathBuf]> = [folder.to_owned()].into();
    let (registry, _) =
        Toolbox::new(environment.tools.clone()).now(&processes, &folders, trust, &may_replace);
    let tools: Vec<Value> = registry.list().iter().map(listed).collect();
    let tools_key = trusted && manifest.as_deref().is_some_and(lists_tools);
    json!({ "manifest": manifest, "tools_key": tools_key, "tools": tools, "removed": [] })
}

fn listed(tool: &Listed) -> Value {
    let mut row = json!({
        "name": tool.name, "kind": tool.kind.name(), "source": tool.source, "available": tool.missing.is_none(),
    });
    if let Some(replaced) = &tool.overrides {
        row["overrides"] = json!(replaced);
    }
    if let Some(reason) = &tool.missing {
        row["missing"] = json!(reason);
    }
    row
}

/// The mistakes in the tool files of the user and of a trusted folder, in words; with one, what runs
/// without an editor does not start.
pub fn mistakes(environment: &Environment, folder: &Path) -> Option<String> {
    let mut problems = ToolFiles::new(environment.tools.clone()).load().problems;
    problems.extend(project(environment, folder, &BTreeSet::new()).problems);
    let list: Vec<String> = problems.iter().map(|problem| format!("- {problem}")).collect();
    (!list.is_empty()).then(|| {
        format!("Tool files have mistakes; nothing is started until they are mended:\n{}", list.join("\n"))
    })
}

/// The tool files of a folder, if it is trusted.
pub fn project(environment: &Environment, folder: &Path, may_replace: &BTreeSet<String>) -> Found {
    ProjectTools::default().load(folder, &trust::trust(environment), may_replace)
}

/// Whether a manifest has the key `tools`.
fn lists_tools(manifest: &Path) -> bool {
    std::fs::read_to_string(manifest)
        .is_ok_and(|text| text.lines().any(|line| line.split(':').next() == Some("tools")))
}

/// The same as a table.
fn table(list: &Value) -> String {
    let columns = ["name", "kind", "source"];
    let mut rows = vec![columns.map(str::to_uppercase)];
    for tool in list["tools"].as_array().into_iter().flatten() {
        let mut row = columns.map(|column| tool[column].as_str().unwrap_or_default().to_owned());
        if let Some(replaced) = tool["overrides"].as_str() {
            row[2].push_str(&format!(" (instead of {replaced})"));
        }
        if let Some(reason) = tool["missing"].as_str() {
            row[2].push_str(&format!(" (not offered: {reason})"));
        }
        rows.push(row);
    }
    let widths = [0, 1].map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or_default());
    rows.iter()
        .map(|[name, kind, source]| format!("{name:0$}  {kind:1$}  {source}\n", widths[0], widths[1]))
        .collect()
}

/// A call by hand.
async fn call(name: &str, arguments: &str, folder: &Path, environment: Environment) -> anyhow::Result<Exit> {
    by_hand(name, arguments, ByHand { folder, mode: None, explain: None }, environment).await
}

/// How a call is made by hand.
pub struct ByHand<'a> {
    /// The workspace folder.
    pub folder: &'a Path,
    /// The mode.
    pub mode: Option<Mode>,
    /// It is explained and not run.
    pub explain: Option<Explain>,
}

/// A call by hand is a turn whose model says nothing but this call: so it goes the way of every
/// other call, and no way around the gate exists.
pub async fn by_hand(
    name: &str,
    arguments: &str,
    how: ByHand<'_>,
    environment: Environment,
) -> anyhow::Result<Exit> {
    let arguments: Map<String, Value> = match serde_json::from_str(arguments) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("assent: the arguments of {name} must be a JSON object: {problem}");
            return Ok(Exit::Usage);
        }
    };
    let script = tempfile::NamedTempFile::new().context("There is no place for the call's script")?;
    let answers = json!({ "answers": [[{ "call": name, "with": arguments }], []] });
    std::fs::write(script.path(), answers.to_string())?;
    let headless = Headless {
        environment,
        folder: how.folder.to_owned(),
        model: Some(format!("scripted/{}", script.path().display())),
        mode: how.mode,
        approve: false,
        explain: how.explain,
    };
    let running = headless.start(Terminal::of_process(Form::Results, how.folder));
    let exit = running.passing_turn(format!("Call the tool {name}.")).await;
    running.handle.shutdown().await;
    let failed = running.terminal.with_screen(|screen| screen.has_failed_call()).await;
    Ok(match exit? {
        Exit::Done if failed => Exit::Failed,
        exit => exit,
    })
}
