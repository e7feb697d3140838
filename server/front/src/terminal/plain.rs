//! What a terminal would obey is taken out of every text that is not ours.
//!
//! Text comes in pieces and a sequence may be cut between two of them, so [`Plain`] remembers
//! where it stands. What is judged (commands, hunks) is not stripped but made visible, by
//! `base::clip`.

/// Removes control characters, escape sequences and bidirectional controls from a stream of text.
#[derive(Debug, Default)]
pub struct Plain {
    state: State,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// After ESC.
    Escape,
    /// Inside `ESC [ …`, which ends with a letter.
    Control,
    /// Inside `ESC ] …` and its like, which ends with BEL, ST or, against ones that never end, a new line.
    String,
    /// After an ESC inside a string.
    StringEscape,
}

impl Plain {
    /// The next piece, without what a terminal would obey.
    pub fn push(&mut self, piece: &str) -> String {
        let mut text = String::with_capacity(piece.len());
        for letter in piece.chars() {
            let (state, kept) = step(self.state, letter);
            self.state = state;
            text.extend(kept);
        }
        text
    }
}

/// A whole text without what a terminal would obey.
pub fn plain(text: &str) -> String {
    Plain::default().push(text)
}

fn step(state: State, letter: char) -> (State, Option<char>) {
    match (state, letter) {
        (State::Text, '\u{1b}') => (State::Escape, None),
        (State::Text, '\u{9b}') => (State::Control, None),
        (State::Text, '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}') => (State::String, None),
        (State::Text, letter) => (State::Text, shown(letter).then_some(letter)),
        (State::Escape, '[') => (State::Control, None),
        (State::Escape, ']' | 'P' | 'X' | '^' | '_') => (State::String, None),
        (State::Escape, ' '..='/') => (State::Escape, None),
        (State::Control, '\u{20}'..='\u{3f}') => (State::Control, None),
        (State::String, '\u{7}' | '\u{9c}') => (State::Text, None),
        (State::String, '\u{1b}') => (State::StringEscape, None),
        (State::StringEscape, '\\') => (State::Text, None),
        (_, '\u{1b}') => (State::Escape, None),
        (_, '\n') => (State::Text, Some('\n')),
        (State::Escape | State::Control, _) => (State::Text, None),
        (State::String | State::StringEscape, _) => (State::String, None),
    }
}

fn shown(letter: char) -> bool {
    let obeyed = letter.is_control() && letter != '\n' && letter != '\t';
    let turns_text_round = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !obeyed && !turns_text_round
}

/// The text with everything that hides or turns text round shown by its number, and how many.
pub fn make_visible(text: &str) -> (String, usize) {
    let mut visible = String::with_capacity(text.len());
    let mut hidden = 0;
    for letter in text.chars() {
        if shown(letter) && !matches!(letter, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}') {
            visible.push(letter);
        } else {
            hidden += 1;
            visible.push_str(&format!("⟨U+{:04X}⟩", u32::from(letter)));
        }
    }
    (visible, hidden)
}

#[cfg(test)]
mod tests;
