//! What a terminal would obey is taken out of every text that is not ours. What is judged
//! (commands, hunks) is not stripped but made visible, by [`assent_base::clip::make_visible`].

use assent_base::clip::OutputDecoder;

/// Removes control characters, escape sequences and bidirectional controls from a text that comes
/// in pieces; what is cut between two of them is put together.
#[derive(Debug, Default)]
pub struct Plain {
    escapes: OutputDecoder,
}

impl Plain {
    /// The next piece, without what a terminal would obey.
    pub fn push(&mut self, piece: &str) -> String {
        let mut text = self.escapes.push(piece.as_bytes());
        text.retain(|letter| !turns_text_round(letter));
        text
    }
}

/// A whole text without what a terminal would obey.
pub fn plain(text: &str) -> String {
    Plain::default().push(text)
}

fn turns_text_round(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;
