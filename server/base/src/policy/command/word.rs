//! One word of a command, as the program would get it.

use tree_sitter::Node;

/// A word after quote removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// The text; where the shell would expand something, what was written.
    pub text: String,
    /// Whether the program gets exactly this text.
    pub literal: bool,
    /// Whether it is written without quotes and backslashes.
    pub plain: bool,
}

/// Reads a word from its node.
pub(super) fn word(node: Node<'_>, source: &str) -> Word {
    let mut builder = Builder { chars: Vec::new(), literal: true, plain: true };
    builder.node(node, source, 0);
    builder.finish()
}

/// A word from bare text, for keywords.
pub(super) fn bare(text: &str) -> Word {
    Word { text: text.to_owned(), literal: true, plain: true }
}

struct Builder {
    /// Each character, and whether it was quoted.
    chars: Vec<(char, bool)>,
    literal: bool,
    plain: bool,
}

impl Builder {
    fn node(&mut self, node: Node<'_>, source: &str, depth: usize) {
        let text = source.get(node.byte_range()).unwrap_or_default();
        let inner = |start: usize| text.get(start..text.len().saturating_sub(1)).unwrap_or_default();
        match node.kind() {
            "word" | "number" | "==" | "=~" => self.unquoted(text),
            "string" => {
                let mut cursor = node.walk();
                self.literal &=
                    node.named_children(&mut cursor).all(|child| child.kind() == "string_content");
                self.double_quoted(inner(1));
            }
            "raw_string" => {
                self.plain = false;
                self.quoted(inner(1));
            }
            "ansi_c_string" => {
                (self.plain, self.literal) = (false, false);
                self.quoted(&ansi_c(inner(2)));
            }
            "concatenation" | "command_name" if depth < 4 => {
                let mut end = node.start_byte();
                let mut cursor = node.walk();
                for child in node.children(&mut cursor) {
                    // What no child covers was not understood.
                    self.literal &= child.start_byte() == end;
                    end = child.end_byte();
                    self.node(child, source, depth + 1);
                }
                self.literal &= end == node.end_byte();
            }
            _ => {
                (self.plain, self.literal) = (false, false);
                self.quoted(text);
            }
        }
    }

    fn quoted(&mut self, text: &str) {
        self.chars.extend(text.chars().map(|c| (c, true)));
    }

    fn unquoted(&mut self, text: &str) {
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            if c != '\\' {
                self.chars.push((c, false));
                continue;
            }
            self.plain = false;
            match rest.next() {
                Some('\n') => {}
                Some(escaped) => self.chars.push((escaped, true)),
                None => self.literal = false,
            }
        }
    }

    fn double_quoted(&mut self, text: &str) {
        self.plain = false;
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            match (c, rest.peek().copied()) {
                ('\\', Some('\n')) => drop(rest.next()),
                ('\\', Some(escaped @ ('$' | '`' | '"' | '\\'))) => {
                    rest.next();
                    self.chars.push((escaped, true));
                }
                ('$' | '`', _) => {
                    self.literal = false;
                    self.chars.push((c, true));
                }
                _ => self.chars.push((c, true)),
            }
        }
    }

    fn finish(self) -> Word {
        let Self { chars, literal, plain } = self;
        let bare = |wanted: char| chars.contains(&(wanted, false));
        let pattern = ['*', '?', '[', '$', '`'].into_iter().any(bare);
        let braces = bare('{')
            && bare('}')
            && (bare(',') || chars.windows(2).any(|two| two == [('.', false), ('.', false)]));
        let mut before = None;
        let tilde = chars.iter().any(|c| {
            let expands = *c == ('~', false) && matches!(before, None | Some(('=' | ':', false)));
            before = Some(*c);
            expands
        });
        // The grammar joins some words that the shell does not.
        let blank = bare(' ') || bare('\n') || bare('\t');
        // zsh runs `=name`; no program needs a word that begins like this.
        let equals = chars.first() == Some(&('=', false));
        Word {
            text: chars.iter().map(|(c, _)| *c).collect(),
            literal: literal && !(pattern || braces || tilde || equals || blank),
            plain,
        }
    }
}

/// What `$'…'` stands for, as far as it can hide a name.
fn ansi_c(text: &str) -> String {
    let mut decoded = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c != '\\' {
            decoded.push(c);
            continue;
        }
        let Some(kind) = rest.chars().next() else { break };
        let (skip, radix, most) = match kind {
            'x' => (1, 16, 2),
            'u' => (1, 16, 4),
            'U' => (1, 16, 8),
            '0'..='7' => (0, 8, 3),
            _ => {
                rest = &rest[kind.len_utf8()..];
                decoded.push(match kind {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    other => other,
                });
                continue;
            }
        };
        let digits: String = rest.chars().skip(skip).take(most).take_while(|c| c.is_digit(radix)).collect();
        rest = &rest[skip + digits.len()..];
        decoded.extend(u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32));
    }
    decoded
}

/// Words as one line that a shell would read as these words, with one blank between them.
pub(in crate::policy) fn join(words: &[String]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| quote(word)).collect();
    quoted.join(" ")
}

fn quote(word: &str) -> std::borrow::Cow<'_, str> {
    let safe = |c: char| c.is_alphanumeric() || "_@%+=:,./-^".contains(c);
    if word == "{}" || (!word.is_empty() && word.chars().all(safe)) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''")).into()
}
