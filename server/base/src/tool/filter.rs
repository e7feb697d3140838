//! What the model may give to a program: the argument filters of a tool file.
//!
//! `options` is the closed form: every option that passes is listed, with what its value is, so
//! that paths and addresses can be judged; one that is not listed asks. `allowArgs` and
//! `denyArgs` are the open form, prefixes of whole arguments; a deny list makes the allow list of
//! no effect, as the format's document says. Arguments are compared as they are: nothing is split, joined
//! or expanded.

use crate::written::{Fields, Node, Reader};

/// The filters of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArgumentFilter {
    /// Prefixes of which an argument must have one; no list, no such demand.
    allow: Vec<String>,
    /// Prefixes that no argument may have.
    deny: Vec<String>,
    /// The options that pass; `None`: whatever the lists say.
    options: Option<Vec<OptionRule>>,
    /// What arguments are that are no options.
    operands: Operands,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct OptionRule {
    /// As it is written: `-n`, `--max-count`.
    name: String,
    value: Option<ValueKind>,
    /// The value may be left out, and is only taken after `=`.
    optional: bool,
}

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueKind {
    /// Only the program knows.
    Text,
    /// A path that is read.
    PathIn,
    /// A path that is written.
    PathOut,
    /// An address on the network.
    Url,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Operands {
    /// There are none.
    Refused,
    Are(ValueKind),
    /// The file does not say.
    #[default]
    Unsaid,
}

/// A value among the arguments, to be judged by what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// What it is.
    pub kind: ValueKind,
    /// As it was given.
    pub text: String,
}

/// What the filters say of arguments that may pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judged {
    /// The values whose kind the file says.
    pub values: Vec<Value>,
    /// Why the user has to be asked whatever the class of the tool: options that are not listed.
    pub doubts: Vec<String>,
    /// Arguments of which the file does not say what they are. A program may take any of them for
    /// a path.
    pub unknown: Vec<String>,
}

pub(super) const KINDS: [(&str, ValueKind); 4] = [
    ("text", ValueKind::Text),
    ("path-in", ValueKind::PathIn),
    ("path-out", ValueKind::PathOut),
    ("url", ValueKind::Url),
];

pub(super) const OPERANDS: [(&str, Operands); 5] = [
    ("none", Operands::Refused),
    ("text", Operands::Are(ValueKind::Text)),
    ("path-in", Operands::Are(ValueKind::PathIn)),
    ("path-out", Operands::Are(ValueKind::PathOut)),
    ("url", Operands::Are(ValueKind::Url)),
];

impl ArgumentFilter {
    /// Reads `allowArgs`, `denyArgs`, `options` and `operands` of a handler.
    pub(super) fn read(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Option<Self> {
        let mut prefixes = |name: &str| match fields.get(name) {
            Some((node, key)) => prefixes(reader, node, &key),
            None => Vec::new(),
        };
        let (allow, deny) = (prefixes("allowArgs"), prefixes("denyArgs"));
        let options = fields.get("options").map(|(node, key)| {
            let items = reader.items(node, &key);
            items.iter().filter_map(|(key, item)| option(reader, item, key)).collect::<Vec<_>>()
        });
        let operands = match fields.get("operands") {
            Some((node, key)) if options.is_none() => {
                reader.problem(node.place, &key, "says what is left beside `options`, which are missing");
                None
            }
            Some((node, key)) => reader.one_of(node, &key, &OPERANDS),
            None => Some(Operands::Unsaid),
        };
        Some(Self { allow, deny, options, operands: operands? })
    }

    /// Whether a deny list makes an allow list of no effect; told as a warning.
    pub fn ignores_allow(&self) -> bool {
        !self.allow.is_empty() && !self.deny.is_empty()
    }

    /// Whether it is said of every argument that may pass what it is.
    pub fn is_closed(&self) -> bool {
        self.options.is_some() && self.operands != Operands::Unsaid
    }

    /// Holds the filters against the arguments. The error is for the model: it names the argument
    /// and the rule.
    pub fn judge(&self, arguments: &[String]) -> Result<Judged, String> {
        if let Some(argument) = arguments.iter().find(|argument| argument.contains('\0')) {
            return Err(format!(
                "The argument {argument:?} holds a NUL character, which no program can be given."
            ));
        }
        let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            let denied = self.deny.iter().find(|rule| denies(rule, argument, at >= end));
            if let Some(rule) = denied {
                return Err(format!(
                    "The argument `{argument}` is refused: `denyArgs` of this tool holds `{rule}`. Call it without that."
                ));
            }
            let allowed = self.allow.is_empty()
                || !self.deny.is_empty()
                || self.allow.iter().any(|rule| argument.starts_with(rule.as_str()));
            if !allowed {
                let list = self.allow.iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ");
                return Err(format!(
                    "The argument `{argument}` is refused: `allowArgs` of this tool lets only those pass that begin with {list}."
                ));
            }
        }
        match &self.options {
            Some(options) => self.take_apart(options, arguments),
            None => Ok(Judged { unknown: arguments.to_vec(), ..Judged::default() }),
        }
    }

    /// Reads the arguments as the program will: options with their values, then operands.
    fn take_apart(&self, options: &[OptionRule], arguments: &[String]) -> Result<Judged, String> {
        let mut judged = Judged::default();
        let mut rest = arguments.iter();
        let mut only_operands = false;
        while let Some(argument) = rest.next() {
            if !only_operands && argument == "--" {
                only_operands = true;
                continue;
            }
            if only_operands || argument == "-" || !argument.starts_with('-') {
                self.operand(argument, &mut judged)?;
                continue;
            }
            match find(options, argument) {
                Some((_, Given::Alone)) => {}
                Some((rule, Given::With(text))) => judged.take(rule, text),
                Some((rule, Given::Next)) => match rest.next() {
                    Some(text) => judged.take(rule, text),
                    None => return Err(format!("The option `{argument}` needs a value.")),
                },
                None => {
                    let doubt = format!("`{argument}` is not among the options that this tool lists");
                    judged.doubts.push(doubt);
                    judged.unknown.push(argument.clone());
                }
            }
        }
        Ok(judged)
    }

    fn operand(&self, argument: &str, judged: &mut Judged) -> Result<(), String> {
        match self.operands {
            Operands::Refused => {
                Err(format!("The argument `{argument}` is refused: this tool takes options only."))
            }
            Operands::Are(kind) => {
                judged.values.push(Value { kind, text: argument.to_owned() });
                Ok(())
            }
            Operands::Unsaid => {
                judged.unknown.push(argument.to_owned());
                Ok(())
            }
        }
    }
}

impl Judged {
    fn take(&mut self, rule: &OptionRule, text: &str) {
        let kind = rule.value.unwrap_or(ValueKind::Text);
        self.values.push(Value { kind, text: text.to_owned() });
    }
}

/// How an option stands among the arguments.
enum Given<'a> {
    /// Without a value.
    Alone,
    /// With it, in one argument.
    With(&'a str),
    /// Its value is the next argument.
    Next,
}

/// The rule that an argument is an option of, spelled exactly: nothing is abbreviated, and short
/// options are not gathered in one argument. A value may be glued to a short option, unless the
/// program has long ones with one dash: to that, `-pgo` is not `-p` with the value `go`.
fn find<'r, 'a>(options: &'r [OptionRule], argument: &'a str) -> Option<(&'r OptionRule, Given<'a>)> {
    let gluing = !options.iter().any(|rule| is_long_with_one_dash(&rule.name));
    options.iter().find_map(|rule| {
        let rest = argument.strip_prefix(rule.name.as_str())?;
        let short = gluing && rule.name.len() == 2;
        let given = match (rest, rule.value.is_some()) {
            ("", true) if rule.optional => Given::Alone,
            ("", true) => Given::Next,
            ("", false) => Given::Alone,
            (_, false) => return None,
            (rest, true) => match rest.strip_prefix('=') {
                Some(value) if !short => Given::With(value),
                _ if short => Given::With(rest),
                _ => return None,
            },
        };
        Some((rule, given))
    })
}

/// `-run`, but not `-vv`, which is `-v` twice.
fn is_long_with_one_dash(name: &str) -> bool {
    let letters = name.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
    letters.len() > 1 && !letters.bytes().all(|letter| Some(&letter) == letters.as_bytes().first())
}

/// Whether a denied prefix strikes an argument. A flag is the same flag with one dash or two, with
/// its value behind it, and, where it is a long one, abbreviated. Behind `--` there are no flags.
fn denies(rule: &str, argument: &str, is_operand: bool) -> bool {
    let Some(flag) = dashless(rule) else { return argument.starts_with(rule) };
    if is_operand {
        return false;
    }
    let Some(given) = dashless(argument) else { return false };
    if given.starts_with(flag) {
        return true;
    }
    let name = given.split('=').next().unwrap_or_default();
    let both_long = rule.starts_with("--") && argument.starts_with("--");
    both_long && !name.is_empty() && flag.starts_with(name)
}

/// `out` of `-out` and of `--out`.
fn dashless(argument: &str) -> Option<&str> {
    argument.strip_prefix("--").or_else(|| argument.strip_prefix('-')).filter(|flag| !flag.is_empty())
}

fn prefixes(reader: &mut Reader<'_>, node: &Node, key: &str) -> Vec<String> {
    let items = reader.items(node, key);
    items.iter().filter_map(|(key, item)| reader.words(item, key).map(str::to_owned)).collect()
}

/// One entry of `options`: `{"name": "--max-count", "value": "text"}`.
fn option(reader: &mut Reader<'_>, node: &Node, key: &str) -> Option<OptionRule> {
    let fields = reader.by_table(node, key, super::fields::OPTION);
    let (name_node, name_key) = fields.need(reader, "name")?;
    let name = reader.words(name_node, &name_key)?;
    if dashless(name).is_none() || name.contains(['=', ' ']) {
        let message = format!("`{name}` must be an option as it is written, such as `-n` or `--max-count`");
        reader.problem(name_node.place, &name_key, message);
        return None;
    }
    let value = match fields.get("value") {
        Some((node, key)) => Some(reader.one_of(node, &key, &KINDS)?),
        None => None,
    };
    let optional = match fields.get("optional") {
        Some((node, key)) if value.is_none() => {
            reader.problem(node.place, &key, "speaks of the `value`, which is missing");
            return None;
        }
        Some((node, key)) => reader.flag(node, &key)?,
        None => false,
    };
    Some(OptionRule { name: name.to_owned(), value, optional })
}

#[cfg(test)]
mod tests;
