//! The documents of the fake client: their text, version and whether they are saved, with
//! positions counted as the server and the client agreed.

use super::Client;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The byte order mark.
const MARK: &str = "\u{feff}";

/// How columns are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// In bytes.
    Utf8,
    /// In UTF-16 code units.
    #[default]
    Utf16,
}

/// An open document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its version.
    pub version: i32,
    /// Its text.
    pub text: String,
    /// Whether it has changes that are not saved.
    pub dirty: bool,
    /// Opened by an edit of the server, to be closed again when it is saved.
    pub(super) hidden: bool,
    /// The file begins with a byte order mark, which no editor counts as text.
    marked: bool,
}

#[derive(Default)]
pub(super) struct Documents {
    pub(super) encoding: Encoding,
    pub(super) open: BTreeMap<String, Document>,
}

impl Encoding {
    /// The offset of a position as LSP defines it: behind the end of a line is its end, behind
    /// the last line is the end of the text.
    pub(super) fn offset(self, text: &str, position: &Value) -> usize {
        let line = position["line"].as_u64().unwrap_or_default();
        let mut start = 0;
        for _ in 0..line {
            match text[start..].find('\n') {
                Some(at) => start += at + 1,
                None => return text.len(),
            }
        }
        let rest = &text[start..];
        let length = rest.find('\n').map_or(rest.len(), |at| rest[..at].trim_end_matches('\r').len());
        let wanted = position["character"].as_u64().unwrap_or_default();
        let mut column = 0;
        for (at, character) in rest[..length].char_indices() {
            if column >= wanted {
                return start + at;
            }
            column += match self {
                Self::Utf8 => character.len_utf8() as u64,
                Self::Utf16 => character.len_utf16() as u64,
            };
        }
        start + length
    }

    /// The position of an offset.
    pub(super) fn position(self, text: &str, offset: usize) -> Value {
        let before = &text[..offset];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = match self {
            Self::Utf8 => offset - start,
            Self::Utf16 => before[start..].encode_utf16().count(),
        };
        json!({ "line": line, "character": column })
    }
}

/// The path of a `file:` URI.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let encoded = uri.strip_prefix("file://")?.as_bytes();
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < encoded.len() {
        let escaped = (encoded[at] == b'%').then(|| encoded.get(at + 1..at + 3)).flatten();
        let value = escaped.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(value.unwrap_or(encoded[at]));
        at += if value.is_some() { 3 } else { 1 };
    }
    Some(PathBuf::from(String::from_utf8(bytes).ok()?))
}

impl Client {
    /// Open a file of the workspace as it is on the disk.
    #[track_caller]
    pub fn open(&mut self, path: &str) -> String {
        let uri = crate::workspace::uri(&self.root.join(path));
        self.open_file(&uri, false);
        uri
    }

    /// Open a file as VS Code does: without its byte order mark, and with replacement characters
    /// for what is no UTF-8. A file that does not exist is empty.
    pub(super) fn open_file(&mut self, uri: &str, hidden: bool) {
        let bytes = path_of(uri).and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        self.open_document(uri, text.strip_prefix(MARK).unwrap_or(&text), hidden);
        if let Some(document) = self.documents.open.get_mut(uri) {
            document.marked = text.starts_with(MARK);
        }
    }

    /// Open a document of any URI with a text.
    pub fn open_uri(&mut self, uri: &str, text: &str) {
        self.open_document(uri, text, false);
    }

    pub(super) fn open_document(&mut self, uri: &str, text: &str, hidden: bool) {
        let document = Document { version: 1, text: text.to_owned(), dirty: false, hidden, marked: false };
        self.documents.open.insert(uri.to_owned(), document);
        let item = json!({ "uri": uri, "languageId": "plaintext", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Replace the first occurrence of a text in an open document, as a user typing would.
    #[track_caller]
    pub fn replace(&mut self, uri: &str, old: &str, new: &str) {
        let document = self.document(uri);
        let Some(start) = document.text.find(old) else {
            panic!("{old:?} is not in {uri}: {:?}", document.text)
        };
        self.change(uri, start..start + old.len(), new);
    }

    /// Type at the end of an open document.
    #[track_caller]
    pub fn append(&mut self, uri: &str, text: &str) {
        let end = self.document(uri).text.len();
        self.change(uri, end..end, text);
    }

    /// Replace bytes of an open document and tell the server.
    #[track_caller]
    pub fn change(&mut self, uri: &str, range: std::ops::Range<usize>, text: &str) {
        let changes = self.edit_document(uri, vec![(range, text.to_owned())]);
        self.send_changes(uri, changes);
    }

    /// Send changes exactly as given, and do to the document what LSP says they do.
    #[track_caller]
    pub fn change_raw(&mut self, uri: &str, changes: Value) {
        let encoding = self.documents.encoding;
        let document = self.documents.open.get_mut(uri).unwrap_or_else(|| panic!("{uri} is not open"));
        for change in changes.as_array().unwrap() {
            let text = change["text"].as_str().unwrap();
            if change["range"].is_null() {
                text.clone_into(&mut document.text);
            } else {
                let start = encoding.offset(&document.text, &change["range"]["start"]);
                let end = encoding.offset(&document.text, &change["range"]["end"]);
                document.text.replace_range(start..end, text);
            }
        }
        document.version += 1;
        document.dirty = true;
        self.send_changes(uri, changes);
    }

    /// Change the text without telling the server yet; gives the content changes that are due.
    /// The ranges refer to the text before and must not overlap.
    #[track_caller]
    pub(super) fn edit_document(
        &mut self,
        uri: &str,
        mut edits: Vec<(std::ops::Range<usize>, String)>,
    ) -> Value {
        let encoding = self.documents.encoding;
        let document = self.documents.open.get_mut(uri).unwrap_or_else(|| panic!("{uri} is not open"));
        // From the end to the start, so that no change moves another; edits at one place keep
        // their order.
        edits.reverse();
        edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        let mut changes = Vec::new();
        for (range, text) in edits {
            let start = encoding.position(&document.text, range.start);
            let end = encoding.position(&document.text, range.end);
            changes.push(json!({ "range": { "start": start, "end": end }, "text": text }));
            document.text.replace_range(range, &text);
        }
        document.version += 1;
        document.dirty = true;
        Value::Array(changes)
    }

    pub(super) fn send_changes(&mut self, uri: &str, changes: Value) {
        let version = self.documents.open[uri].version;
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes }),
        );
    }

    /// An open document.
    #[track_caller]
    pub fn document(&self, uri: &str) -> &Document {
        self.documents.open.get(uri).unwrap_or_else(|| panic!("{uri} is not open"))
    }

    /// Whether a document is open.
    pub fn is_open(&self, uri: &str) -> bool {
        self.documents.open.contains_key(uri)
    }

    /// Save an open document, as the user would.
    #[track_caller]
    pub fn save(&mut self, uri: &str) {
        self.write_document(uri).unwrap();
    }

    fn write_document(&mut self, uri: &str) -> std::io::Result<()> {
        let Some(path) = path_of(uri) else {
            return Err(std::io::Error::other("only files can be saved"));
        };
        let Some(document) = self.documents.open.get_mut(uri) else {
            return Err(std::io::Error::other("not open"));
        };
        let mark = if document.marked { MARK } else { "" };
        std::fs::write(path, format!("{mark}{}", document.text))?;
        document.dirty = false;
        self.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
        Ok(())
    }

    /// Close a document.
    pub fn close(&mut self, uri: &str) {
        self.documents.open.remove(uri);
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// Answer `_assent/document/save`: save, and close what only the server's edit had opened.
    pub(super) fn save_documents(&mut self, request: &super::ServerRequest) {
        let mut saved = Vec::new();
        for uri in request.params["uris"].as_array().into_iter().flatten() {
            let Some(uri) = uri.as_str() else { continue };
            if self.write_document(uri).is_ok() {
                saved.push(uri.to_owned());
            }
        }
        self.answer(request, json!({ "saved": saved }));
        for uri in saved {
            if self.documents.open.get(&uri).is_some_and(|document| document.hidden) {
                self.close(&uri);
            }
        }
    }
}

#[cfg(test)]
mod tests;
