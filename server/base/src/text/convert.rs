//! Positions of an editor to bytes and back. Never fails: what lies beyond a line or the text is
//! its end, what lies inside a character is its start.

use super::{Position, PositionEncoding, PositionRange};
use crate::edit::{Edit, EditSet};
use ropey::Rope;
use std::ops::Range;

/// The byte of a position.
pub fn offset(text: &Rope, position: Position, encoding: PositionEncoding) -> usize {
    let line = position.line as usize;
    if line >= text.len_lines() {
        return text.len_bytes();
    }
    let start = text.line_to_byte(line);
    let columns = position.character as usize;
    let mut at = start;
    let mut counted = 0;
    for c in text.line(line).chars() {
        if c == '\n' || counted >= columns {
            break;
        }
        let width = width(c, encoding);
        if counted + width > columns {
            break;
        }
        counted += width;
        at += c.len_utf8();
    }
    // A position beyond the line is before its line end, of which `\r` is a part.
    let next_line = at < text.len_bytes() && text.byte(at) == b'\n';
    if next_line && counted <= columns && at > start && text.byte(at - 1) == b'\r' { at - 1 } else { at }
}

/// The position of a byte.
pub fn position(text: &Rope, offset: usize, encoding: PositionEncoding) -> Position {
    let offset = offset.min(text.len_bytes());
    let line = text.byte_to_line(offset);
    let start = text.line_to_byte(line);
    let before = text.byte_slice(start..text.char_to_byte(text.byte_to_char(offset)));
    let character = match encoding {
        PositionEncoding::Utf8 => before.len_bytes(),
        PositionEncoding::Utf16 => before.len_utf16_cu(),
        PositionEncoding::Utf32 => before.len_chars(),
    };
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
/// the whole text is replaced.
pub fn apply_change(
    text: &mut Rope,
    change: Option<PositionRange>,
    new: &str,
    encoding: PositionEncoding,
) -> EditSet {
    let before = text.len_bytes();
    let Some(change) = change else {
        let step = EditSet::from_diff(&text.to_string(), new);
        *text = Rope::from_str(new);
        return step;
    };
    let bytes = range(text, change, encoding);
    let chars = text.byte_to_char(bytes.start)..text.byte_to_char(bytes.end);
    text.remove(chars.clone());
    text.insert(chars.start, new);
    // One edit inside the text: a set by construction.
    EditSet::new(before, vec![Edit { range: bytes, text: new.to_owned() }])
        .unwrap_or_else(|_| EditSet::empty(before))
}

fn width(c: char, encoding: PositionEncoding) -> usize {
    match encoding {
        PositionEncoding::Utf8 => c.len_utf8(),
        PositionEncoding::Utf16 => c.len_utf16(),
        PositionEncoding::Utf32 => 1,
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
