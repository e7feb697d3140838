//! Call ids as each wire format takes them. A session may hold ids from several providers; what a
//! format refuses is replaced, the same way in every request (so that the provider's cache holds),
//! the same on a call and its result, and never by one id for two.

use assent_base::chat::{Message, Part};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};

/// What a format takes as a call's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IdRule {
    /// At most 40 letters, digits and `_-.:`.
    Chat,
    /// At most 64 of the same.
    Responses,
    /// Letters, digits, `_` and `-`, at most 64.
    Anthropic,
    /// Exactly nine letters or digits.
    Nine,
}

impl IdRule {
    fn takes(self, id: &str) -> bool {
        let length = id.len();
        let plain =
            |extra: &[u8]| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || extra.contains(&byte));
        match self {
            Self::Chat => (1..=40).contains(&length) && plain(b"_-.:"),
            Self::Responses => (1..=64).contains(&length) && plain(b"_-.:"),
            Self::Anthropic => (1..=64).contains(&length) && plain(b"_-"),
            Self::Nine => length == 9 && plain(b""),
        }
    }

    /// An id made of `id` that the format takes; another one for each `attempt`.
    fn replace(self, id: &str, attempt: u32) -> String {
        let digest = Sha256::new().chain_update(attempt.to_be_bytes()).chain_update(id).finalize();
        const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let letters = digest.iter().map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]));
        match self {
            Self::Nine => letters.take(9).collect(),
            Self::Chat | Self::Responses | Self::Anthropic => {
                "call_".chars().chain(letters.take(27)).collect()
            }
        }
    }
}

/// The ids of one request.
pub(crate) struct WireIds<'a> {
    replaced: HashMap<&'a str, String>,
}

impl<'a> WireIds<'a> {
    /// Looks through the conversation and replaces what `rule` refuses.
    pub(crate) fn new(rule: IdRule, conversation: impl Iterator<Item = &'a Message>) -> Self {
        let ids: Vec<&str> = conversation.flat_map(ids_of).collect();
        let mut taken: HashSet<String> =
            ids.iter().filter(|id| rule.takes(id)).map(|id| (*id).to_owned()).collect();
        let mut replaced = HashMap::new();
        for id in ids {
            if rule.takes(id) || replaced.contains_key(id) {
                continue;
            }
            let mut attempt = 0;
            let mut candidate = rule.replace(id, attempt);
            while !taken.insert(candidate.clone()) {
                attempt += 1;
                candidate = rule.replace(id, attempt);
            }
            replaced.insert(id, candidate);
        }
        Self { replaced }
    }

    /// The id to send for `id`.
    pub(crate) fn get<'b>(&'b self, id: &'b str) -> &'b str {
        self.replaced.get(id).map_or(id, String::as_str)
    }
}

fn ids_of(message: &Message) -> Vec<&str> {
    match message {
        Message::User(_) => Vec::new(),
        Message::Assistant(parts) => parts.iter().filter_map(call_id).collect(),
        Message::Results(results) => results.iter().map(|result| result.call_id.as_str()).collect(),
    }
}

fn call_id(part: &Part) -> Option<&str> {
    match part {
        Part::Call(call) => Some(call.id.as_str()),
        Part::Text(_) | Part::Reasoning(_) => None,
    }
}

/// A tool's name as every provider takes it: letters, digits, `_` and `-`, 1 to 64 of them. A model
/// may have called something that has no such name; the history must stay valid all the same.
pub(crate) fn wire_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name: String = name.chars().take(64).map(plain).collect();
    if name.is_empty() { "invalid".to_owned() } else { name }
}

#[cfg(test)]
mod tests;
