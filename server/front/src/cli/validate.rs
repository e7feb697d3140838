//! `assent validate`: every mistake in the files that settings and tools come from, in one run.

use super::environment::folder;
use super::{Exit, print, trust};
use assent_base::manifest::Problem;
use assent_engine::main_loop::Environment;
use assent_engine::settings::{self, Loaded};
use assent_engine::tools::ToolFiles;
use serde_json::{Value, json};

/// What `assent validate` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// As JSON: {"ok", "files", "errors", "warnings"}; a mistake is {"file", "line", "column", "key", "message"}.
    #[arg(long)]
    json: bool,
}

/// Check and print. What a project may not set is a warning: it does not count, and nothing is broken;
/// and so is a rule that probably does not do what was meant.
pub fn run(arguments: Arguments, environment: &Environment) -> anyhow::Result<Exit> {
    let folder = folder(None)?;
    let trust = trust::trust(environment);
    let mut loaded = settings::load(&environment.config, Some(&folder), &Value::Null, &trust);
    let may_replace = loaded.settings.project_may_replace.clone();
    for tools in [
        ToolFiles::new(environment.tools.clone()).load(),
        super::tools::project(environment, &folder, &may_replace),
    ] {
        loaded.problems.extend(tools.problems);
        loaded.ignored.extend(tools.left_out);
        loaded.files.extend(tools.files);
    }
    match arguments.json {
        true => print(&format!("{:#}\n", report(&loaded))),
        false => print(&in_words(&loaded)),
    }
    trust::tell(environment, &folder);
    Ok(if loaded.problems.is_empty() { Exit::Done } else { Exit::Failed })
}

/// For a program.
fn report(loaded: &Loaded) -> Value {
    json!({
        "ok": loaded.problems.is_empty(),
        "files": loaded.files,
        "errors": loaded.problems.iter().map(as_json).collect::<Vec<_>>(),
        "warnings": loaded.ignored.iter().chain(&loaded.warnings).map(as_json).collect::<Vec<_>>(),
    })
}

/// For a reader.
fn in_words(loaded: &Loaded) -> String {
    let mut text = String::new();
    for problem in &loaded.problems {
        text.push_str(&format!("error: {problem}\n"));
    }
    for warning in loaded.ignored.iter().chain(&loaded.warnings) {
        text.push_str(&format!("warning: {warning}\n"));
    }
    let files: Vec<String> = loaded.files.iter().map(|file| file.display().to_string()).collect();
    match (files.is_empty(), loaded.problems.is_empty()) {
        (true, true) => text.push_str(
            "There is nothing to check: no assent.yaml of yours or a trusted project's, and no tool file.\n",
        ),
        (false, true) => text.push_str(&format!("{}: no mistakes.\n", files.join(", "))),
        (_, false) => {}
    }
    text
}

fn as_json(problem: &Problem) -> Value {
    json!({
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "key": problem.key,
        "message": problem.message,
    })
}
