//! The server's own thread: accept, record, check, match, reply.

use super::dialect::{Dialect, Renderer};
use super::http::{self, HttpRequest};
use super::invariants;
use super::reply::{Reply, Step};
use super::request::Request;
use super::{KEY, Shared, State};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

pub(super) fn run(
    listener: std::net::TcpListener,
    shared: Arc<Shared>,
    stopped: tokio::sync::oneshot::Receiver<()>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    runtime.block_on(async move {
        listener.set_nonblocking(true).unwrap();
        let listener = TcpListener::from_std(listener).unwrap();
        let accept = async {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(connection(stream, Arc::clone(&shared)));
            }
        };
        tokio::select! {
            () = accept => {}
            _ = stopped => {}
        }
    });
}

async fn connection(stream: TcpStream, shared: Arc<Shared>) {
    // Small writes must reach the client as they are made.
    let _ = stream.set_nodelay(true);
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let Some(request) = http::read(&mut reader).await else { return };
    let Some(dialect) = Dialect::of_path(&request.path).filter(|_| request.method == "POST") else {
        // A list of models or the like: no exchange, but no surprise either.
        let _ = http::write_json(&mut writer, 404, &json!({ "error": { "message": "not here" } })).await;
        return;
    };
    let taken = take(&shared, dialect, request);
    match taken {
        Err(difference) => {
            let _ = http::write_json(&mut writer, 500, &dialect.error(500, &difference)).await;
        }
        Ok((number, reply)) => {
            if !play(dialect, &reply, reader, writer).await {
                shared.update(|state| state.abandoned.push(number));
            }
        }
    }
}

/// Record the request, check it, and take its exchange off the queue.
fn take(shared: &Shared, dialect: Dialect, request: HttpRequest) -> Result<(usize, Reply), String> {
    shared.update(|state| {
        let result = take_locked(state, dialect, request);
        if let Err(difference) = &result {
            state.problems.push(difference.clone());
        }
        result
    })
}

fn take_locked(state: &mut State, dialect: Dialect, request: HttpRequest) -> Result<(usize, Reply), String> {
    let number = state.requests.len();
    let body: Value = serde_json::from_slice(&request.body)
        .map_err(|error| format!("request {} has no JSON body: {error}", number + 1))?;
    let request = Request::read(dialect, request.headers, body);
    if !request.headers.iter().any(|(_, value)| value.contains(KEY)) {
        state.problems.push(format!("request {} carries no key in its headers", number + 1));
    }
    let other_tools = state.other_tools;
    let found = invariants::problems(&request, &state.requests, state.rewrites);
    for problem in found.into_iter().filter(|problem| !other_tools || problem != invariants::OTHER_TOOLS) {
        state.problems.push(format!("request {}: {problem}", number + 1));
    }
    state.requests.push(request.clone());
    let reach = if state.unordered { state.queue.len() } else { state.queue.len().min(1) };
    let mut differences = Vec::new();
    for idx in 0..reach {
        match (state.queue[idx].matcher)(&request) {
            Ok(()) => {
                let exchange = state.queue.remove(idx).expect("the index is below the length");
                return Ok((number, exchange.reply));
            }
            Err(difference) => differences.push(difference),
        }
    }
    if differences.is_empty() {
        differences.push("no exchange is queued".to_owned());
    }
    Err(format!(
        "request {} is a surprise: {}\nnewest part: {}",
        number + 1,
        differences.join("\n"),
        request.news()
    ))
}

/// Send the reply; `false` when the client went away before its end.
async fn play(
    dialect: Dialect,
    reply: &Reply,
    mut reader: BufReader<OwnedReadHalf>,
    mut writer: OwnedWriteHalf,
) -> bool {
    if let Some(message) = &reply.message {
        let body = dialect.error(reply.status, message).to_string();
        return http::write_head(&mut writer, reply.status, &reply.headers).await.is_ok()
            && http::write_chunk(&mut writer, body.as_bytes()).await.is_ok()
            && http::write_end(&mut writer).await.is_ok();
    }
    let hung_up = async {
        // The client sends nothing more; reading ends when it closes its side.
        let mut byte = [0];
        while reader.read(&mut byte).await.is_ok_and(|count| count > 0) {}
    };
    tokio::select! {
        done = stream(dialect, reply, &mut writer) => done.is_ok(),
        () = hung_up => false,
    }
}

async fn stream(dialect: Dialect, reply: &Reply, writer: &mut OwnedWriteHalf) -> std::io::Result<()> {
    http::write_head(writer, reply.status, &reply.headers).await?;
    let mut renderer = Renderer::new(dialect);
    let mut single = false;
    for step in reply.complete_steps() {
        let bytes = match step {
            Step::Part(part) => renderer.part(&part),
            Step::Raw(bytes) => bytes,
            Step::Finish => renderer.finish(reply.stop, reply.usage),
            Step::Hold(gate) => {
                gate.pass().await;
                continue;
            }
            Step::ByteByByte => {
                single = true;
                continue;
            }
            Step::Half(words) => {
                let bytes = renderer.part(&super::reply::Part::Text(words));
                http::write_chunk(writer, &bytes[..bytes.len() / 2]).await?;
                return Ok(());
            }
            Step::Cut => return Ok(()),
            Step::Close => return http::write_end(writer).await,
            Step::Stall => std::future::pending().await,
        };
        if single {
            for byte in &bytes {
                http::write_chunk(writer, std::slice::from_ref(byte)).await?;
                tokio::task::yield_now().await;
            }
        } else {
            http::write_chunk(writer, &bytes).await?;
        }
    }
    http::write_end(writer).await
}
