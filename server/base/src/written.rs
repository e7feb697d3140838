//! What people wrote: a tree that knows the place of every value, and the problems found in it.
//!
//! Definitions and settings are read through this, so that one run tells every mistake with file,
//! line and key, and a key that is given twice never silently wins.

mod cursor;
/// The fields of what people write, as tables.
pub mod field;
mod json;
mod reader;
mod yaml;

#[cfg(test)]
mod tests;

pub use cursor::{Cursor, cursor};
pub use field::{Field, Takes};
pub use json::from_json;
pub use reader::{Fields, Reader};
pub use yaml::from_yaml;

use serde_json::{Map, Number, Value};

/// Something wrong in a file that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {}{message}", if key.is_empty() { String::new() } else { format!("`{key}`: ") })]
pub struct Problem {
    /// The file, as it should be named to the user.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The key, dotted from the root (`policy.bash.allow[1]`); empty for the file as a whole.
    pub key: String,
    /// What is wrong and what would be right.
    pub message: String,
}

/// A place in a file, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Line.
    pub line: u32,
    /// Column in characters.
    pub column: u32,
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it begins.
    pub place: Place,
    /// What it is.
    pub kind: Kind,
}

/// The value of a [`Node`].
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    String(String),
    /// A list.
    List(Vec<Node>),
    /// Entries in the order they were written; a key may occur twice until a [`Reader`] objects.
    Map(Vec<Entry>),
}

/// One entry of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub place: Place,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The bare value. Of a key that occurs twice the last counts.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(value) => Value::Bool(*value),
            Kind::Number(value) => Value::Number(value.clone()),
            Kind::String(value) => Value::String(value.clone()),
            Kind::List(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Kind::Map(entries) => {
                let pairs = entries.iter().map(|entry| (entry.key.clone(), entry.value.to_value()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }

    /// What kind of value it is, in words for a message.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            Kind::Null => "nothing",
            Kind::Bool(_) => "true or false",
            Kind::Number(_) => "a number",
            Kind::String(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a map",
        }
    }
}
