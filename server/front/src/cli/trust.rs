//! `assent trust` and `assent untrust`: what came with a project counts once its user has looked at it.

use super::environment::folder;
use super::{Exit, print};
use assent_engine::main_loop::Environment;
use assent_engine::trust::{Shown, State, Trust, notice, summary};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// What `assent trust` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder; the current one without it.
    directory: Option<PathBuf>,
    /// Trust it without being asked.
    #[arg(long)]
    yes: bool,
}

/// What `assent untrust` takes.
#[derive(clap::Args)]
pub struct Untrust {
    /// The folder; the current one without it.
    directory: Option<PathBuf>,
}

/// Show what would count, and trust it if the user says so.
pub fn run(arguments: Arguments, environment: &Environment) -> anyhow::Result<Exit> {
    let folder = folder(arguments.directory.as_deref())?;
    let trust = trust(environment);
    let shown = Shown::look(&trust, &folder)?;
    print(&summary(&shown));
    if shown.state == State::Trusted {
        return Ok(Exit::Done);
    }
    if !arguments.yes {
        if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
            eprintln!(
                "assent: nobody can be asked here, so nothing was trusted; --yes trusts what is shown above"
            );
            return Ok(Exit::Usage);
        }
        if !asked()? {
            print("Nothing was changed.\n");
            return Ok(Exit::Done);
        }
    }
    trust.approve(&shown).map_err(anyhow::Error::msg)?;
    print(&format!("\n{} is trusted, with what is shown above.\n", shown.folder.display()));
    Ok(Exit::Done)
}

/// Take trust back.
pub fn untrust(arguments: Untrust, environment: &Environment) -> anyhow::Result<Exit> {
    // A folder that is gone can be untrusted too.
    let folder = arguments.directory.unwrap_or_else(|| PathBuf::from("."));
    let folder = std::path::absolute(&folder)?;
    let was = trust(environment).revoke(&folder).map_err(anyhow::Error::msg)?;
    let words = if was { "is not trusted any more" } else { "was not trusted" };
    print(&format!("{} {words}.\n", folder.display()));
    Ok(Exit::Done)
}

/// Whom the user trusts, outside of an editor that could restrict it.
pub fn trust(environment: &Environment) -> Trust {
    Trust::new(&environment.state, false)
}

/// What of a folder does not count, told on stderr.
pub fn tell(environment: &Environment, folder: &Path) {
    if let Some(words) = notice(&trust(environment), folder) {
        eprintln!("assent: {words}");
    }
}

/// Whatever is not plainly a yes is a no.
fn asked() -> std::io::Result<bool> {
    print("\nTrust this folder? y = yes, n = no [n]: ");
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
