//! The fields of what people write, as tables: a reader knows a file's fields by them, an editor
//! completes and explains from them, and the JSON Schema that we print is made from them, so that
//! none can say anything else than the others.

use serde_json::{Map, Value, json};

/// A field of a map whose keys are known.
#[derive(Clone, Copy)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// What it holds.
    pub takes: Takes,
    /// What it is for, in a sentence.
    pub about: &'static str,
    /// It can't be left out.
    pub needed: bool,
}

/// What a field holds.
#[derive(Clone, Copy)]
pub enum Takes {
    /// A text with something in it.
    Words,
    /// A text of this form, a regular expression.
    Form(&'static str),
    /// `true` or `false`.
    Flag,
    /// A whole number above 0.
    Count,
    /// One of a few words.
    One(fn() -> Vec<&'static str>),
    /// One of a few words, or a text of the form.
    OneOr(fn() -> Vec<&'static str>, &'static str),
    /// A list of texts.
    Texts,
    /// A map with these fields.
    Fields(fn() -> &'static [Field]),
    /// A list of such maps.
    List(fn() -> &'static [Field]),
    /// A map with free names, beside fields of its own.
    Named(fn() -> &'static [Field], &'static Takes),
    /// One or the other.
    Either(&'static Takes, &'static Takes),
    /// Nothing at all.
    Nothing,
    /// Whatever this JSON Schema says.
    Like(fn() -> Value),
}

impl Field {
    /// A field that may be left out.
    pub const fn new(name: &'static str, takes: Takes, about: &'static str) -> Self {
        Self { name, takes, about, needed: false }
    }

    /// The same, and it can't be left out.
    pub const fn needed(self) -> Self {
        Self { needed: true, ..self }
    }
}

/// No fields.
pub fn none() -> &'static [Field] {
    &[]
}

/// The field of that name.
pub fn find<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    fields.iter().find(|field| field.name == name)
}

/// The JSON Schema of a map with these fields.
pub fn schema(fields: &[Field]) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| {
            let mut schema = field.takes.schema();
            schema["description"] = json!(field.about);
            (field.name.to_owned(), schema)
        })
        .collect();
    let needed: Vec<&str> = fields.iter().filter(|field| field.needed).map(|field| field.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !needed.is_empty() {
        schema["required"] = json!(needed);
    }
    schema
}

impl Takes {
    /// Its JSON Schema.
    pub fn schema(&self) -> Value {
        match self {
            Self::Words => json!({ "type": "string", "pattern": "\\S" }),
            Self::Form(form) => json!({ "type": "string", "pattern": form }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Count => json!({ "type": "integer", "minimum": 1 }),
            Self::One(words) => json!({ "enum": words() }),
            Self::OneOr(words, form) => {
                json!({ "anyOf": [{ "enum": words() }, { "type": "string", "pattern": form }] })
            }
            Self::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            Self::Fields(fields) => schema(fields()),
            Self::List(fields) => json!({ "type": "array", "items": schema(fields()) }),
            Self::Named(fields, others) => {
                let mut schema = schema(fields());
                schema["additionalProperties"] = others.schema();
                schema
            }
            Self::Either(one, other) => json!({ "anyOf": [one.schema(), other.schema()] }),
            Self::Nothing => json!({ "type": "null" }),
            Self::Like(schema) => schema(),
        }
    }

    /// The fields of the map that it holds, or of the maps in its list.
    pub fn fields(&self) -> &'static [Field] {
        match self {
            Self::Fields(fields) | Self::List(fields) | Self::Named(fields, _) => fields(),
            Self::Either(one, other) => {
                if one.fields().is_empty() {
                    other.fields()
                } else {
                    one.fields()
                }
            }
            _ => &[],
        }
    }

    /// The values that can be written out, as JSON.
    pub fn values(&self) -> Vec<String> {
        match self {
            Self::One(words) | Self::OneOr(words, _) => {
                words().into_iter().map(|word| json!(word).to_string()).collect()
            }
            Self::Flag => vec!["true".into(), "false".into()],
            Self::Either(one, other) => one.values().into_iter().chain(other.values()).collect(),
            _ => Vec::new(),
        }
    }
}
