//! Texts. Inside Assent an offset is a byte of the text it belongs to; lines and columns exist
//! only where a protocol or a person needs them. Only `\n` ends a line (a `\r` before it belongs
//! to the line end), so that every tool and every editor counts alike.

/// How a client counts columns (LSP `positionEncoding`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PositionEncoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, LSP's default.
    Utf16,
    /// Characters.
    Utf32,
}

/// A place in a text as an editor counts it: both numbers start at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line number.
    pub line: u32,
    /// Column in the units of a [`PositionEncoding`].
    pub character: u32,
}

/// A half-open range of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PositionRange {
    /// First position inside.
    pub start: Position,
    /// First position behind.
    pub end: Position,
}

mod bytes;
mod convert;
mod line_end;

pub use bytes::{Charset, Decoded, Format, NotText, Unencodable, decode, encode};
pub use convert::{apply_change, offset, position, position_range, range};
pub use line_end::{LineEnd, dominant, to_line_end};

#[cfg(test)]
mod tests;
