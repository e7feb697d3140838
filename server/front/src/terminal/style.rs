//! Colours, and whether there are any.

/// How words look on one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    color: bool,
}

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// A line that appears.
    Added,
    /// A line that goes.
    Removed,
    /// Less important.
    Dim,
    /// More important.
    Strong,
    /// Needs care.
    Warning,
}

impl Style {
    /// No colours.
    pub const PLAIN: Self = Self { color: false };

    /// Colours where the stream is a terminal and the user did not switch them off.
    pub fn of_stream(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Self {
        let off = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = variable("TERM").is_some_and(|value| value == "dumb");
        Self { color: is_terminal && !off && !dumb }
    }

    /// The text in its colour. Each line is painted by itself, so that no colour runs on.
    pub fn paint(self, paint: Paint, text: &str) -> String {
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        let code = match paint {
            Paint::Added => "32",
            Paint::Removed => "31",
            Paint::Dim => "2",
            Paint::Strong => "1",
            Paint::Warning => "33",
        };
        let painted = text.split('\n').map(|line| match line {
            "" => String::new(),
            line => format!("\u{1b}[{code}m{line}\u{1b}[0m"),
        });
        painted.collect::<Vec<_>>().join("\n")
    }
}
