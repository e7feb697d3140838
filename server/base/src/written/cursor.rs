//! Where in a JSON text a cursor stands, also in one that is only half written.

use std::ops::Range;

/// A place in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// The keys that lead to the map or list that it is in, from the root. Lists have none of their own.
    pub path: Vec<String>,
    /// The key whose value it is at; `None` where it is at a key.
    pub value_of: Option<String>,
    /// What is written there: the word or text that the cursor is in or behind, as bytes of the text,
    /// quotes included; empty where nothing is.
    pub word: Range<usize>,
    /// The keys of that map which stand before it.
    pub before: Vec<String>,
}

enum Frame {
    Map { key: Option<String>, keys: Vec<String>, at_value: bool },
    List,
}

/// The place of a byte of a text.
pub fn cursor(text: &str, offset: usize) -> Cursor {
    let offset = text.floor_char_boundary(offset.min(text.len()));
    let mut frames: Vec<Frame> = Vec::new();
    let mut at = 0;
    let mut word = offset..offset;
    while at < offset {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        let length = match first {
            '"' => string(rest),
            '{' | '}' | '[' | ']' | ',' | ':' => 1,
            c if c.is_whitespace() => c.len_utf8(),
            _ => rest.find(|c: char| "{}[],:\"".contains(c) || c.is_whitespace()).unwrap_or(rest.len()),
        };
        let token = &rest[..length];
        let is_word = !first.is_whitespace() && !"{}[],:".contains(first);
        let open = first == '"' && (length == 1 || !token.ends_with('"'));
        if is_word && at + length >= offset && (at + length > offset || open || first != '"') {
            word = at..at + length;
            break;
        }
        step(&mut frames, first, token);
        at += length;
    }
    place(&frames, word)
}

/// How long the text is that begins here: to its closing quote, or to the end of its line.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    rest.len()
}

fn step(frames: &mut Vec<Frame>, first: char, token: &str) {
    match (first, frames.last_mut()) {
        ('{', _) => frames.push(Frame::Map { key: None, keys: Vec::new(), at_value: false }),
        ('[', _) => frames.push(Frame::List),
        ('}' | ']', _) => drop(frames.pop()),
        (':', Some(Frame::Map { at_value, .. })) => *at_value = true,
        (',', Some(Frame::Map { key, at_value, .. })) => (*key, *at_value) = (None, false),
        ('"', Some(Frame::Map { key, keys, at_value: false })) => {
            let name = token.trim_matches('"').to_owned();
            keys.push(name.clone());
            *key = Some(name);
        }
        _ => {}
    }
}

fn place(frames: &[Frame], word: Range<usize>) -> Cursor {
    let outer = frames.len().saturating_sub(1);
    let key = |frame: &Frame| match frame {
        Frame::Map { key, .. } => key.clone(),
        Frame::List => None,
    };
    let path = frames[..outer].iter().filter_map(key).collect();
    match frames.last() {
        Some(Frame::Map { key, at_value: true, keys }) => {
            Cursor { path, value_of: key.clone(), word, before: keys.clone() }
        }
        Some(Frame::Map { keys, .. }) => Cursor { path, value_of: None, word, before: keys.clone() },
        Some(Frame::List) | None => Cursor { path, value_of: Some(String::new()), word, before: Vec::new() },
    }
}

#[cfg(test)]
mod tests;
