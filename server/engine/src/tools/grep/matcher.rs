//! From the model's pattern to a matcher, or to words on what is wrong with it.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};

/// Only `\n` ends a line here, as in `read` and in the editor; `$` matches before `\r\n` too.
pub(super) fn build(pattern: &str) -> Result<RegexMatcher, String> {
    RegexMatcherBuilder::new()
        .multi_line(true)
        .crlf(true)
        .build(pattern)
        .map_err(|error| explain(pattern, &error.to_string()))
}

fn explain(pattern: &str, error: &str) -> String {
    let hint = if ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|part| pattern.contains(part)) {
        "Look-around is not available here: search for more and look at the lines."
    } else if error.contains("backreference") {
        "Backreferences are not available here."
    } else if error.contains("literal \"\\n\"") || pattern.contains("\\n") {
        "The search goes line by line, so a pattern can't reach over a line end."
    } else {
        "To search for a character such as ( [ { . * + ? | \\ as it is, put \\ before it."
    };
    format!("The pattern can't be used: {error}\n{hint}")
}
