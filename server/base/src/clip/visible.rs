//! What an approval shows: every character that could hide something is made visible.

/// The text with control, bidirectional, zero-width and tag characters as `⟨U+202E⟩`, and how
/// many there were. A line feed stays: a command of several lines is shown as several lines.
pub fn make_visible(text: &str) -> (String, usize) {
    let mut shown = String::with_capacity(text.len());
    let mut hidden = 0;
    for c in text.chars() {
        if c != '\n' && is_hidden(c) {
            hidden += 1;
            shown.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    (shown, hidden)
}

/// The same for a text that is shown in one line: a line feed is made visible too.
pub fn visible_line(text: &str) -> String {
    make_visible(text).0.replace('\n', "⟨U+000A⟩")
}

/// Characters that are not seen, or that change how others are seen.
pub fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(u32::from(c),
            0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F
            | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x2800 | 0x3164 | 0xFE00..=0xFE0F
            | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
        // Blanks that the shell does not take for blanks.
        || matches!(u32::from(c), 0xA0 | 0x1680 | 0x2000..=0x200A | 0x202F | 0x205F | 0x3000)
}
