//! What the process was started with, read once. Nothing below `cli` reads the environment.

use anyhow::Context;
use assent_engine::main_loop::Environment;
use directories::BaseDirs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of our folders.
const NAME: &str = "assent";

/// The surroundings of this process. No folder is made before something is put into it.
pub fn of_process() -> anyhow::Result<Environment> {
    environment(BaseDirs::new().as_ref(), |name| std::env::var(name).ok())
}

fn environment(
    folders: Option<&BaseDirs>,
    variable: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
) -> anyhow::Result<Environment> {
    let named = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let config = named("ASSENT_CONFIG_DIR")
        .or_else(|| folders.map(|folders| folders.config_dir().join(NAME)))
        .context("There is no home folder: set ASSENT_CONFIG_DIR to a folder for Assent's settings.")?;
    let state = named("ASSENT_STATE_DIR")
        .or_else(|| folders.map(|folders| folders.state_dir().unwrap_or(folders.data_local_dir()).join(NAME)))
        .context("There is no home folder: set ASSENT_STATE_DIR to a folder for Assent's sessions.")?;
    let tools = named("ASSENT_TOOLS_DIR").unwrap_or_else(|| config.join("tools"));
    Ok(Environment {
        tools: absolute(tools)?,
        config: absolute(config)?,
        state: absolute(state)?,
        home: folders.map(|folders| folders.home_dir().to_owned()),
        variable: Arc::new(variable),
        own_binary: std::env::current_exe().ok().map(super::own_binary),
    })
}

/// The folder that the command line named, or the current one.
pub fn folder(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    let folder = named.unwrap_or(Path::new("."));
    let found = std::fs::canonicalize(folder)
        .with_context(|| format!("The folder {} can't be used", folder.display()))?;
    anyhow::ensure!(found.is_dir(), "{} is not a folder.", folder.display());
    Ok(found)
}

/// Make a folder that only its owner can look into.
pub fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Options to open a file that only its owner can look into.
pub fn private_file() -> std::fs::OpenOptions {
    let mut options = std::fs::OpenOptions::new();
    options.create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn absolute(path: PathBuf) -> anyhow::Result<PathBuf> {
    std::path::absolute(&path).with_context(|| format!("{} is no usable path", path.display()))
}

#[cfg(test)]
mod tests;
