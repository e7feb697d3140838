//! What the analysis says against what bash does.

use super::*;
use std::io::Write;
use std::process::{Command, Stdio};

/// Pieces that lines are made of: names that are no programs, and all that means something.
const PIECES: [&str; 54] = [
    "a",
    "b",
    "a",
    " ",
    " ",
    " ",
    "'",
    "'",
    "\"",
    "\"",
    "\\",
    "$",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "&",
    "|",
    ";",
    "#",
    "!",
    "~",
    "=",
    "=",
    "*",
    "?",
    "[",
    "]",
    "1",
    "2",
    "-",
    "+",
    "/dev/null",
    ".",
    "^",
    "%",
    ":",
    "@",
    ",",
    "&&",
    "||",
    "2>&1",
    ">/dev/null",
    "a=",
    "-a",
    "--",
    "if",
    "{ ",
    "} ",
    "==",
    "é",
    "function",
];

/// Tells on descriptor 3 each program that bash looks for in vain, with its arguments.
const SCRIPT: &str = r#"
command_not_found_handle() { printf '%s\0' "$@" >&3; printf '\1' >&3; }
exec 3>&1 >/dev/null 2>&1
PATH=/nonexistent
while IFS= read -r -d '' line; do eval " $line" </dev/null; printf '\2' >&3; done
"#;

/// Lines that the analysis takes for plain, and what it saw in them.
fn plain_lines(count: usize) -> Vec<(String, Analysis)> {
    // A fixed start, so that a failure can be seen again.
    let mut seed = 12_345_u64;
    let mut next = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % below as u64).unwrap()
    };
    let lines =
        std::iter::repeat_with(|| (0..=next(14)).map(|_| PIECES[next(PIECES.len())]).collect::<String>());
    let analysed = lines.map(|line| (analyse(&line), line)).filter(|(analysis, _)| {
        analysis.opaque.is_none() && analysis.commands.iter().all(|simple| simple.doubt.is_none())
    });
    analysed.map(|(analysis, line)| (line, analysis)).take(count).collect()
}

/// For each line, the programs that bash looked for, with their arguments.
fn run(lines: &[(String, Analysis)]) -> Vec<Vec<Vec<String>>> {
    let folder = std::env::temp_dir().join("assent-against-bash");
    std::fs::create_dir_all(&folder).unwrap();
    let mut bash = Command::new("bash");
    bash.args(["--norc", "--noprofile", "-c", SCRIPT]).current_dir(&folder);
    let mut child = bash.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input: Vec<u8> = lines.iter().flat_map(|(line, _)| line.bytes().chain([0])).collect();
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap().stdout;
    writer.join().unwrap();
    let left = std::fs::read_dir(&folder).unwrap().count();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(left, 0, "a plain line wrote a file");
    let words = |call: &[u8]| {
        let mut words: Vec<_> =
            call.split(|b| *b == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect();
        words.pop();
        words
    };
    let calls = |line: &[u8]| line.split(|b| *b == 1).filter(|call| !call.is_empty()).map(words).collect();
    output.split(|b| *b == 2).map(calls).collect()
}

/// Whatever runs, runs exactly as it was seen.
#[test]
#[ignore = "needs bash and half a minute: cargo test -p assent-base against_bash -- --ignored"]
fn a_plain_line_runs_just_what_was_seen() {
    let mut lines = plain_lines(2_000);
    // The ends of a pipe tell at the same time, over each other.
    lines.retain(|(line, _)| !line.contains('|'));
    let mut told = 0;
    for ((line, analysis), ran) in lines.iter().zip(run(&lines)) {
        let seen: Vec<_> = analysis.commands.iter().map(|simple| simple.argv.clone()).collect();
        assert!(ran.iter().all(|call| seen.contains(call)), "{line:?}: ran {ran:?}, saw {seen:?}");
        told += usize::from(!ran.is_empty());
    }
    // bash does not tell of paths and builtins, and refuses a few lines; that must not be most.
    assert!(told * 2 > lines.len(), "{told} of {}", lines.len());
}
