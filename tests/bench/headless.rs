//! `assent run`: a process for each turn.

use crate::PROGRAM;
use crate::process;
use crate::provider::{Answer, Provider};
use crate::table::{median, ms, row, us_each};
use assent_tests::Workspace;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Starts that the median is of.
const STARTS: usize = 20;
/// Deltas of a long answer.
const DELTAS: usize = 20_000;

/// All of it.
pub fn measure() {
    let provider = Provider::start();
    let workspace = Workspace::with(&[("a.txt", "one\n")]);
    workspace.user_config(&provider.settings());
    start(&provider, &workspace);
    stream(&provider, &workspace);
}

fn start(provider: &Provider, workspace: &Workspace) {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let number = provider.count();
        provider.answer(Answer::words(1));
        let run = run(workspace);
        starts.push(provider.exchanges(number, 1)[0].arrived - run.started);
    }
    row("process start → first model request, headless", &ms(median(&mut starts)), "30 ms");
}

fn stream(provider: &Provider, workspace: &Workspace) {
    let mut walls = Vec::new();
    let mut works = Vec::new();
    for _ in 0..3 {
        provider.answer(Answer::words(1));
        let empty = run(workspace);
        let number = provider.count();
        provider.answer(Answer::words(DELTAS));
        let full = run(workspace);
        walls.push(full.ended - provider.exchanges(number, 1)[0].arrived);
        works.extend(full.work.zip(empty.work).map(|(full, empty)| full.saturating_sub(empty)));
    }
    row("20,000 deltas, headless: wall time a delta", &us_each(median(&mut walls), DELTAS), "");
    if !works.is_empty() {
        let work = us_each(median(&mut works), DELTAS);
        row("20,000 deltas, headless: processor time a delta", &work, "5 µs");
    }
}

/// A process that ran to its end.
struct Run {
    started: Instant,
    ended: Instant,
    /// Its processor time, where the system tells.
    work: Option<Duration>,
}

fn run(workspace: &Workspace) -> Run {
    let started = Instant::now();
    let mut child = Command::new(PROGRAM)
        .args(["run", "Say something."])
        .current_dir(workspace.root())
        .env_clear()
        .envs(workspace.environment())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut output = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut output).unwrap();
    // Its figures are whole once it has ended, and gone once it was waited for.
    while !process::has_ended(child.id()) {
        std::thread::yield_now();
    }
    let ended = Instant::now();
    let work = process::processor_time(child.id());
    let status = child.wait().unwrap();
    assert!(status.success(), "`assent run` failed: {}", String::from_utf8_lossy(&output));
    Run { started, ended, work }
}
