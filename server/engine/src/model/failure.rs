//! What went wrong, put into words: what happened, where, and what to do. One table decides what
//! may be tried again, so that the three wire formats agree.

use crate::limits;
use crate::model::ModelError;
use crate::model::secret::Secret;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::time::Duration;

/// Something that ended a request, before it is put into words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Trouble {
    /// The provider said so, by an error answer or in the middle of a stream.
    Said(Complaint),
    /// What came is not what the wire format allows.
    Nonsense(String),
    /// The stream ended before the answer did.
    Cut,
    /// The network failed.
    Network(String),
}

/// A provider's complaint.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Complaint {
    /// The HTTP status; `None` in a stream that began well.
    pub(crate) status: Option<u16>,
    /// The provider's codes and types, joined by blanks.
    pub(crate) code: String,
    /// Its words.
    pub(crate) message: String,
    /// The pause it asks for.
    pub(crate) retry_after: Option<Duration>,
}

impl Complaint {
    /// Reads an error answer's body: the shapes that providers use, else its text.
    pub(crate) fn from_body(status: Option<u16>, body: &str, retry_after: Option<Duration>) -> Self {
        let (code, message) = match serde_json::from_str::<Value>(body) {
            Ok(value) => read_error(&value),
            Err(_) => (String::new(), body.to_owned()),
        };
        Self { status, code, message, retry_after }
    }

    /// Reads an error object found in a stream. A numeric code is an HTTP status.
    pub(crate) fn from_value(value: &Value) -> Self {
        let (code, message) = read_error(value);
        let status = code.split(' ').find_map(|word| word.parse().ok());
        Self { status, code, message, retry_after: None }
    }
}

/// Code and message of `{"error": {…}}`, `{"error": "…"}`, `{"message": …}`, `{"detail": …}`, or a
/// list of one of them.
fn read_error(value: &Value) -> (String, String) {
    let value = value.as_array().and_then(|list| list.first()).unwrap_or(value);
    let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(value);
    if let Some(text) = error.as_str() {
        return (String::new(), text.to_owned());
    }
    let codes =
        ["code", "type", "status"].iter().filter_map(|key| error.get(key)).filter_map(|code| match code {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
    let code = codes.collect::<Vec<_>>().join(" ");
    let message = ["message", "detail", "msg"].iter().find_map(|key| match error.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Null) | None => None,
        Some(other) => Some(other.to_string()),
    });
    (code, message.unwrap_or_else(|| error.to_string()))
}

/// The pause that the headers of an answer ask for.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(millis) = text("retry-after-ms").and_then(|value| value.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(millis / 1000.0).ok();
    }
    let value = text("retry-after")?;
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    // A wrong name of the day is no reason to come back too early.
    let date = DateTimeParser::new().relaxed_weekday(true).parse_timestamp(value).ok()?;
    Some(Duration::try_from(date.duration_since(now)).unwrap_or(Duration::ZERO))
}

/// What the words need to know of a provider.
pub(crate) struct Origin<'a> {
    /// The provider's name and host, as the user knows it.
    pub(crate) place: &'a str,
    /// The variables that may hold its key.
    pub(crate) key_names: &'a [String],
    /// The key, to be cut out of what the provider says.
    pub(crate) key: Option<&'a Secret>,
}

/// Puts a trouble into words and into its class.
pub(crate) fn explain(trouble: Trouble, origin: &Origin<'_>) -> ModelError {
    let place = origin.place;
    let transient = |message| ModelError::Transient { message, retry_after: None };
    match trouble {
        Trouble::Said(complaint) => explain_complaint(complaint, origin),
        Trouble::Nonsense(what) => transient(format!(
            "{place} sent an answer that cannot be read: {}. If it happens again, check `api` and `baseUrl` of this provider.",
            clean(&what, origin)
        )),
        Trouble::Cut => transient(format!(
            "{place} ended the connection in the middle of the answer. Nothing of it was carried out; send the message again."
        )),
        Trouble::Network(what) => transient(format!(
            "{place} could not be reached: {}. Check the network and the provider's `baseUrl`.",
            clean(&what, origin)
        )),
    }
}

fn explain_complaint(complaint: Complaint, origin: &Origin<'_>) -> ModelError {
    let place = origin.place;
    let words = clean(&complaint.message, origin);
    let said = match (complaint.status, words.is_empty()) {
        (Some(status), true) => format!("HTTP {status}"),
        (Some(status), false) => format!("HTTP {status}: {words}"),
        (None, true) => complaint.code.clone(),
        (None, false) => words,
    };
    match classify(&complaint) {
        Class::TooLong => ModelError::ContextTooLong(format!(
            "The conversation is too long for this model ({place}: {said}). Start a new session, or choose a model with a larger context window."
        )),
        Class::Unauthorized => ModelError::Unauthorized(match origin.key_names {
            [] => format!(
                "{place} refused the request ({said}). Set `apiKeyEnv` of this provider to the variable that holds its key."
            ),
            names => {
                format!("{place} refused the key ({said}). Put a valid key into {}.", names.join(" or "))
            }
        }),
        Class::Quota => ModelError::Fatal(format!(
            "{place} refuses to work on this account ({said}). Check its plan and billing, or choose another model."
        )),
        Class::Transient => ModelError::Transient {
            message: format!("{place} is not able to answer right now ({said})."),
            retry_after: complaint.retry_after,
        },
        Class::NotFound => ModelError::Fatal(format!(
            "{place} does not know the model or the address ({said}). Check the model's name and the provider's `baseUrl`."
        )),
        Class::Refused => ModelError::Fatal(format!("{place} refused the request ({said}).")),
    }
}

enum Class {
    TooLong,
    Unauthorized,
    Quota,
    Transient,
    NotFound,
    Refused,
}

fn classify(complaint: &Complaint) -> Class {
    let code = complaint.code.as_str();
    let has = |word: &str| code.split(' ').any(|part| part.eq_ignore_ascii_case(word));
    if is_too_long(complaint) {
        return Class::TooLong;
    }
    if has("insufficient_quota") || has("billing_error") || complaint.status == Some(402) {
        return Class::Quota;
    }
    const PASSING: [&str; 9] = [
        "overloaded_error",
        "api_error",
        "rate_limit_error",
        "rate_limit_exceeded",
        "server_error",
        "server_is_overloaded",
        "timeout_error",
        "UNAVAILABLE",
        "RESOURCE_EXHAUSTED",
    ];
    match complaint.status {
        Some(401 | 403) => Class::Unauthorized,
        // Google calls a wrong key a bad request.
        Some(400) if complaint.message.contains("API key not valid") => Class::Unauthorized,
        Some(404 | 405 | 300..=399) => Class::NotFound,
        Some(408 | 409 | 425 | 429 | 500..=599) => Class::Transient,
        Some(_) => Class::Refused,
        None if has("authentication_error") || has("permission_error") || has("invalid_api_key") => {
            Class::Unauthorized
        }
        None if has("not_found_error") => Class::NotFound,
        None if PASSING.iter().any(|word| has(word)) => Class::Transient,
        None => Class::Refused,
    }
}

/// Whether the complaint is that the prompt does not fit. Providers have no common code for it, so
/// their sentences are known here.
fn is_too_long(complaint: &Complaint) -> bool {
    if !matches!(complaint.status, None | Some(400 | 413 | 422 | 500)) {
        return false;
    }
    let code = complaint.code.to_ascii_lowercase();
    if complaint.status == Some(413)
        || code.contains("context_length_exceeded")
        || code.contains("exceed_context_size")
    {
        return true;
    }
    const SENTENCES: [&str; 11] = [
        "prompt is too long",
        "input is too long",
        "maximum context length",
        "maximum prompt length",
        "context_length_exceeded",
        "exceeds the context window",
        "exceeds the available context size",
        "exceed context limit",
        "context length exceeded",
        "input token count",
        "reduce the length of the messages",
    ];
    let message = complaint.message.to_ascii_lowercase();
    SENTENCES.iter().any(|sentence| message.contains(sentence))
}

/// A provider's words as they may be shown: one line, bounded, without the key.
fn clean(text: &str, origin: &Origin<'_>) -> String {
    let text = origin.key.map_or_else(|| text.to_owned(), |key| key.cut_from(text));
    let line = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = line.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(limits::MODEL_ERROR_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests;
