//! Positions of an editor to bytes and back. Never fails: what lies beyond a line or the text is
//! its end, what lies inside a character is its start.

use super::{Position, PositionEncoding, PositionRange};
use crate::edit::{Edit, EditSet};
use ropey::{Rope, RopeSlice};
use std::ops::Range;

/// The byte of a position.
pub fn offset(text: &Rope, position: Position, encoding: PositionEncoding) -> usize {
    let line = position.line as usize;
    if line >= text.len_lines() {
        return text.len_bytes();
    }
    text.line_to_byte(line) + byte_in_line(text.line(line), position.character as usize, encoding)
}

/// Costs no more in a line that is a whole file long than in a short one.
fn byte_in_line(line: RopeSlice<'_>, column: usize, encoding: PositionEncoding) -> usize {
    let ends_with = |end: usize, byte: u8| end > 0 && line.byte(end - 1) == byte;
    let bytes = line.len_bytes();
    let end = bytes - usize::from(ends_with(bytes, b'\n'));
    let end_column = column_of(line, end, encoding);
    if column > end_column {
        // Past the end is before the line end, of which `\r` is a part. Exactly between `\r` and
        // `\n` is a place of its own: an editor that shows a stray `\r` (Neovim, where a file mixes
        // line ends) points there when it is taken away.
        return end - usize::from(end < bytes && ends_with(end, b'\r'));
    }
    let char = match encoding {
        PositionEncoding::Utf8 => line.byte_to_char(column),
        PositionEncoding::Utf16 => line.utf16_cu_to_char(column),
        PositionEncoding::Utf32 => column,
    };
    line.char_to_byte(char)
}

fn column_of(line: RopeSlice<'_>, byte: usize, encoding: PositionEncoding) -> usize {
    let char = line.byte_to_char(byte);
    match encoding {
        PositionEncoding::Utf8 => line.char_to_byte(char),
        PositionEncoding::Utf16 => line.char_to_utf16_cu(char),
        PositionEncoding::Utf32 => char,
    }
}

/// The position of a byte.
pub fn position(text: &Rope, offset: usize, encoding: PositionEncoding) -> Position {
    let offset = offset.min(text.len_bytes());
    let line = text.byte_to_line(offset);
    let character = column_of(text.line(line), offset - text.line_to_byte(line), encoding);
    Position { line: count(line), character: count(character) }
}

/// The bytes of a range; one that is upside down is turned.
pub fn range(text: &Rope, range: PositionRange, encoding: PositionEncoding) -> Range<usize> {
    let (start, end) = (offset(text, range.start, encoding), offset(text, range.end, encoding));
    start.min(end)..start.max(end)
}

/// The positions of a range of bytes.
pub fn position_range(text: &Rope, range: &Range<usize>, encoding: PositionEncoding) -> PositionRange {
    PositionRange { start: position(text, range.start, encoding), end: position(text, range.end, encoding) }
}

/// Apply one change as an editor tells it; gives it in bytes of the text before. Without a range
/// the whole text is replaced. What the old and the new text share is left out, so that a formatter
/// that replaces the whole document does not seem to have touched every line.
pub fn apply_change(
    text: &mut Rope,
    change: Option<PositionRange>,
    new: &str,
    encoding: PositionEncoding,
) -> EditSet {
    let before = text.len_bytes();
    let bytes = change.map_or(0..before, |change| range(text, change, encoding));
    let chars = text.byte_to_char(bytes.start)..text.byte_to_char(bytes.end);
    let edits = if bytes.is_empty() || new.is_empty() {
        vec![Edit { range: bytes, text: new.to_owned() }]
    } else {
        let gone = text.slice(chars.clone()).to_string();
        let place = |edit: &Edit| bytes.start + edit.range.start..bytes.start + edit.range.end;
        let step = EditSet::from_diff(&gone, new);
        step.edits().iter().map(|edit| Edit { range: place(edit), text: edit.text.clone() }).collect()
    };
    if !chars.is_empty() {
        text.remove(chars.clone());
    }
    text.insert(chars.start, new);
    // Edits of a diff inside the text: a set by construction.
    EditSet::new(before, edits).unwrap_or_else(|_| EditSet::empty(before))
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
