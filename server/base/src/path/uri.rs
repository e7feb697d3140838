//! The identity of a document.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The identity of a document. Two spellings of one URI (case of the drive, percent-encoding)
/// are one `DocumentUri`; the spelling the client used first is kept for talking back.
#[derive(Debug, Clone)]
pub struct DocumentUri {
    /// The normalised form, compared and hashed.
    key: Arc<str>,
    /// The client's own spelling.
    spelling: Arc<str>,
    /// The local file, if it names one.
    path: Option<Arc<Path>>,
}

impl PartialEq for DocumentUri {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl Eq for DocumentUri {}
impl std::hash::Hash for DocumentUri {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}
impl PartialOrd for DocumentUri {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for DocumentUri {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

/// By its spelling.
impl Serialize for DocumentUri {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.spelling)
    }
}
impl<'de> Deserialize<'de> for DocumentUri {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|spelling| Self::new(&spelling))
    }
}

impl DocumentUri {
    /// A URI as a client spelled it. Never fails: what is no URI is its own identity.
    pub fn new(spelling: &str) -> Self {
        let (key, path) = match local_file(spelling) {
            Some(bytes) => {
                let path = path_of(&bytes).map(Arc::from);
                (Arc::from(format!("file://{}", encode(&fold_drive(bytes)))), path)
            }
            None => (Arc::from(spelling), None),
        };
        Self { key, spelling: Arc::from(spelling), path }
    }

    /// The URI of an absolute path.
    pub fn from_path(path: &Path) -> Self {
        match url::Url::from_file_path(path) {
            Ok(url) => Self::new(url.as_str()),
            Err(()) => Self::new(&path.to_string_lossy()),
        }
    }

    /// The client's own spelling, for messages to that client.
    pub fn as_str(&self) -> &str {
        &self.spelling
    }

    /// The path of a `file:` URI of this machine; `None` for `untitled:` and all others, for
    /// other hosts, and where decoding would bring forth `.`, `..`, a NUL or another separator.
    pub fn to_path(&self) -> Option<PathBuf> {
        self.path.as_deref().map(Path::to_path_buf)
    }
}

/// The decoded path of a `file:` URI without a foreign authority, query or fragment; decoded
/// exactly once.
fn local_file(spelling: &str) -> Option<Vec<u8>> {
    let (scheme, rest) = spelling.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") || rest.contains(['?', '#', '\\']) {
        return None;
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let slash = rest.find('/')?;
            let (host, path) = rest.split_at(slash);
            (host.is_empty() || host.eq_ignore_ascii_case("localhost")).then_some(path)?
        }
        None => rest,
    };
    if !path.starts_with('/') || path.starts_with("//") {
        return None;
    }
    path.split('/').map(decode_segment).collect::<Option<Vec<_>>>().map(|parts| parts.join(&b'/'))
}

/// One segment, decoded; `None` where that would change the shape of the path.
fn decode_segment(segment: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match (first, tail) {
            (b'%', [high, low, after @ ..]) => hex(*high).zip(hex(*low)).map(|(h, l)| (h << 4 | l, after)),
            _ => None,
        };
        // A `%` that escapes nothing stands for itself, as clients that forget to encode mean it.
        let (byte, after) = escaped.unwrap_or((*first, tail));
        bytes.push(byte);
        rest = after;
    }
    // A backslash is an ordinary character of a file name where it is no separator.
    let separates = |byte: &u8| matches!(byte, 0 | b'/') || (cfg!(windows) && *byte == b'\\');
    let reshapes = bytes == b"." || bytes == b".." || bytes.iter().any(separates);
    (!reshapes).then_some(bytes)
}

fn hex(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// `/C:/x` and `/c:/x` are one file.
fn fold_drive(mut bytes: Vec<u8>) -> Vec<u8> {
    if let [b'/', drive, b':', rest @ ..] = bytes.as_mut_slice()
        && (rest.is_empty() || rest.starts_with(b"/"))
    {
        drive.make_ascii_lowercase();
    }
    bytes
}

/// Percent-encodes whatever could be spelled in two ways.
fn encode(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b'+' | b':' => {
                text.push(byte as char);
            }
            _ => {
                // Writing to a string can't fail.
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    let text = std::str::from_utf8(bytes).ok()?;
    let path = PathBuf::from(text.strip_prefix('/')?.replace('/', "\\"));
    let device = path.components().skip(1).any(super::lexical::is_device);
    (path.is_absolute() && !device).then_some(path)
}
