//! A log file for finding faults, only when `ASSENT_LOG` asks for it (`info`, `debug`,
//! `assent_engine=trace`). Never on stdout, which belongs to the protocol; never with a secret.

use super::environment::{private_file, private_folder};
use anyhow::Context;
use assent_engine::main_loop::Environment;
use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Values shorter than this are no secrets, and too common to be replaced.
const SHORTEST_SECRET: usize = 8;

/// Start writing the log, where one is wanted.
pub fn start(environment: &Environment) -> anyhow::Result<()> {
    let Some(wanted) = (environment.variable)("ASSENT_LOG").filter(|wanted| !wanted.is_empty()) else {
        return Ok(());
    };
    let filter = EnvFilter::try_new(&wanted)
        .with_context(|| format!("ASSENT_LOG={wanted} is no filter; try `info` or `debug`"))?;
    let folder = environment.state.join("logs");
    let path = folder.join("assent.log");
    let file = private_folder(&folder)
        .and_then(|()| private_file().append(true).open(&path))
        .with_context(|| format!("The log {} can't be written", path.display()))?;
    let secrets = secrets(
        std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
    );
    let writer = Redacting { file: Arc::new(file), secrets: secrets.into() };
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(writer).init();
    Ok(())
}

/// The values of variables that are named like secrets.
fn secrets(variables: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let mut secrets: Vec<String> = variables
        .filter(|(name, value)| value.len() >= SHORTEST_SECRET && named_like_a_secret(name))
        .map(|(_, value)| value)
        .collect();
    // A secret that holds another one is replaced first, and whole.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets
}

fn named_like_a_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"].iter().any(|word| name.contains(word))
}

/// Writes a log without secrets. An event is written in one piece, so none is cut in two.
#[derive(Clone)]
struct Redacting {
    file: Arc<File>,
    secrets: Arc<[String]>,
}

impl Write for Redacting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        for secret in self.secrets.iter().filter(|secret| text.contains(*secret)).collect::<Vec<_>>() {
            text = text.replace(secret, "[secret]");
        }
        (&*self.file).write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.file).flush()
    }
}

impl<'a> MakeWriter<'a> for Redacting {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests;
