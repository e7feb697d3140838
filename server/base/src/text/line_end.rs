//! Line ends.

use std::borrow::Cow;

/// How lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LineEnd {
    /// `\n`.
    #[default]
    Lf,
    /// `\r\n`.
    CrLf,
}

impl LineEnd {
    /// Its characters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }
}

/// The line end that most lines of a text have; `\n` where there is none.
pub fn dominant(text: &str) -> LineEnd {
    let crlf = text.matches("\r\n").count();
    let all = text.bytes().filter(|byte| *byte == b'\n').count();
    if crlf * 2 > all { LineEnd::CrLf } else { LineEnd::Lf }
}

/// A text with every line end as wanted.
pub fn to_line_end(text: &str, end: LineEnd) -> Cow<'_, str> {
    let plain = match text.contains("\r\n") {
        true => Cow::Owned(text.replace("\r\n", "\n")),
        false => Cow::Borrowed(text),
    };
    match end {
        LineEnd::Lf => plain,
        LineEnd::CrLf => Cow::Owned(plain.replace('\n', "\r\n")),
    }
}
