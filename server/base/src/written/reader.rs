//! Taking values out of a tree and noting every mistake on the way.

use super::{Entry, Field, Kind, Node, Place, Problem};
use std::collections::BTreeMap;

/// Collects the problems of one file while its parts are read.
#[derive(Debug)]
pub struct Reader<'a> {
    file: &'a str,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// A reader of the file that the user knows by this name.
    pub fn new(file: &'a str) -> Self {
        Self { file, problems: Vec::new() }
    }

    /// The file's name.
    pub fn file(&self) -> &'a str {
        self.file
    }

    /// Notes a problem.
    pub fn problem(&mut self, place: Place, key: &str, message: impl Into<String>) {
        let Place { line, column } = place;
        let (file, key) = (self.file.to_owned(), key.to_owned());
        self.problems.push(Problem { file, line, column, key, message: message.into() });
    }

    /// All problems, in the order of the file.
    pub fn into_problems(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| (problem.line, problem.column));
        self.problems
    }

    /// The entries of a map whose keys are free names. Each name once.
    pub fn entries<'n>(&mut self, node: &'n Node, key: &str) -> Vec<&'n Entry> {
        let Kind::Map(entries) = &node.kind else {
            return self.wrong_type(node, key, "a map").unwrap_or_default();
        };
        let mut seen = BTreeMap::new();
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries {
            match seen.insert(entry.key.as_str(), entry.place) {
                None => kept.push(entry),
                Some(first) => {
                    let message =
                        format!("given twice; the first is on line {}. Keep one of them", first.line);
                    self.problem(entry.place, &join(key, &entry.key), message);
                }
            }
        }
        kept
    }

    /// Looks through a value that is read later, or by somebody else, for keys that occur twice.
    pub fn keys_once(&mut self, node: &Node, key: &str) {
        match &node.kind {
            Kind::Map(_) => {
                for entry in self.entries(node, key) {
                    self.keys_once(&entry.value, &join(key, &entry.key));
                }
            }
            Kind::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.keys_once(item, &format!("{key}[{at}]"));
                }
            }
            Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::String(_) => {}
        }
    }

    /// The fields of a map whose keys are known. Unknown ones are problems.
    pub fn fields<'n>(&mut self, node: &'n Node, key: &str, known: &[&str]) -> Fields<'n> {
        let entries = self.entries(node, key);
        for entry in &entries {
            if !known.contains(&entry.key.as_str()) {
                self.problem(entry.place, &join(key, &entry.key), unknown(&entry.key, known));
            }
        }
        Fields { place: node.place, key: key.to_owned(), entries }
    }

    /// The fields of a map, by their table.
    pub fn by_table<'n>(&mut self, node: &'n Node, key: &str, table: &[Field]) -> Fields<'n> {
        let known: Vec<&str> = table.iter().map(|field| field.name).collect();
        self.fields(node, key, &known)
    }

    /// A text.
    pub fn text<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n str> {
        match &node.kind {
            Kind::String(text) => Some(text),
            _ => self.wrong_type(node, key, "a text"),
        }
    }

    /// A text with something in it.
    pub fn words<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n str> {
        let text = self.text(node, key)?;
        if text.trim().is_empty() {
            self.problem(node.place, key, "must not be empty");
            return None;
        }
        Some(text)
    }

    /// `true` or `false`.
    pub fn flag(&mut self, node: &Node, key: &str) -> Option<bool> {
        match node.kind {
            Kind::Bool(flag) => Some(flag),
            _ => self.wrong_type(node, key, "true or false"),
        }
    }

    /// A whole number of at least 1.
    pub fn count(&mut self, node: &Node, key: &str) -> Option<u64> {
        match &node.kind {
            Kind::Number(number) if number.as_u64().is_some_and(|n| n > 0) => number.as_u64(),
            _ => self.wrong_type(node, key, "a whole number above 0"),
        }
    }

    /// A list; each item comes with its key.
    pub fn items<'n>(&mut self, node: &'n Node, key: &str) -> Vec<(String, &'n Node)> {
        match &node.kind {
            Kind::List(items) => {
                items.iter().enumerate().map(|(at, item)| (format!("{key}[{at}]"), item)).collect()
            }
            _ => self.wrong_type(node, key, "a list").unwrap_or_default(),
        }
    }

    /// A list of texts.
    pub fn texts(&mut self, node: &Node, key: &str) -> Vec<String> {
        let items = self.items(node, key);
        items.iter().filter_map(|(key, item)| self.text(item, key).map(str::to_owned)).collect()
    }

    /// One word out of a few.
    pub fn one_of<T: Copy>(&mut self, node: &Node, key: &str, choices: &[(&str, T)]) -> Option<T> {
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        let wanted = match names.as_slice() {
            [only] => format!("`{only}`"),
            _ => format!("one of {}", names.join(", ")),
        };
        let Kind::String(text) = &node.kind else { return self.wrong_type(node, key, &wanted) };
        let found = choices.iter().find(|(name, _)| name == text).map(|(_, value)| *value);
        if found.is_none() {
            self.problem(node.place, key, format!("`{text}` is not known here; write {wanted}"));
        }
        found
    }

    /// Notes that a value is of the wrong kind; `None`, so that it can end an expression.
    pub fn wrong_type<T>(&mut self, node: &Node, key: &str, wanted: &str) -> Option<T> {
        let message = format!("must be {wanted}, not {}", node.kind_name());
        self.problem(node.place, key, message);
        None
    }
}

/// The fields of one map.
#[derive(Debug)]
pub struct Fields<'n> {
    /// Where the map begins.
    pub place: Place,
    key: String,
    entries: Vec<&'n Entry>,
}

impl<'n> Fields<'n> {
    /// The field's value and its full key, if it was given.
    pub fn get(&self, name: &str) -> Option<(&'n Node, String)> {
        let entry = self.entries.iter().find(|entry| entry.key == name)?;
        Some((&entry.value, join(&self.key, name)))
    }

    /// The same for a field that must be there.
    pub fn need(&self, reader: &mut Reader<'_>, name: &str) -> Option<(&'n Node, String)> {
        let found = self.get(name);
        if found.is_none() {
            reader.problem(self.place, &join(&self.key, name), "is missing");
        }
        found
    }
}

/// `policy` and `bash` make `policy.bash`.
pub(super) fn join(outer: &str, inner: &str) -> String {
    if outer.is_empty() { inner.to_owned() } else { format!("{outer}.{inner}") }
}

fn unknown(key: &str, known: &[&str]) -> String {
    let near = known
        .iter()
        .map(|name| (likeness(key, name), name))
        .filter(|(likeness, _)| *likeness >= 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((_, name)) => format!("unknown key; did you mean `{name}`?"),
        None if known.is_empty() => "unknown key".to_owned(),
        None => format!("unknown key; known here: {}", known.join(", ")),
    }
}

/// How alike two words are, up to 1; letters that changed places count for less than ones that are
/// missing.
fn likeness(a: &str, b: &str) -> f32 {
    let apart = a.chars().count().abs_diff(b.chars().count());
    similar::TextDiff::from_chars(a, b).ratio() - 0.1 * apart as f32
}
