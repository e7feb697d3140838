//! Hunks as a unified diff.

use super::plain::plain;
use super::style::{Paint, Style};
use assent_base::clip::make_visible;
use assent_base::path::DocumentUri;
use assent_base::review::{Change, FileReview, Hunk};
use std::path::Path;

/// Lines shown before and after a hunk.
const CONTEXT: usize = 3;

/// What happens to the file, in a line.
pub fn heading(file: &FileReview, folder: &Path) -> String {
    let name = name(&file.uri, folder);
    match &file.change {
        Change::Edit => format!("Edit {name}"),
        Change::Create => format!("Create {name}"),
        Change::Delete => format!("Delete {name}"),
        Change::Rename { to } => format!("Rename {name} to {}", self::name(to, folder)),
    }
}

/// A hunk with the lines around it. Nothing of it is folded away, and what hides is made visible.
pub fn hunk(file: &FileReview, hunk: &Hunk, style: Style) -> String {
    let new_text = hunk.changed.as_deref().unwrap_or(&hunk.new_text);
    if matches!(file.change, Change::Rename { .. }) {
        return String::new();
    }
    let text = &file.text;
    let start = text.byte_to_line(hunk.range.start.min(text.len_bytes()));
    let end = text.byte_to_line(hunk.range.end.min(text.len_bytes()));
    // A last line without a line end is part of the hunk, not of what follows it.
    let end = if hunk.range.end >= text.len_bytes() { text.len_lines() } else { end };
    let first = start.saturating_sub(CONTEXT);
    let mut drawn = vec![style.paint(
        Paint::Dim,
        &format!("@@ -{} +{} @@", span(start + 1, &hunk.old_text), span(start + 1, new_text)),
    )];
    let context = |lines: std::ops::Range<usize>| {
        lines
            .filter_map(|line| text.get_line(line))
            .map(|line| line.to_string())
            .filter(|line| !line.is_empty())
    };
    drawn.extend(context(first..start).map(|line| format!(" {}", shown(&line))));
    drawn.extend(hunk.old_text.split_inclusive('\n').map(|line| changed('-', line, Paint::Removed, style)));
    drawn.extend(new_text.split_inclusive('\n').map(|line| changed('+', line, Paint::Added, style)));
    drawn.extend(context(end..end + CONTEXT).map(|line| format!(" {}", shown(&line))));
    drawn.join("\n") + "\n"
}

fn changed(mark: char, line: &str, paint: Paint, style: Style) -> String {
    let ending = if line.ends_with('\n') { "" } else { " (no line end)" };
    style.paint(paint, &format!("{mark}{}{ending}", shown(line)))
}

fn shown(line: &str) -> String {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    // A tab is ordinary in a file.
    line.split('\t').map(|piece| make_visible(piece).0).collect::<Vec<_>>().join("\t")
}

/// `line,count` as a unified diff has it.
fn span(line: usize, text: &str) -> String {
    format!("{line},{}", text.split_inclusive('\n').count())
}

/// A document as the user knows it: relative to the folder where it lies inside.
fn name(uri: &DocumentUri, folder: &Path) -> String {
    let Some(path) = uri.to_path() else { return plain(uri.as_str()) };
    let path = path.strip_prefix(folder).unwrap_or(&path);
    make_visible(&path.display().to_string()).0
}

#[cfg(test)]
mod tests;
