//! A command of the user's own settings that answers with a text, such as a password manager. It is
//! the user's own and gets the whole environment; it gets no standard input, no shell, and its
//! answer is bounded.

use process_wrap::tokio::{CommandWrap, KillOnDrop};
use std::io;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};

/// What the command writes on its standard output, at most `limit` bytes.
///
/// # Errors
/// In words for the user: it could not be started, failed, took too long, or answered no text.
pub async fn answer(command: &[String], time: Duration, limit: u64) -> Result<String, String> {
    let [program, arguments @ ..] = command else { return Err("no program is named".to_owned()) };
    let mut wrap = CommandWrap::with_new(program, |command| {
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    });
    #[cfg(unix)]
    wrap.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    wrap.wrap(process_wrap::tokio::JobObject);
    wrap.wrap(KillOnDrop);
    let mut child = wrap.spawn().map_err(|problem| format!("{program} could not be started: {problem}"))?;
    let (stdout, stderr) = (child.stdout().take(), child.stderr().take());
    let run = async {
        let (answer, complaint) = tokio::join!(bounded(stdout, limit), bounded(stderr, limit));
        (answer, complaint, child.wait().await)
    };
    let Ok((answer, complaint, status)) = tokio::time::timeout(time, run).await else {
        return Err(format!("{program} did not answer within {} s", time.as_secs()));
    };
    let status = status.map_err(|problem| format!("{program}: {problem}"))?;
    if !status.success() {
        let complaint = String::from_utf8_lossy(&complaint.unwrap_or_default()).trim().to_owned();
        let last = complaint.lines().last().unwrap_or_default();
        return Err(format!("{program} ended with {status}. {last}").trim_end().to_owned());
    }
    let answer = answer.map_err(|problem| format!("{program}: {problem}"))?;
    String::from_utf8(answer).map_err(|_| format!("{program} answered something that is no text"))
}

async fn bounded(from: Option<impl AsyncRead + Unpin>, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        from.take(limit).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}
