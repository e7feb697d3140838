//! What holds for every request that any test sends. A real provider refuses most of what is
//! checked here, but not all providers refuse the same, so a test must not depend on one.

use super::KEY;
use super::request::{Item, OfferedTool, Request};
use serde_json::Value;

/// Everything that is wrong with a request, given the ones before it.
pub(super) fn problems(request: &Request, earlier: &[Request], rewrites: bool) -> Vec<String> {
    let mut problems = Vec::new();
    if request.body["stream"] != Value::Bool(true) {
        problems.push("the request does not ask for a stream".to_owned());
    }
    if request.body.to_string().contains(KEY) {
        problems.push("the provider's key stands in the body".to_owned());
    }
    empty_texts(&request.body, "", &mut problems);
    pairs(&request.items, &mut problems);
    tools(&request.tools, &mut problems);
    if !rewrites {
        prefix(request, earlier, &mut problems);
    }
    problems
}

/// Each call has exactly one result, directly behind the message that made it.
fn pairs(items: &[Item], problems: &mut Vec<String>) {
    let mut open: Vec<&str> = Vec::new();
    let mut answering = false;
    for item in items {
        match item {
            Item::Call { id, arguments, .. } => {
                if answering && !open.is_empty() {
                    problems.push(format!("calls without a result: {open:?}"));
                }
                if answering {
                    open.clear();
                    answering = false;
                }
                if open.contains(&id.as_str()) {
                    problems.push(format!("two calls of one message share the id {id:?}"));
                }
                open.push(id);
                if !matches!(serde_json::from_str(arguments), Ok(Value::Object(_))) {
                    problems.push(format!("the arguments of call {id:?} are no JSON object: {arguments}"));
                }
            }
            Item::Result { id, .. } => {
                answering = true;
                match open.iter().position(|call| call == id) {
                    Some(at) => drop(open.remove(at)),
                    None => problems.push(format!("a result for {id:?}, which no call before it has")),
                }
            }
            Item::User { .. } | Item::Assistant { .. } | Item::Reasoning { .. } => {
                let own = !matches!(item, Item::User { .. });
                if !open.is_empty() && (answering || !own) {
                    problems.push(format!("calls without a result: {open:?}"));
                    open.clear();
                }
                if answering {
                    open.clear();
                    answering = false;
                }
            }
        }
    }
    if !open.is_empty() {
        problems.push(format!("calls without a result at the end: {open:?}"));
    }
    if let Some(Item::Assistant { .. } | Item::Reasoning { .. }) = items.last() {
        problems.push("the conversation ends with the model's own words".to_owned());
    }
}

/// No text block, content string or result may be blank, wherever it stands.
fn empty_texts(value: &Value, path: &str, problems: &mut Vec<String>) {
    match value {
        Value::Array(values) => {
            for (idx, value) in values.iter().enumerate() {
                empty_texts(value, &format!("{path}/{idx}"), problems);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                // Arguments, schemas and thinking may hold empty strings of any name.
                if matches!(name.as_str(), "input" | "tools" | "thinking" | "summary")
                    && !value.as_array().is_some_and(|_| name == "input" && path.is_empty())
                {
                    continue;
                }
                let path = format!("{path}/{name}");
                if matches!(name.as_str(), "text" | "content" | "output")
                    && (value.as_str().is_some_and(|text| text.trim().is_empty())
                        || value.as_array().is_some_and(Vec::is_empty))
                {
                    problems.push(format!("an empty text at {path}"));
                }
                empty_texts(value, &path, problems);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn tools(tools: &[OfferedTool], problems: &mut Vec<String>) {
    for (idx, tool) in tools.iter().enumerate() {
        let name = &tool.name;
        let valid = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(valid) {
            problems.push(format!("{name:?} is no name for a tool"));
        }
        if tools[..idx].iter().any(|other| other.name == *name) {
            problems.push(format!("two tools are called {name:?}"));
        }
        if tool.description.trim().is_empty() {
            problems.push(format!("tool {name:?} has no description"));
        }
        if tool.parameters["type"] != "object" {
            problems.push(format!("the schema of {name:?} is not of type object at its root"));
        }
        for word in ["anyOf", "oneOf", "allOf"] {
            if tool.parameters.get(word).is_some() {
                problems.push(format!("the schema of {name:?} has {word} at its root"));
            }
        }
        if tool.parameters.to_string().contains("\"$ref\"") {
            problems.push(format!("the schema of {name:?} has a $ref"));
        }
    }
}

/// What is wrong where they do not, which some tests allow.
pub(super) const OTHER_TOOLS: &str = "the tools changed within a session";

/// A request that goes on with an earlier conversation has the same system prompt and tools, so
/// that the provider's cache holds.
fn prefix(request: &Request, earlier: &[Request], problems: &mut Vec<String>) {
    let first_user = request.items.iter().find(|item| matches!(item, Item::User { .. }));
    let same_session = |other: &&Request| {
        other.dialect == request.dialect
            && other.body["model"] == request.body["model"]
            && other.items.iter().find(|item| matches!(item, Item::User { .. })) == first_user
    };
    let candidates: Vec<&Request> = earlier.iter().filter(same_session).collect();
    if candidates.is_empty() || request.items.len() == 1 {
        return;
    }
    let continued = candidates.iter().rev().find(|other| request.items.starts_with(&other.items));
    match continued {
        None => problems.push(format!(
            "the conversation began as an earlier one but does not continue it:\n{:#?}\nwas\n{:#?}",
            request.items,
            candidates.last().map(|other| &other.items)
        )),
        Some(other) => {
            if other.system != request.system {
                problems.push("the system prompt changed within a session".to_owned());
            }
            if other.tools != request.tools {
                problems.push(OTHER_TOOLS.to_owned());
            }
        }
    }
}
