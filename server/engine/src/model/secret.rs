//! A key. It can be put into a header and cut out of a text, and nothing else: it has no
//! `Display`, no `Serialize`, and its `Debug` says only that it is there.

use reqwest::header::HeaderValue;

/// No provider gives out shorter keys.
const SHORTEST: usize = 8;

/// A provider's key.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// A header's value made of `prefix` and the key, marked so that no log prints it; `None`
    /// where the key holds characters that no header may carry.
    pub(crate) fn header(&self, prefix: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("{prefix}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// `text` without the key. What people set for servers that want any key at all (`none`, `x`)
    /// is no secret, and would be found in ordinary words.
    pub(crate) fn cut_from(&self, text: &str) -> String {
        if self.0.len() < SHORTEST { text.to_owned() } else { text.replace(&self.0, "[redacted]") }
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[redacted]")
    }
}
