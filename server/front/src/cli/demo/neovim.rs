//! The demo in Neovim: the embedded plugin, the demo's project, the chat with the prompt in it.

use super::project::{Demo, FAULTY};
use super::{CONNECT, PROMPT};
use crate::cli::Exit;
use crate::cli::environment::private_folder;
use anyhow::Context;
use assent_engine::main_loop::Environment;
use assent_engine::process::{Processes, foreground};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The plugin, as the build found it: names below its folder, and texts.
static PLUGIN: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/neovim_plugin.rs"));

/// What Neovim starts with.
const START: &str = include_str!("../../../demo/init.lua");

/// Open Neovim in the demo's project and wait until the user leaves it.
pub async fn open(demo: &Demo, environment: &Environment) -> anyhow::Result<Exit> {
    let program = Processes::new(&*environment.variable).find_program("nvim", &[]).context(
        "Neovim was not found on PATH. Install Neovim 0.11 or newer, or see the demo here with `assent demo`.",
    )?;
    let plugin = extract(&environment.state).context("The plugin can't be unpacked")?;
    let start = demo.write("init.lua", START)?;
    let server = std::env::current_exe().context("The path of this program is not known")?;
    let show = foreground::Program {
        program,
        arguments: arguments(&plugin, &start),
        directory: demo.folder.clone(),
        environment: vec![
            ("ASSENT_DEMO_PROMPT".into(), PROMPT.into()),
            ("ASSENT_BIN".into(), server.into()),
            ("ASSENT_MODEL".into(), demo.model().into()),
            ("ASSENT_CONFIG_DIR".into(), demo.environment.config.clone().into()),
            ("ASSENT_STATE_DIR".into(), demo.environment.state.clone().into()),
        ],
    };
    let status = foreground::run(show).await.context("Neovim can't be started")?;
    eprintln!("The demo's project stays in {}\n\n{CONNECT}", demo.folder.display());
    Ok(if status.success() { Exit::Done } else { Exit::Failed })
}

/// No configuration of the user's: the demo is the same everywhere.
fn arguments(plugin: &Path, start: &Path) -> Vec<OsString> {
    let path = format!("lua vim.opt.runtimepath:prepend([==[{}]==])", plugin.display());
    let start = start.as_os_str().to_owned();
    vec!["--clean".into(), "--cmd".into(), path.into(), "-u".into(), start, FAULTY.into()]
}

/// Put the plugin into the state folder, where it is not the one of this version already.
fn extract(state: &Path) -> io::Result<PathBuf> {
    let root = state.join("neovim");
    for (name, text) in PLUGIN {
        let path = root.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|there| there == *text) {
            continue;
        }
        if let Some(folder) = path.parent() {
            private_folder(folder)?;
        }
        std::fs::write(&path, text)?;
    }
    Ok(root)
}
