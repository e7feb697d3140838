//! Command output as text: bytes to characters, terminal escapes removed, across any cuts between
//! the pieces it arrives in.

/// Turns the bytes of a running command into text, piece by piece. A character or an escape that
/// is cut between two pieces is put together; bytes that are no UTF-8 become `U+FFFD`.
#[derive(Debug, Default)]
pub struct OutputDecoder {
    /// The start of a character whose rest has not come.
    rest: Vec<u8>,
    escapes: Stripper,
}

impl OutputDecoder {
    /// At the start of an output.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text that is known after this piece.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.rest.extend_from_slice(bytes);
        let mut text = String::with_capacity(self.rest.len());
        let pending = std::mem::take(&mut self.rest);
        let mut left = pending.as_slice();
        loop {
            match std::str::from_utf8(left) {
                Ok(valid) => {
                    self.escapes.push(valid, &mut text);
                    return text;
                }
                Err(problem) => {
                    let (valid, after) = left.split_at(problem.valid_up_to());
                    self.escapes.push(&String::from_utf8_lossy(valid), &mut text);
                    let Some(bad) = problem.error_len() else {
                        self.rest = after.to_vec();
                        return text;
                    };
                    self.escapes.push("\u{FFFD}", &mut text);
                    left = &after[bad..];
                }
            }
        }
    }

    /// What was left over at the end.
    pub fn finish(&mut self) -> String {
        let mut text = String::new();
        if !std::mem::take(&mut self.rest).is_empty() {
            self.escapes.push("\u{FFFD}", &mut text);
        }
        text
    }
}

/// The text without terminal escapes and control characters; a lone carriage return starts a new
/// line, as what it overwrites would else be lost.
pub fn strip_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    Stripper::default().push(text, &mut out);
    out
}

/// Where the stream stands.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After ESC.
    Escape,
    /// Inside a control sequence: until a letter or the like.
    Control,
    /// Inside a string (title, link, clipboard): until BEL or ESC \.
    Words,
    /// ESC inside a string.
    WordsEscape,
    /// ESC and an intermediate character: one more follows.
    Designate,
    /// After a carriage return: is it a line end, or overwriting?
    Return,
}

#[derive(Debug, Default)]
struct Stripper {
    state: State,
}

impl Stripper {
    fn push(&mut self, text: &str, out: &mut String) {
        for c in text.chars() {
            self.step(c, out);
        }
    }

    fn step(&mut self, c: char, out: &mut String) {
        self.state = match (self.state, c) {
            (State::Return, '\n') => {
                out.push('\n');
                State::Text
            }
            (State::Return, '\r') => State::Return,
            (State::Return, c) => {
                out.push('\n');
                plain(c, out)
            }
            (State::Text, c) => plain(c, out),
            (State::Escape, '[') => State::Control,
            (State::Escape, ']' | 'P' | 'X' | '^' | '_') => State::Words,
            (State::Escape, ' '..='/') => State::Designate,
            (State::Escape, '\u{1B}') => State::Escape,
            (State::Escape | State::Designate, _) => State::Text,
            (State::Control, '\u{1B}') => State::Escape,
            (State::Control, '@'..='~') => State::Text,
            (State::Control, '\n') => plain(c, out),
            (State::Control, _) => State::Control,
            (State::Words | State::WordsEscape, '\u{7}' | '\u{9C}') => State::Text,
            (State::Words, '\u{1B}') => State::WordsEscape,
            (State::WordsEscape, '\\') => State::Text,
            // A string that never ends would swallow all that follows.
            (State::Words | State::WordsEscape, '\n') => plain(c, out),
            (State::Words | State::WordsEscape, _) => State::Words,
        };
    }
}

/// A character outside any escape.
fn plain(c: char, out: &mut String) -> State {
    match c {
        '\u{1B}' => State::Escape,
        '\u{9B}' => State::Control,
        '\u{90}' | '\u{98}' | '\u{9D}' | '\u{9E}' | '\u{9F}' => State::Words,
        '\r' => State::Return,
        '\u{8}' => {
            if !out.ends_with('\n') {
                out.pop();
            }
            State::Text
        }
        '\n' | '\t' => {
            out.push(c);
            State::Text
        }
        c if c.is_control() => State::Text,
        c => {
            out.push(c);
            State::Text
        }
    }
}
