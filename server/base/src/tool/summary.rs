//! What a program wrote, in one line for the user.

use super::Summary;

/// A program's run, as far as its summary needs it.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// Its words, as the approval shows them.
    pub line: &'a str,
    /// What it wrote, or the beginning of that.
    pub output: &'a str,
    /// It wrote more than that.
    pub cut: bool,
    /// Its exit code.
    pub code: i32,
}

impl Summary {
    /// The line; `None` where the output itself is shown. A count of what was cut is at least so much.
    pub fn of(&self, told: &Told<'_>) -> Option<String> {
        let lines = || told.output.lines().filter(|line| !line.trim().is_empty());
        let count = |count: usize, one: &str, many: &str| match count {
            0 => format!("no {many}"),
            1 => format!("1 {one}"),
            _ => format!("{count}{} {many}", if told.cut { " or more" } else { "" }),
        };
        let line = match self {
            Self::Output => return None,
            Self::CommandEcho => told.line.lines().next().unwrap_or_default().to_owned(),
            Self::GitDiff => diff(told.output).map_or_else(
                || lines().last().map_or_else(|| "no changes".to_owned(), |last| last.trim().to_owned()),
                |Diff { files, come, gone }| format!("{}, +{come} -{gone}", count(files, "file", "files")),
            ),
            Self::GitLog => {
                let headed = lines().filter(|line| is_commit(line)).count();
                count(if headed > 0 { headed } else { lines().count() }, "commit", "commits")
            }
            Self::GitStatus => match lines().filter(|line| !line.starts_with("##")).count() {
                0 => "nothing changed".to_owned(),
                changed => count(changed, "changed file", "changed files"),
            },
            Self::Grep => count(lines().count(), "match", "matches"),
            Self::LineCount(noun) => count(lines().count(), singular(noun), noun),
        };
        Some(match told.code {
            0 => line,
            code => format!("{line} (exit code {code})"),
        })
    }
}

struct Diff {
    files: usize,
    come: usize,
    gone: usize,
}

/// Files and lines of a diff, if there is one in the text.
fn diff(text: &str) -> Option<Diff> {
    let mut diff = Diff { files: 0, come: 0, gone: 0 };
    let mut in_hunks = false;
    for line in text.lines() {
        match line.as_bytes() {
            _ if line.starts_with("diff --") => (diff.files, in_hunks) = (diff.files + 1, false),
            [b'@', b'@', ..] => in_hunks = true,
            [b'+', ..] if in_hunks => diff.come += 1,
            [b'-', ..] if in_hunks => diff.gone += 1,
            _ => {}
        }
    }
    (diff.files > 0).then_some(diff)
}

fn is_commit(line: &str) -> bool {
    let hash = line.strip_prefix("commit ").and_then(|rest| rest.split_whitespace().next());
    hash.is_some_and(|hash| hash.len() >= 7 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// `line` of `lines`, `branch` of `branches`: as far as the usual ways go.
fn singular(noun: &str) -> &str {
    let hissing = ["ches", "shes", "sses", "xes"].iter().any(|end| noun.ends_with(end));
    noun.strip_suffix(if hissing { "es" } else { "s" }).unwrap_or(noun)
}

#[cfg(test)]
mod tests;
