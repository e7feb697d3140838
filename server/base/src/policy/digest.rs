//! What an approval is bound to, as one number: the SHA-256 of canonical JSON (RFC 8785), which has
//! one spelling for one value.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// A value as canonical JSON.
pub fn canonical(value: &Value) -> String {
    serde_json_canonicalizer::to_string(value).expect("a JSON value can be written as JSON")
}

/// The digest of a value, as 64 hexadecimal digits.
pub fn digest(value: &Value) -> String {
    Sha256::digest(canonical(value)).iter().map(|byte| format!("{byte:02x}")).collect()
}
