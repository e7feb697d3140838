//! The demo's project: embedded, unpacked into a temporary folder.

use crate::cli::environment::private_folder;
use anyhow::Context;
use assent_engine::main_loop::Environment;
use assent_engine::process::Processes;
use std::path::{Path, PathBuf};

/// The file with the fault.
pub const FAULTY: &str = "tally/shares.py";

/// A file of the project.
macro_rules! file {
    ($path:literal) => {
        ($path, include_str!(concat!("../../../demo/project/", $path)))
    };
}

/// The project.
const FILES: [(&str, &str); 7] = [
    file!("README.md"),
    file!("tally/__init__.py"),
    file!("tally/receipt.py"),
    file!("tally/shares.py"),
    file!("tests/__init__.py"),
    file!("tests/test_receipt.py"),
    file!("tests/test_shares.py"),
];

/// The model's words.
const SCRIPT: &str = include_str!("../../../demo/script.json");

/// What the project's tests are run with.
const PYTHON: &str = "python3";

/// The unpacked demo.
pub struct Demo {
    /// The project.
    pub folder: PathBuf,
    /// Surroundings of its own: no setting of the user's changes the demo, and the demo leaves no
    /// session behind.
    pub environment: Environment,
    /// What the demo needs and this machine does not have, in words.
    pub missing: Option<String>,
    base: PathBuf,
    script: PathBuf,
}

impl Demo {
    /// Unpack the demo into a new temporary folder.
    pub fn unpack(environment: &Environment) -> anyhow::Result<Self> {
        let base = tempfile::Builder::new().prefix("assent-demo-").tempdir()?.keep();
        unpack(&base, environment)
            .with_context(|| format!("The demo can't be unpacked into {}", base.display()))
    }

    /// Put a file beside the project.
    pub fn write(&self, name: &str, text: &str) -> std::io::Result<PathBuf> {
        let path = self.base.join(name);
        std::fs::write(&path, text).map(|()| path)
    }

    /// The model's name.
    pub fn model(&self) -> String {
        format!("scripted/{}", self.script.display())
    }

    /// Whether the file with the fault is another than it was.
    pub fn is_changed(&self) -> bool {
        let before = FILES.iter().find(|(path, _)| *path == FAULTY).map(|(_, text)| *text);
        std::fs::read_to_string(self.folder.join(FAULTY)).ok().as_deref() != before
    }
}

fn unpack(base: &Path, environment: &Environment) -> anyhow::Result<Demo> {
    let base = std::fs::canonicalize(base)?;
    let (python, missing) = python(environment);
    let folder = base.join("tally");
    for (path, text) in FILES {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text.replace(PYTHON, python))?;
    }
    let script = base.join("script.json");
    std::fs::write(&script, SCRIPT.replace(PYTHON, python))?;
    let (config, state) = (base.join("config"), base.join("state"));
    private_folder(&config)?;
    private_folder(&state)?;
    Ok(Demo {
        folder,
        environment: Environment { tools: config.join("tools"), config, state, ..environment.clone() },
        missing,
        base,
        script,
    })
}

/// The name of Python here, and a word where there is none.
fn python(environment: &Environment) -> (&'static str, Option<String>) {
    let processes = Processes::new(&*environment.variable);
    let found = [PYTHON, "python"].into_iter().find(|name| processes.find_program(name, &[]).is_some());
    match found {
        Some(name) => (name, None),
        None => (PYTHON, Some(MISSING.into())),
    }
}

const MISSING: &str = "The project's tests need Python 3, which was not found on PATH: the test runs of this \
                       demo will fail. Install Python 3 to see them.";

#[cfg(test)]
mod tests;
