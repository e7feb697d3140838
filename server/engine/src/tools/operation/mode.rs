//! `chmodFile`: the mode bits of one regular file. No review can show it, so the gate asks about it,
//! with the bits as they are and as they would be; if they are others by then, nothing is done.

use super::super::{ToolOutput, target};
use crate::documents;
use assent_base::path::ResolvedPath;
use assent_base::policy::ResolvedCall;
use serde_json::Value;

/// The argument that [`resolve`] adds: the bits as they were when the call was judged.
const FROM: &str = "from";

/// Puts both modes into the call.
pub(super) async fn resolve(mut call: ResolvedCall) -> Result<ResolvedCall, String> {
    let to = asked(call.arguments.get("mode"))?;
    let Some((_, path)) = call.paths.first() else { return Ok(call) };
    let from = documents::mode_of(&path.canonical).await?;
    call.subject = format!("{} {from:04o} -> {to:04o}", call.subject);
    call.arguments.insert("mode".into(), Value::String(format!("{to:04o}")));
    call.arguments.insert(FROM.into(), Value::String(format!("{from:04o}")));
    Ok(call)
}

pub(super) async fn change(call: &ResolvedCall, path: &ResolvedPath) -> ToolOutput {
    let mode = |name: &str| u32::from_str_radix(target::text(&call.arguments, name), 8);
    let (Ok(from), Ok(to)) = (mode(FROM), mode("mode")) else {
        return ToolOutput::error("The call holds no mode; nothing was done.");
    };
    match documents::change_mode(&path.canonical, from, to).await {
        Ok(()) => ToolOutput::text(format!("{} has mode {to:04o} now; it had {from:04o}.", path.given)),
        Err(words) => ToolOutput::error(format!("{words} Nothing was done.")),
    }
}

/// Three octal digits, with or without a zero before them: nothing that lets a file run as
/// somebody else.
fn asked(mode: Option<&Value>) -> Result<u32, String> {
    let text = match mode {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let digits = text.strip_prefix("0o").unwrap_or(&text);
    let bits = u32::from_str_radix(digits, 8).ok().filter(|_| matches!(digits.len(), 3 | 4));
    match bits {
        Some(bits) if bits <= 0o777 => Ok(bits),
        Some(_) => {
            Err(format!("The mode {text} can't be set: only the nine bits of rwxrwxrwx can, such as 0755."))
        }
        None => Err(format!("`{text}` is no mode. Write it in octal digits, such as 0755 or 0644.")),
    }
}
