//! The arguments of a call: from the text that a model wrote, and back onto the wire. What goes
//! back is always a JSON object, since a provider refuses a history that holds anything else.

use assent_base::tool::Arguments;
use serde_json::{Map, Value};

/// How much of unusable arguments goes back to the model.
const INVALID_SHOWN: usize = 2_000;

/// Reads arguments. `cut` says that the output limit ended the answer within this call, so that no
/// text at all does not mean a call without arguments.
pub(crate) fn parse(text: &str, cut: bool) -> Arguments {
    let invalid = |reason: String| Arguments::Invalid { text: text.to_owned(), reason };
    if text.trim().is_empty() {
        return if cut { invalid(cut_off()) } else { Arguments::Object(Map::new()) };
    }
    match serde_json::from_str::<Value>(text) {
        Ok(value) => from_value(value),
        Err(error) if error.is_eof() => invalid(cut_off()),
        Err(error) => invalid(format!(
            "the arguments are not valid JSON: {error}. Send the call again with valid JSON."
        )),
    }
}

/// Takes arguments that came as JSON: an object, none, or an object written as a string.
pub(crate) fn from_value(value: Value) -> Arguments {
    match value {
        Value::Object(object) => Arguments::Object(object),
        Value::Null => Arguments::Object(Map::new()),
        Value::String(inner) => match serde_json::from_str(&inner) {
            Ok(Value::Object(object)) => Arguments::Object(object),
            _ if inner.trim().is_empty() => Arguments::Object(Map::new()),
            _ => no_object(inner),
        },
        other => no_object(other.to_string()),
    }
}

fn no_object(text: String) -> Arguments {
    let reason =
        "the arguments must be one JSON object with named parameters. Send the call again.".to_owned();
    Arguments::Invalid { text, reason }
}

fn cut_off() -> String {
    "the call was cut off before its arguments were complete, so it was not run. Send it again with shorter arguments, \
     in several calls where one is too long."
        .to_owned()
}

/// Arguments for the history, as an object.
pub(crate) fn to_object(arguments: &Arguments) -> Map<String, Value> {
    match arguments {
        Arguments::Object(object) => object.clone(),
        Arguments::Invalid { text, .. } => {
            let end = text.char_indices().nth(INVALID_SHOWN).map_or(text.len(), |(end, _)| end);
            Map::from_iter([("_invalid".to_owned(), Value::from(&text[..end]))])
        }
    }
}

/// Arguments for the history, as JSON text.
pub(crate) fn to_text(arguments: &Arguments) -> String {
    let text = match arguments {
        Arguments::Object(object) => serde_json::to_string(object),
        Arguments::Invalid { .. } => serde_json::to_string(&to_object(arguments)),
    };
    text.expect("a map with string keys is always JSON")
}

#[cfg(test)]
mod tests;
