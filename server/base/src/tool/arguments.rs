//! A call's arguments against the tool's schema.
//!
//! Models make a few mistakes again and again that leave no doubt about what was meant: a list
//! sent as a text that holds JSON, a number in quotes, `null` for "not given". Those are mended
//! first. Everything else is an answer to the model that names the argument, says what was wrong
//! and shows the wanted shape.

use super::{Arguments, Definition};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};
use std::fmt::Write;

/// How deep mending follows nested values.
const MAX_DEPTH: usize = 16;
/// How many mistakes one answer tells.
const MAX_MISTAKES: usize = 5;

/// A tool's schema, compiled once and used for every call.
#[derive(Debug)]
pub struct ToolSchema {
    name: String,
    schema: Value,
    validator: Validator,
}

impl ToolSchema {
    /// Compiles the definition's `parameters`. Arguments that the schema does not name are
    /// refused unless it says `additionalProperties` itself.
    pub fn new(definition: &Definition) -> Result<Self, String> {
        let mut schema = definition.parameters.clone();
        if let Value::Object(fields) = &mut schema {
            fields.entry("additionalProperties").or_insert(Value::Bool(false));
        }
        let validator = jsonschema::validator_for(&schema)
            .map_err(|error| format!("is not a usable JSON Schema: {}", error.masked()))?;
        Ok(Self { name: definition.name.clone(), schema, validator })
    }

    /// The arguments, mended and checked, or an answer to the model.
    pub fn check(&self, arguments: &Arguments) -> Result<Map<String, Value>, String> {
        let given = match arguments {
            Arguments::Object(given) => given.clone(),
            Arguments::Invalid { reason, .. } => return Err(self.answer(std::slice::from_ref(reason))),
        };
        let mut value = Value::Object(given);
        mend(&self.schema, &mut value, 0);
        let mistakes: Vec<String> =
            self.validator.iter_errors(&value).take(MAX_MISTAKES).map(|error| self.mistake(&error)).collect();
        match value {
            Value::Object(mended) if mistakes.is_empty() => Ok(mended),
            _ => Err(self.answer(&mistakes)),
        }
    }

    fn answer(&self, mistakes: &[String]) -> String {
        let mut text = format!("The call of `{}` was not run: ", self.name);
        text.push_str(mistakes.join("; ").trim_end_matches('.'));
        let _ = write!(
            text,
            ". It takes {}. Call it again with arguments of this shape.",
            shape(&self.schema, 0)
        );
        text
    }

    fn mistake(&self, error: &ValidationError<'_>) -> String {
        let place = dotted(error.instance_path().as_str());
        let inside = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                format!("`{}` is missing", inside(property.as_str().unwrap_or_default()))
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let names: Vec<_> =
                    unexpected.iter().map(|name| self.unexpected(&inside(name), name)).collect();
                names.join("; ")
            }
            _ if place.is_empty() => error.masked().to_string(),
            _ => format!("`{place}`: {}", error.masked()),
        }
    }

    fn unexpected(&self, path: &str, name: &str) -> String {
        let bare = |text: &str| text.replace(['_', '-'], "").to_lowercase();
        let known = self.schema.get("properties").and_then(Value::as_object);
        let meant = known.and_then(|known| known.keys().find(|key| bare(key) == bare(name)));
        match meant {
            Some(meant) => format!("`{path}` is not an argument (`{meant}` is)"),
            None => format!("`{path}` is not an argument"),
        }
    }
}

/// `/edits/0/oldString` is `edits[0].oldString`.
fn dotted(pointer: &str) -> String {
    let mut text = String::new();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        if part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty() {
            let _ = write!(text, "[{part}]");
        } else {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(&part);
        }
    }
    text
}

/// Turns what was surely meant into what the schema wants; never touches a value that fits.
fn mend(schema: &Value, value: &mut Value, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    if !types(schema).is_empty() && !types(schema).iter().any(|wanted| fits(wanted, value)) {
        let mended = types(schema).iter().find_map(|wanted| convert(wanted, value));
        if let Some(mended) = mended {
            *value = mended;
        }
    }
    match value {
        Value::Object(fields) => mend_fields(schema, fields, depth),
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| mend(schema, item, depth + 1));
            }
        }
        _ => {}
    }
}

fn mend_fields(schema: &Value, fields: &mut Map<String, Value>, depth: usize) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    let required = |name: &str| {
        let list = schema.get("required").and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|item| item == name))
    };
    fields.retain(|name, value| match properties.get(name) {
        Some(schema) => !value.is_null() || required(name) || types(schema).contains(&"null"),
        None => true,
    });
    for (name, value) in fields.iter_mut() {
        if let Some(schema) = properties.get(name) {
            mend(schema, value, depth + 1);
        }
    }
}

/// The types a schema names; none where it names none.
fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn fits(wanted: &str, value: &Value) -> bool {
    match wanted {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

fn convert(wanted: &str, value: &Value) -> Option<Value> {
    match (wanted, value) {
        ("array" | "object" | "integer" | "number" | "boolean", Value::String(text)) => {
            let parsed: Value = serde_json::from_str(text.trim()).ok()?;
            if fits(wanted, &parsed) {
                Some(parsed)
            } else {
                convert(wanted, &parsed).filter(|_| parsed.is_number())
            }
        }
        ("integer", Value::Number(number)) => {
            // Beyond 2^53 a float no longer says which integer was meant.
            let float = number.as_f64().filter(|f| f.fract() == 0.0 && f.abs() <= 9_007_199_254_740_992.0)?;
            Some(Value::from(float as i64))
        }
        _ => None,
    }
}

/// The wanted arguments in short: `{filePath: string, offset?: integer}`.
fn shape(schema: &Value, depth: usize) -> String {
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        return choices.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    let named = types(schema).join(" | ");
    match schema.get("properties").and_then(Value::as_object) {
        Some(properties) if !properties.is_empty() && depth < 3 => {
            let required = schema.get("required").and_then(Value::as_array);
            let fields = properties.iter().map(|(name, field)| {
                let must = required.is_some_and(|list| list.iter().any(|item| item == name));
                format!("{name}{}: {}", if must { "" } else { "?" }, shape(field, depth + 1))
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        _ if depth == 0 => "no arguments".to_owned(),
        _ => match schema.get("items") {
            Some(items) => format!("[{}, …]", shape(items, depth + 1)),
            None if named.is_empty() => "any".to_owned(),
            None => named,
        },
    }
}
