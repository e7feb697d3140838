//! As much of HTTP/1.1 as the server needs: one request in, one chunked answer out, then the
//! connection closes.

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// A request as it stood on the wire.
pub(super) struct HttpRequest {
    pub(super) method: String,
    pub(super) path: String,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

/// Read one request; `None` when the client closed the connection first.
pub(super) async fn read(reader: &mut BufReader<OwnedReadHalf>) -> Option<HttpRequest> {
    let mut line = String::new();
    if reader.read_line(&mut line).await.ok()? == 0 {
        return None;
    }
    let mut words = line.split_whitespace();
    let method = words.next()?.to_owned();
    let path = words.next()?.to_owned();
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let header = |name: &str| headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let body = if header("transfer-encoding").is_some_and(|value| value.contains("chunked")) {
        read_chunks(reader).await?
    } else {
        let length = header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body).await.ok()?;
        body
    };
    Some(HttpRequest { method, path, headers, body })
}

async fn read_chunks(reader: &mut BufReader<OwnedReadHalf>) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).await.ok()?;
        let length = usize::from_str_radix(line.trim(), 16).ok()?;
        let start = body.len();
        body.resize(start + length, 0);
        reader.read_exact(&mut body[start..]).await.ok()?;
        reader.read_line(&mut line).await.ok()?;
        if length == 0 {
            return Some(body);
        }
    }
}

/// The head of an answer whose body follows in chunks.
pub(super) async fn write_head(
    writer: &mut OwnedWriteHalf,
    status: u16,
    headers: &[(String, String)],
) -> std::io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} mock\r\ntransfer-encoding: chunked\r\nconnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    writer.write_all(head.as_bytes()).await?;
    writer.flush().await
}

/// One chunk of the body; an empty one would end it and is left out.
pub(super) async fn write_chunk(writer: &mut OwnedWriteHalf, bytes: &[u8]) -> std::io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    writer.write_all(&chunk).await?;
    writer.flush().await
}

/// The end of a body that is complete.
pub(super) async fn write_end(writer: &mut OwnedWriteHalf) -> std::io::Result<()> {
    writer.write_all(b"0\r\n\r\n").await?;
    writer.shutdown().await
}

/// A whole answer with a JSON body.
pub(super) async fn write_json(
    writer: &mut OwnedWriteHalf,
    status: u16,
    body: &Value,
) -> std::io::Result<()> {
    write_head(writer, status, &[("content-type".into(), "application/json".into())]).await?;
    write_chunk(writer, body.to_string().as_bytes()).await?;
    write_end(writer).await
}
