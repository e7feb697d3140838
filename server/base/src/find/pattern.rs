//! Replacement by regular expression, line by line as `grep` searches, so that a replacement strikes
//! what a search has shown and never a line end.

use regex::{Regex, RegexBuilder};

/// A regular expression that replaces within lines.
#[derive(Debug, Clone)]
pub struct Pattern(Regex);

impl Pattern {
    /// The error is for the model.
    pub fn new(pattern: &str) -> Result<Self, String> {
        let built = RegexBuilder::new(pattern).build();
        built.map(Self).map_err(|problem| format!("The pattern can't be used: {problem}"))
    }

    /// The text after the replacement, and how many places that were; `None` where nothing changes.
    /// `$1` and `${name}` in the replacement stand for what a group matched, `$$` for a dollar sign.
    pub fn replace(&self, text: &str, replacement: &str) -> Option<(String, usize)> {
        let mut after = String::with_capacity(text.len());
        let mut count = 0;
        for line in text.split_inclusive('\n') {
            let body = line.strip_suffix('\n').unwrap_or(line);
            let body = body.strip_suffix('\r').unwrap_or(body);
            count += self.0.find_iter(body).count();
            after.push_str(&self.0.replace_all(body, replacement));
            after.push_str(&line[body.len()..]);
        }
        (after != text).then_some((after, count))
    }
}
