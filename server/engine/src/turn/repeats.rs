//! Notices a model that repeats itself: every small model loops on identical calls sooner or
//! later. It is told once; then the turn stops and the user is asked.

use crate::limits;
use assent_base::tool::{Arguments, Call};
use std::collections::HashMap;

/// What to do about an answer's calls.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing.
    Go,
    /// Tell the model, with the calls' results.
    Tell(String),
    /// Stop the turn and tell the user.
    Stop(String),
}

/// The calls of a turn, as far as they repeat.
#[derive(Default)]
pub(super) struct Repeats {
    last: Vec<String>,
    in_a_row: usize,
    failures: HashMap<String, usize>,
}

impl Repeats {
    /// After the calls of one answer ran; `failed` says which of them failed.
    pub(super) fn saw(&mut self, calls: &[Call], failed: &[bool]) -> Verdict {
        let signatures: Vec<String> = calls.iter().map(signature).collect();
        self.in_a_row = if signatures == self.last { self.in_a_row + 1 } else { 1 };
        let mut worst = self.in_a_row;
        let mut what = "the same call";
        for (signature, failed) in signatures.iter().zip(failed) {
            let count = self.failures.entry(signature.clone()).or_default();
            *count = if *failed { *count + 1 } else { 0 };
            if *count > worst {
                (worst, what) = (*count, "the same failing call");
            }
        }
        self.last = signatures;
        let names = names(calls);
        match worst {
            n if n < limits::REPEATED_CALLS => Verdict::Go,
            n if n == limits::REPEATED_CALLS => Verdict::Tell(format!(
                "You have now made {what} ({names}) {n} times. Its result will not change: use what you have, \
                 try something else, or answer the user."
            )),
            n => Verdict::Stop(format!(
                "Stopped: the model made {what} ({names}) {n} times, also after it was told. \
                 Say how to go on, or try another model."
            )),
        }
    }
}

fn signature(call: &Call) -> String {
    match &call.arguments {
        Arguments::Object(map) => format!("{} {}", call.name, serde_json::Value::Object(map.clone())),
        Arguments::Invalid { text, .. } => format!("{} {text}", call.name),
    }
}

fn names(calls: &[Call]) -> String {
    let mut names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    names.dedup();
    names.join(", ")
}

#[cfg(test)]
mod tests;
