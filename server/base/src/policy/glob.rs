//! Globs of policy rules: `*`, `**`, `?`, `[a-z]`, `[!x]`, `{a,b}`, and `\` before any of them.
//!
//! A glob always has to match the whole subject. What `*` covers depends on the subject: in a
//! path it stays within one part, `**` crosses parts; in a command line and any other text it
//! covers everything. The pattern `*` alone is "every subject". Matching is linear in the subject
//! for each token of the pattern, whatever the pattern.

/// What the subject is, for the reach of `*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// `*`, `?` and classes stop at `/`.
    Path,
    /// Nothing stops them.
    Text,
}

/// The longest pattern, and the most alternatives that `{…}` may make.
const MAX_PATTERN: usize = 1_000;
const MAX_ALTERNATIVES: usize = 64;

/// A compiled glob: one token row for each alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glob {
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    /// The literal text that every match begins with: refuses most subjects at once.
    prefix: String,
    /// The tokens after it.
    tokens: Vec<Token>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Char(char),
    Any,
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    /// `*`
    Star,
    /// `**`
    Deep,
    /// `**/`: nothing, or whole parts.
    DeepParts,
}

impl Glob {
    /// Compiles a pattern; the error is for the person who wrote it.
    pub(super) fn new(pattern: &str) -> Result<Self, String> {
        if pattern.len() > MAX_PATTERN {
            return Err(format!("the pattern is longer than {MAX_PATTERN} bytes"));
        }
        let mut rows = Vec::new();
        for alternative in alternatives(pattern)? {
            let tokens = tokens(&alternative)?;
            let literal = tokens.iter().take_while(|token| matches!(token, Token::Char(_))).count();
            let prefix = tokens[..literal]
                .iter()
                .filter_map(|token| if let Token::Char(c) = token { Some(*c) } else { None })
                .collect();
            rows.push(Row { prefix, tokens: tokens[literal..].to_vec() });
        }
        Ok(Self { rows })
    }

    /// Whether the whole subject matches.
    pub(super) fn matches(&self, subject: &str, reach: Reach) -> bool {
        self.rows.iter().any(|row| match subject.strip_prefix(row.prefix.as_str()) {
            Some(rest) => matches(row, rest, reach),
            None => false,
        })
    }

    /// A star right after a word's letter (`cargo test*`), which covers more than it seems to.
    pub(super) fn glued_star(&self) -> bool {
        self.rows.iter().any(|row| {
            row.tokens == [Token::Star]
                && row.prefix.ends_with(|c: char| c.is_alphanumeric())
                && row.prefix.contains(' ')
        })
    }
}

/// Steps through the subject with the set of tokens that may come next.
fn matches(row: &Row, subject: &str, reach: Reach) -> bool {
    let tokens = row.tokens.as_slice();
    match tokens {
        [] => return subject.is_empty(),
        [Token::Star] if reach == Reach::Text || row.prefix.is_empty() => return true,
        [Token::Star] => return !subject.contains('/'),
        [Token::Deep] => return true,
        _ => {}
    }
    let mut next = vec![false; tokens.len() + 1];
    let mut now = vec![false; tokens.len() + 1];
    enter(tokens, &mut now, 0);
    for c in subject.chars() {
        next.fill(false);
        for (at, token) in tokens.iter().enumerate().filter(|(at, _)| now[*at]) {
            let crosses = reach == Reach::Text || c != '/';
            match token {
                Token::Char(wanted) if *wanted == c => enter(tokens, &mut next, at + 1),
                Token::Any if crosses => enter(tokens, &mut next, at + 1),
                Token::Class { negated, ranges } if crosses => {
                    let inside = ranges.iter().any(|(low, high)| (*low..=*high).contains(&c));
                    if inside != *negated {
                        enter(tokens, &mut next, at + 1);
                    }
                }
                Token::Star if crosses => enter(tokens, &mut next, at),
                Token::Deep => enter(tokens, &mut next, at),
                Token::DeepParts => {
                    next[at] = true;
                    if c == '/' {
                        enter(tokens, &mut next, at + 1);
                    }
                }
                _ => {}
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    now[tokens.len()]
}

/// The patterns that the `{a,b}` groups stand for. `{}` and `{a}` are plain text.
fn alternatives(pattern: &str) -> Result<Vec<String>, String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        match first_group(&pattern) {
            None => done.push(pattern),
            Some((range, choices)) => {
                for choice in choices.iter().rev() {
                    open.push(format!("{}{choice}{}", &pattern[..range.start], &pattern[range.end..]));
                }
            }
        }
        if open.len() + done.len() > MAX_ALTERNATIVES {
            return Err(format!("the pattern stands for more than {MAX_ALTERNATIVES} patterns"));
        }
    }
    Ok(done)
}

/// The first `{…}` with a comma in it, innermost groups last, and its choices.
fn first_group(pattern: &str) -> Option<(std::ops::Range<usize>, Vec<&str>)> {
    let (mut starts, mut escaped, mut in_class) = (Vec::new(), false, false);
    for (at, c) in pattern.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '{' if !in_class => starts.push((at, Vec::new())),
            ',' if !in_class => {
                if let Some((_, commas)) = starts.last_mut() {
                    commas.push(at);
                }
            }
            '}' if !in_class => {
                let Some((start, commas)) = starts.pop() else { continue };
                if commas.is_empty() {
                    continue;
                }
                let mut from = start + 1;
                let mut choices = Vec::new();
                for comma in commas {
                    choices.push(&pattern[from..comma]);
                    from = comma + 1;
                }
                choices.push(&pattern[from..at]);
                return Some((start..at + 1, choices));
            }
            _ => {}
        }
    }
    None
}

fn tokens(pattern: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = pattern.chars().peekable();
    while let Some(c) = rest.next() {
        tokens.push(match c {
            '\\' => Token::Char(rest.next().unwrap_or('\\')),
            '?' => Token::Any,
            '[' => class(&mut rest)?,
            '*' => {
                let mut stars = 1;
                while rest.next_if_eq(&'*').is_some() {
                    stars += 1;
                }
                let part = matches!(tokens.last(), None | Some(Token::Char('/')));
                match stars {
                    1 => Token::Star,
                    _ if part && rest.next_if_eq(&'/').is_some() => Token::DeepParts,
                    _ => Token::Deep,
                }
            }
            c => Token::Char(c),
        });
    }
    Ok(tokens)
}

fn class(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<Token, String> {
    let open = || "a `[` without its `]`; write `\\[` for the character itself".to_owned();
    let negated = rest.next_if(|c| matches!(c, '!' | '^')).is_some();
    let mut ranges = Vec::new();
    loop {
        let low = match rest.next().ok_or_else(open)? {
            ']' if !ranges.is_empty() => return Ok(Token::Class { negated, ranges }),
            '\\' => rest.next().ok_or_else(open)?,
            c => c,
        };
        let high = match rest.next_if_eq(&'-') {
            None => low,
            Some(_) => match rest.next().ok_or_else(open)? {
                // `[a-]`: the dash is meant.
                ']' => {
                    ranges.extend([(low, low), ('-', '-')]);
                    return Ok(Token::Class { negated, ranges });
                }
                '\\' => rest.next().ok_or_else(open)?,
                c => c,
            },
        };
        ranges.push((low, high));
    }
}

/// Marks a token, and what may follow without a character if it can match nothing.
fn enter(tokens: &[Token], set: &mut [bool], mut at: usize) {
    loop {
        set[at] = true;
        match tokens.get(at) {
            Some(Token::Star | Token::Deep | Token::DeepParts) => at += 1,
            _ => return,
        }
    }
}
