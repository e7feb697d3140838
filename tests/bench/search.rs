//! Searching a large workspace, beside the tool that does only that.

use crate::table::{median, ms, row};
use crate::warm::Warm;
use assent_tests::Workspace;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Searches that the median is of.
const SEARCHES: usize = 10;
const FILES: usize = 20_000;

/// All of it.
pub fn measure() {
    let workspace = Workspace::new();
    fill(&workspace);
    let root = workspace.root().to_owned();
    let (mut warm, _) = Warm::start(workspace);
    let session = warm.client.new_session();
    // Distinct calls: a model that repeats itself is stopped.
    let greps: Vec<Value> = (0..SEARCHES).map(|n| json!({ "pattern": format!("needle_{n}\\b") })).collect();
    let globs: Vec<Value> = (0..SEARCHES).map(|n| json!({ "pattern": format!("**/*_{n}.rs") })).collect();
    let grep = median(&mut warm.turn(&session, "grep", &greps));
    let glob = median(&mut warm.turn(&session, "glob", &globs));
    row("grep over 20,000 files", &ms(grep), "ripgrep's × 1.1");
    compare("  ripgrep beside it", "rg", &["-n", "needle_3\\b"], &root);
    row("glob over 20,000 files", &ms(glob), "fd's × 1.1");
    compare("  `rg --files -g` beside it", "rg", &["--files", "-g", "**/*_3.rs"], &root);
    warm.end();
}

/// 200 folders of 100 files of 2 kB; every file number holds one of the words looked for.
fn fill(workspace: &Workspace) {
    let filler = "    let value = compute(input, options).unwrap_or_default();\n".repeat(32);
    for n in 0..FILES {
        let text = if n % 50 == 0 {
            format!("{filler}fn needle_{}() {{}}\n", n / 50 % SEARCHES)
        } else {
            filler.clone()
        };
        workspace.write(&format!("src/part{}/file{n}_{}.rs", n / 100, n % 100), text);
    }
}

fn compare(what: &str, program: &str, arguments: &[&str], folder: &Path) {
    let once = || -> Option<Duration> {
        let started = Instant::now();
        let output =
            Command::new(program).args(arguments).current_dir(folder).stdin(Stdio::null()).output().ok()?;
        assert!(output.status.success());
        Some(started.elapsed())
    };
    match (0..SEARCHES).map(|_| once()).collect::<Option<Vec<_>>>() {
        Some(mut times) => row(what, &ms(median(&mut times)), ""),
        None => row(what, "not installed", ""),
    }
}
