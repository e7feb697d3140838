//! YAML as a tree with places, from the parser's events.
//!
//! Only the plain part of YAML is read: `yes` and `on` are texts, anchors, aliases, merge keys
//! and tags are problems. Settings decide what may run, so nothing in them may mean something
//! else than it seems to.

use super::{Entry, Kind, Node, Place, Problem};
use serde_json::Number;
use serde_saphyr::granit_parser::{Event, Marker, Parser, ScalarStyle};

/// Deeper than any settings file; keeps every walk over the tree short of the stack's end.
const MAX_DEPTH: usize = 64;

/// Reads one YAML document; an empty one is [`Kind::Null`]. A syntax error ends the reading.
pub fn from_yaml(file: &str, text: &str) -> Result<Node, Problem> {
    let problem = |place: Place, message: String| Problem {
        file: file.to_owned(),
        line: place.line,
        column: place.column,
        key: String::new(),
        message,
    };
    let mut builder = Builder { open: Vec::new(), root: None };
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| problem(place(error.marker()), syntax(&error.info())))?;
        let at = place(&span.start);
        builder.event(event, at).map_err(|message| problem(at, message))?;
    }
    Ok(builder.root.unwrap_or(Node { place: Place { line: 1, column: 1 }, kind: Kind::Null }))
}

/// The parser's words, with a hint for the mistake that is easy to make in a rule list.
fn syntax(info: &str) -> String {
    let hint = "; a text that begins with `*`, `&`, `!`, `@`, `%` or a backtick needs quotes";
    format!("not valid YAML: {info}{hint}")
}

fn place(marker: &Marker) -> Place {
    let from = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Place { line: from(marker.line()).max(1), column: from(marker.col()).saturating_add(1) }
}

const NO_ANCHORS: &str = "anchors, aliases and tags are not supported; write the value out, and put quotes around a \
     text that begins with `*`, `&` or `!`";

/// A list or map whose end has not come yet.
struct Open {
    place: Place,
    kind: OpenKind,
}

enum OpenKind {
    List(Vec<Node>),
    Map { entries: Vec<Entry>, key: Option<(String, Place)> },
}

struct Builder {
    open: Vec<Open>,
    root: Option<Node>,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, place: Place) -> Result<(), String> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                plain_only(anchor, tag.is_some())?;
                let kind = match style {
                    ScalarStyle::Plain => plain(&text),
                    _ => Kind::String(text.clone().into_owned()),
                };
                match self.open.last_mut().map(|open| &mut open.kind) {
                    // A key is its text, whatever it would mean as a value.
                    Some(OpenKind::Map { key: key @ None, .. }) => {
                        *key = Some((text.into_owned(), place));
                        Ok(())
                    }
                    _ => self.add(Node { place, kind }),
                }
            }
            Event::SequenceStart(_, anchor, tag) => {
                plain_only(anchor, tag.is_some())?;
                self.begin(place, OpenKind::List(Vec::new()))
            }
            Event::MappingStart(_, anchor, tag) => {
                plain_only(anchor, tag.is_some())?;
                self.begin(place, OpenKind::Map { entries: Vec::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(..) | Event::UnresolvedAlias(..) | Event::Anchor(..) => Err(NO_ANCHORS.to_owned()),
            Event::DocumentStart(..) if self.root.is_some() => {
                Err("only one YAML document is read; remove the second `---`".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, place: Place, kind: OpenKind) -> Result<(), String> {
        if let Some(OpenKind::Map { key: None, .. }) = self.open.last().map(|open| &open.kind) {
            return Err(
                "a key must be a text; a text that begins with `[`, `{`, `*` or `?` needs quotes".to_owned()
            );
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(format!("nested deeper than {MAX_DEPTH} levels"));
        }
        self.open.push(Open { place, kind });
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        let Some(Open { place, kind }) = self.open.pop() else { return Ok(()) };
        let kind = match kind {
            OpenKind::List(items) => Kind::List(items),
            OpenKind::Map { entries, .. } => Kind::Map(entries),
        };
        self.add(Node { place, kind })
    }

    fn add(&mut self, node: Node) -> Result<(), String> {
        match self.open.last_mut().map(|open| &mut open.kind) {
            None => self.root = Some(node),
            Some(OpenKind::List(items)) => items.push(node),
            Some(OpenKind::Map { entries, key }) => match key.take() {
                Some((key, place)) if key == "<<" => {
                    return Err(format!(
                        "line {}: merge keys are not supported; write the value out",
                        place.line
                    ));
                }
                Some((key, place)) => entries.push(Entry { key, place, value: node }),
                None => return Err("a key must be a text".to_owned()),
            },
        }
        Ok(())
    }
}

fn plain_only(anchor: usize, tagged: bool) -> Result<(), String> {
    if anchor != 0 || tagged { Err(NO_ANCHORS.to_owned()) } else { Ok(()) }
}

/// What an unquoted scalar means: YAML's core schema, without its lesser spellings.
fn plain(text: &str) -> Kind {
    match text {
        "" | "~" | "null" => return Kind::Null,
        "true" => return Kind::Bool(true),
        "false" => return Kind::Bool(false),
        _ => {}
    }
    if let Ok(number) = text.parse::<i64>() {
        return Kind::Number(number.into());
    }
    let numeric = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    match text.parse::<f64>().ok().filter(|_| numeric).and_then(Number::from_f64) {
        Some(number) => Kind::Number(number),
        None => Kind::String(text.to_owned()),
    }
}
