//! `assent login` and `assent logout`: a provider's key, stored for its host.

use super::Exit;
use anyhow::{Context, bail};
use assent_engine::main_loop::Environment;
use assent_engine::model::keys::Keys;
use assent_engine::settings;
use serde_json::Value;
use std::io::{BufRead, IsTerminal};

/// What `assent login` takes.
#[derive(clap::Args)]
pub struct Login {
    /// The provider, such as `anthropic`; without one, those with a stored key are listed.
    provider: Option<String>,
}

/// What `assent logout` takes.
#[derive(clap::Args)]
pub struct Logout {
    /// The provider.
    provider: String,
}

/// Ask for a key and store it. It is never an argument, where other processes could see it.
pub fn login(arguments: &Login, environment: &Environment) -> anyhow::Result<Exit> {
    let keys = Keys::of(&environment.state);
    let Some(provider) = &arguments.provider else {
        for (provider, host) in keys.list()? {
            super::print(&format!("{provider}  {host}\n"));
        }
        return Ok(Exit::Done);
    };
    // A project has no say in where a key belongs.
    let settings = settings::load(&environment.config, None, &Value::Null, &super::trust::trust(environment))
        .without_mistakes();
    let settings = settings.map_err(anyhow::Error::msg)?.settings;
    let catalogue = settings::catalogue(&environment.variable, &environment.state);
    let host = catalogue.host_of(provider, &settings::providers(&settings))?;
    let key = if std::io::stdin().is_terminal() {
        rpassword::prompt_password(format!("Key of {provider}, for {host}: "))?
    } else {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line).context("The key could not be read")?;
        line
    };
    if key.trim().is_empty() {
        bail!("No key was given, and nothing was stored.");
    }
    keys.store(provider, &host, &key)?;
    let file = keys.file().map(|file| file.display().to_string()).unwrap_or_default();
    eprintln!(
        "Stored for {host} in {file}, as plain text that only you can read.\n\
         To keep it in a password manager instead, set `keyCommand` of the provider."
    );
    Ok(Exit::Done)
}

/// Forget a key.
pub fn logout(arguments: &Logout, environment: &Environment) -> anyhow::Result<Exit> {
    if Keys::of(&environment.state).remove(&arguments.provider)? {
        eprintln!("The key of {} is forgotten here. It is still valid at the provider.", arguments.provider);
        return Ok(Exit::Done);
    }
    bail!("No key of {} is stored.", arguments.provider)
}
