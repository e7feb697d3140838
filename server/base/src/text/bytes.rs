//! Bytes of a file to text and back. A text is only taken for editable when turning it back gives
//! the very bytes it came from, so that an edit never touches what it was not about.

use super::line_end::{LineEnd, dominant};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// A file that is not Unicode and has more than one control character in so many bytes is no text,
/// though some old encoding can hold any bytes at all.
const BYTES_A_CONTROL: usize = 64;
/// How many bytes are looked at to guess an encoding, from the first that is not ASCII.
const GUESSED_FROM: usize = 256 * 1024;

/// How a text is written in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset(&'static Encoding);

impl Charset {
    /// UTF-8.
    pub const UTF_8: Self = Self(UTF_8);

    /// Its name, as the web's encoding standard has it.
    pub fn name(self) -> &'static str {
        self.0.name()
    }
}

/// What a file's bytes have beside their text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The encoding.
    pub charset: Charset,
    /// Whether it begins with a byte order mark.
    pub bom: bool,
    /// How most of its lines end.
    pub line_end: LineEnd,
}

impl Default for Format {
    fn default() -> Self {
        Self { charset: Charset::UTF_8, bom: false, line_end: LineEnd::Lf }
    }
}

impl Format {
    /// UTF-8 with the line ends of this text: what is known of a document that an editor holds.
    pub fn of_text(text: &str) -> Self {
        Self { line_end: dominant(text), ..Self::default() }
    }
}

/// The text of some bytes, without its byte order mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// How to write it again.
    pub format: Format,
}

/// Why bytes are not a text that can be shown and edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotText {
    /// NUL bytes: not a text file.
    #[error("it is a binary file")]
    Binary,
    /// No encoding was found that gives the same bytes back.
    #[error("its encoding is not known well enough to edit it without damage")]
    UnknownEncoding,
}

/// A text can't be written in the file's encoding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the text has characters that the file's encoding ({0}) does not have")]
pub struct Unencodable(pub &'static str);

/// The text of a file.
pub fn decode(bytes: &[u8]) -> Result<Decoded, NotText> {
    let (charset, bom) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, length),
        None if bytes.contains(&0) => return Err(NotText::Binary),
        None if std::str::from_utf8(bytes).is_ok() => (UTF_8, 0),
        None if is_binary(bytes) => return Err(NotText::Binary),
        None => (guess(bytes), 0),
    };
    let (text, had_errors) = charset.decode_without_bom_handling(&bytes[bom..]);
    if had_errors {
        return Err(NotText::UnknownEncoding);
    }
    let format = Format { charset: Charset(charset), bom: bom > 0, line_end: dominant(&text) };
    let decoded = Decoded { text: text.into_owned(), format };
    if decoded.text.contains('\0') {
        return Err(NotText::Binary);
    }
    match encode(&decoded.text, &format) {
        Ok(again) if again == bytes => Ok(decoded),
        _ => Err(NotText::UnknownEncoding),
    }
}

/// The bytes of a text in a file's format.
pub fn encode(text: &str, format: &Format) -> Result<Vec<u8>, Unencodable> {
    let Charset(encoding) = format.charset;
    let mut bytes = Vec::with_capacity(text.len() + 3);
    if encoding == UTF_16LE || encoding == UTF_16BE {
        let unit = if encoding == UTF_16LE { u16::to_le_bytes } else { u16::to_be_bytes };
        let mark = format.bom.then_some('\u{FEFF}');
        let mark = mark.map(|mark| mark as u16);
        bytes.extend(mark.into_iter().chain(text.encode_utf16()).flat_map(unit));
        return Ok(bytes);
    }
    if format.bom {
        bytes.extend_from_slice("\u{FEFF}".as_bytes());
    }
    let (encoded, _, unencodable) = encoding.encode(text);
    if unencodable {
        return Err(Unencodable(encoding.name()));
    }
    bytes.extend_from_slice(&encoded);
    Ok(bytes)
}

fn is_binary(bytes: &[u8]) -> bool {
    let controls = bytes.iter().filter(|byte| matches!(byte, 1..=6 | 14..=26 | 28..=31 | 127)).count();
    controls * BYTES_A_CONTROL > bytes.len()
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let start = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let window = &bytes[start..bytes.len().min(start + GUESSED_FROM)];
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(window, true);
    detector.guess(None, chardetng::Utf8Detection::Deny)
}
