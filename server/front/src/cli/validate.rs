//! `assent validate`: every mistake in the files that settings come from, in one run.

use super::Exit;
use super::environment::folder;
use assent_base::manifest::Problem;
use assent_engine::main_loop::Environment;
use assent_engine::settings;
use serde_json::{Value, json};

/// What `assent validate` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// As JSON: {"ok", "files", "errors", "warnings"}; a mistake is {"file", "line", "column", "key", "message"}.
    #[arg(long)]
    json: bool,
}

/// Check and print. What a project may not set is a warning: it does not count, and nothing is broken.
pub fn run(arguments: Arguments, environment: &Environment) -> anyhow::Result<Exit> {
    let folder = folder(None)?;
    let loaded = settings::load(&environment.config, Some(&folder), &Value::Null);
    let ok = loaded.problems.is_empty();
    let files: Vec<String> = loaded.files.iter().map(|file| file.display().to_string()).collect();
    if arguments.json {
        let report = json!({
            "ok": ok,
            "files": files,
            "errors": loaded.problems.iter().map(as_json).collect::<Vec<_>>(),
            "warnings": loaded.ignored.iter().map(as_json).collect::<Vec<_>>(),
        });
        println!("{report:#}");
    } else {
        for problem in &loaded.problems {
            println!("error: {problem}");
        }
        for left_out in &loaded.ignored {
            println!("warning: {left_out}");
        }
        match (files.is_empty(), ok) {
            (true, true) => println!("There is nothing to check: no assent.yaml of yours or the project's."),
            (false, true) => println!("{}: no mistakes.", files.join(", ")),
            (_, false) => {}
        }
    }
    Ok(if ok { Exit::Done } else { Exit::Failed })
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
