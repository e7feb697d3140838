//! JSON as a tree with places. `serde_json` judges the syntax and decodes strings and numbers;
//! what is added here is where each value stands and which keys occur twice.

use super::{Entry, Kind, Node, Place, Problem};
use serde_json::Value;

/// Reads JSON. A syntax error is the one problem that ends the reading.
pub fn from_json(file: &str, text: &str) -> Result<Node, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // This also bounds the depth, on which the recursion below relies.
    if let Err(error) = serde_json::from_str::<Value>(text) {
        return Err(Problem {
            file: file.to_owned(),
            line: u32::try_from(error.line()).unwrap_or(u32::MAX).max(1),
            column: u32::try_from(error.column()).unwrap_or(u32::MAX).max(1),
            key: String::new(),
            message: format!("not valid JSON: {}", without_place(&error)),
        });
    }
    Ok(Scanner { rest: text, place: Place { line: 1, column: 1 } }.node())
}

/// serde_json ends its messages with the place, which we give ourselves.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).map(str::to_owned).unwrap_or(text)
}

/// Walks text that is known to be valid JSON.
struct Scanner<'a> {
    rest: &'a str,
    place: Place,
}

impl<'a> Scanner<'a> {
    fn node(&mut self) -> Node {
        self.blanks();
        let place = self.place;
        let kind = match self.rest.as_bytes().first() {
            Some(b'{') => Kind::Map(self.map()),
            Some(b'[') => Kind::List(self.list()),
            Some(b'"') => Kind::String(self.string()),
            _ => self.plain(),
        };
        Node { place, kind }
    }

    fn map(&mut self) -> Vec<Entry> {
        let mut entries = Vec::new();
        self.take(1);
        loop {
            self.blanks();
            match self.rest.as_bytes().first() {
                Some(b'"') => {
                    let place = self.place;
                    let key = self.string();
                    self.blanks();
                    self.take(1); // the colon
                    let value = self.node();
                    entries.push(Entry { key, place, value });
                }
                Some(b',') => drop(self.take(1)),
                _ => break,
            }
        }
        self.take(1);
        entries
    }

    fn list(&mut self) -> Vec<Node> {
        let mut items = Vec::new();
        self.take(1);
        loop {
            self.blanks();
            match self.rest.as_bytes().first() {
                None | Some(b']') => break,
                Some(b',') => drop(self.take(1)),
                Some(_) => items.push(self.node()),
            }
        }
        self.take(1);
        items
    }

    fn string(&mut self) -> String {
        let mut escaped = false;
        let end = self.rest.char_indices().skip(1).find(|(_, c)| {
            let closes = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            closes
        });
        let raw = self.take(end.map_or(self.rest.len(), |(at, _)| at + 1));
        serde_json::from_str(raw).unwrap_or_default()
    }

    fn plain(&mut self) -> Kind {
        let end = self.rest.find(|c: char| c == ',' || c == ']' || c == '}' || c.is_ascii_whitespace());
        match serde_json::from_str(self.take(end.unwrap_or(self.rest.len()))) {
            Ok(Value::Bool(value)) => Kind::Bool(value),
            Ok(Value::Number(value)) => Kind::Number(value),
            _ => Kind::Null,
        }
    }

    fn blanks(&mut self) {
        let end = self.rest.find(|c: char| !c.is_ascii_whitespace()).unwrap_or(self.rest.len());
        self.take(end);
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes.min(self.rest.len()));
        self.rest = rest;
        for c in taken.chars() {
            if c == '\n' {
                self.place = Place { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        taken
    }
}
