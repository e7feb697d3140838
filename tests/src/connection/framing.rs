//! How messages stand on a pipe: with a `Content-Length` header (LSP) or one a line (ACP).

use super::Incoming;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};

/// The framing of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// LSP.
    ContentLength,
    /// ACP: one JSON object a line.
    Lines,
}

impl Framing {
    pub(super) fn write(self, message: &Value) -> Vec<u8> {
        match self {
            Self::ContentLength => {
                let body = message.to_string();
                format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
            }
            Self::Lines => format!("{message}\n").into_bytes(),
        }
    }

    pub(super) fn read(self, from: &mut BufReader<impl Read>) -> Incoming {
        let body = match self {
            Self::ContentLength => read_headed(from),
            Self::Lines => read_line(from),
        };
        match body {
            Err(what) => Incoming::Garbage(what),
            Ok(None) => Incoming::End,
            Ok(Some(body)) => match serde_json::from_slice(&body) {
                Ok(message) => Incoming::Message(message),
                Err(error) => Incoming::Garbage(format!("{error}: {}", String::from_utf8_lossy(&body))),
            },
        }
    }
}

fn read_line(from: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let mut line = Vec::new();
    match from.read_until(b'\n', &mut line) {
        Ok(0) => Ok(None),
        Ok(_) if !line.ends_with(b"\n") => Err(format!("half a line: {}", String::from_utf8_lossy(&line))),
        Ok(_) => Ok(Some(line)),
        Err(error) => Err(error.to_string()),
    }
}

/// Stricter than clients are: nothing but the headers that LSP knows.
fn read_headed(from: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        match from.read_until(b'\n', &mut line) {
            Ok(0) if length.is_none() => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
        let line = String::from_utf8_lossy(&line);
        if line == "\r\n" {
            break;
        }
        let Some((name, value)) = line.strip_suffix("\r\n").and_then(|line| line.split_once(": ")) else {
            return Err(format!("{line:?} is no header"));
        };
        match name {
            "Content-Length" => length = value.parse::<usize>().ok(),
            "Content-Type" => {}
            _ => return Err(format!("{line:?} is no header of LSP")),
        }
    }
    let Some(length) = length else { return Err("a message without a length".to_owned()) };
    let mut body = vec![0; length];
    from.read_exact(&mut body).map_err(|error| format!("a message of {length} bytes is cut: {error}"))?;
    Ok(Some(body))
}
