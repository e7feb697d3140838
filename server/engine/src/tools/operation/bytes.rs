//! `readFileBytes`: a range of a file's bytes, as text where it is text, else as a dump.

use super::super::{ToolContext, ToolOutput, target};
use crate::documents;
use crate::limits;
use assent_base::path::{DocumentUri, ResolvedPath};
use assent_base::policy::ResolvedCall;
use assent_base::text;
use std::fmt::Write;

pub(super) async fn read(call: &ResolvedCall, path: &ResolvedPath, ctx: &ToolContext) -> ToolOutput {
    let offset = target::number(&call.arguments, "offset").unwrap_or(0);
    let length = target::number(&call.arguments, "length").unwrap_or(0);
    if length == 0 {
        return ToolOutput::error("length must be at least 1.");
    }
    let most = length.min(limits::READ_BYTES);
    let part = match ctx.documents.get(&DocumentUri::from_path(&path.absolute)) {
        // An open document is its buffer.
        Some(open) => match text::encode(&open.text.to_string(), &open.format) {
            Ok(bytes) => Ok(cut(&bytes, offset, most)),
            Err(problem) => Err(problem.to_string()),
        },
        None => documents::load_part(&path.canonical, offset, most).await.map_err(|error| error.to_string()),
    };
    let (bytes, total) = match part {
        Ok(part) => part,
        Err(words) => return ToolOutput::error(words),
    };
    let name = &call.subject;
    if total == 0 && offset == 0 {
        return ToolOutput::text(format!("{name} is empty (0 bytes)."));
    }
    if bytes.is_empty() {
        return ToolOutput::error(format!(
            "Nothing to show: {name} has {total} bytes, and offset {offset} is behind the last."
        ));
    }
    let end = offset + bytes.len() as u64;
    let rest = match end < total && length > most {
        true => format!(" At most {most} bytes are shown at once: go on with offset {end}."),
        false => String::new(),
    };
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let shown = match std::str::from_utf8(&bytes) {
        Ok(text) if !text.contains(control) => text.to_owned(),
        _ => dump(&bytes, offset),
    };
    ToolOutput::text(format!("{name}: bytes {offset} to {end} of {total}.{rest}\n{shown}"))
}

fn cut(bytes: &[u8], offset: u64, most: u64) -> (Vec<u8>, u64) {
    let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(bytes.len());
    (bytes[at(offset)..at(offset.saturating_add(most))].to_vec(), bytes.len() as u64)
}

/// Sixteen bytes a line: offset, hexadecimal, and what of it is ASCII.
fn dump(bytes: &[u8], offset: u64) -> String {
    let mut out = String::with_capacity(bytes.len() * 5);
    for (nth, row) in bytes.chunks(16).enumerate() {
        // Writing to a string can't fail.
        let _ = write!(out, "{:08x} ", offset + 16 * nth as u64);
        for byte in row {
            let _ = write!(out, " {byte:02x}");
        }
        let printable = |byte: &u8| if matches!(byte, 0x20..=0x7e) { char::from(*byte) } else { '.' };
        let ascii: String = row.iter().map(printable).collect();
        let _ = writeln!(out, "{}  {ascii}", "   ".repeat(16 - row.len()));
    }
    out
}
