//! `assent doctor`: which model would be used and why, what is missing, what is broken, and what to
//! do about each.

use super::environment::{folder, private_folder};
use super::{Exit, print};
use assent_base::manifest::{Sandbox, SandboxMode, Settings};
use assent_engine::main_loop::Environment;
use assent_engine::model::catalogue::Wish;
use assent_engine::model::spec::ModelSpec;
use assent_engine::process::{self, Command, End, Processes};
use assent_engine::settings::{self, Loaded};
use assent_engine::trust::{self, Trust};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What `assent doctor` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// As JSON: {"ok", "checks": [{"name", "status", "message", "action"?}]}.
    #[arg(long)]
    json: bool,
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// As it should be.
    Ok,
    /// Something will not work as well as it could.
    Warning,
    /// Something will not work.
    Error,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub name: &'static str,
    /// How it came out.
    pub status: Status,
    /// What was found.
    pub message: String,
    /// What to do, where something is to be done.
    pub action: Option<String>,
}

/// How long a program may take to say its version.
const VERSION_TIME: Duration = Duration::from_secs(5);
/// The oldest Neovim that the plugin runs in.
const NEOVIM: (u32, u32) = (0, 11);

/// Look and print.
pub async fn run(arguments: Arguments, environment: Environment) -> anyhow::Result<Exit> {
    let folder = folder(None)?;
    let checks = look(&environment, &folder, &Value::Null, &super::trust::trust(&environment)).await;
    match arguments.json {
        true => print(&format!("{:#}\n", as_json(&checks))),
        false => print(&as_text(&checks)),
    }
    Ok(if worst(&checks) == Status::Error { Exit::Failed } else { Exit::Done })
}

/// Look at everything. `editor` is the editor's section of settings, null where there is none.
pub async fn look(environment: &Environment, folder: &Path, editor: &Value, trust: &Trust) -> Vec<Check> {
    let loaded = settings::load(&environment.config, Some(folder), editor, trust);
    let mut checks = vec![model(environment, folder, &loaded).await];
    checks.extend(configuration(environment, folder, &loaded));
    checks.push(trusted(trust, folder));
    let programs =
        Programs { processes: Processes::new(&*environment.variable), state: environment.state.clone() };
    checks.push(sandbox(environment, folder, &loaded.settings.sandbox).await);
    checks.push(programs.bash(folder).await);
    checks.push(programs.git(folder).await);
    checks.push(programs.neovim(folder).await);
    checks.push(state(&environment.state));
    checks
}

/// The checks for a reader.
pub fn as_text(checks: &[Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let mark = match check.status {
            Status::Ok => "ok     ",
            Status::Warning => "warning",
            Status::Error => "error  ",
        };
        let message = check.message.replace('\n', "\n                        ");
        text.push_str(&format!("{mark} {:14}  {message}\n", check.name));
        if let Some(action) = &check.action {
            text.push_str(&format!(
                "                        → {}\n",
                action.replace('\n', "\n                          ")
            ));
        }
    }
    text
}

/// The checks for a program.
pub fn as_json(checks: &[Check]) -> Value {
    let rows = checks.iter().map(|check| {
        let status = match check.status {
            Status::Ok => "ok",
            Status::Warning => "warning",
            Status::Error => "error",
        };
        let mut row = json!({ "name": check.name, "status": status, "message": check.message });
        if let Some(action) = &check.action {
            row["action"] = json!(action);
        }
        row
    });
    json!({ "ok": worst(checks) != Status::Error, "checks": rows.collect::<Vec<_>>() })
}

fn worst(checks: &[Check]) -> Status {
    let has = |status| checks.iter().any(|check| check.status == status);
    match (has(Status::Error), has(Status::Warning)) {
        (true, _) => Status::Error,
        (false, true) => Status::Warning,
        (false, false) => Status::Ok,
    }
}

fn check(name: &'static str, status: Status, message: impl Into<String>, action: Option<&str>) -> Check {
    Check { name, status, message: message.into(), action: action.map(str::to_owned) }
}

/// Which model a turn would ask here, and what led to it.
async fn model(environment: &Environment, folder: &Path, loaded: &Loaded) -> Check {
    let from_variable = (environment.variable)("ASSENT_MODEL").filter(|name| !name.is_empty());
    let (wanted, why) = match (&loaded.settings.model, &from_variable) {
        (Some(model), _) => (Some(model.as_str()), format!("`model: {model}` in assent.yaml")),
        (None, Some(model)) => (Some(model.as_str()), format!("ASSENT_MODEL={model}")),
        (None, None) => (None, String::new()),
    };
    if let Some(script) = wanted.and_then(|wanted| wanted.strip_prefix("scripted/")) {
        return match Path::new(script).is_file() {
            true => check("model", Status::Ok, format!("scripted/{script}, from {why}"), None),
            false => check(
                "model",
                Status::Error,
                format!("The script {script} is not there ({why})."),
                Some("Name a script that exists, or another model."),
            ),
        };
    }
    let providers = settings::providers(&loaded.settings);
    let wish = Wish { model: wanted, providers: &providers, folder };
    match settings::catalogue(&environment.variable, &environment.state).choose(wanted, wish).await {
        Ok(spec) => chosen(environment, &loaded.settings, &spec, &why),
        Err(problem) => {
            let (message, action) = problem.message.split_once('\n').unwrap_or((&problem.message, ""));
            let action = Some(action).filter(|action| !action.is_empty());
            check("model", Status::Error, message, action)
        }
    }
}

fn chosen(environment: &Environment, settings: &Settings, spec: &ModelSpec, why: &str) -> Check {
    let set = |name: &&String| (environment.variable)(name).is_some_and(|value| !value.trim().is_empty());
    let key = spec.key_names.iter().find(set);
    let why = match (why, key) {
        (why, _) if !why.is_empty() => format!("from {why}"),
        (_, Some(key)) if spec.key_required => format!("because {key} is set"),
        (_, _) if settings.providers.contains_key(&spec.provider) => {
            "because assent.yaml has its provider".into()
        }
        (_, _) => "because it answers on this machine".into(),
    };
    let message = format!("{} at {}, {why}", spec.name(), spec.base_url);
    if spec.key_required && key.is_none() {
        let names = spec.key_names.join(" or ");
        let action = format!("Set {names} in the environment that Assent starts in.");
        return check("model", Status::Error, format!("{message}; it has no key"), Some(&action));
    }
    check("model", Status::Ok, message, None)
}

/// The files that settings come from, and what is wrong in them.
fn configuration(environment: &Environment, folder: &Path, loaded: &Loaded) -> Vec<Check> {
    let mut checks: Vec<Check> = loaded
        .problems
        .iter()
        .map(|problem| {
            let action = Some("Mend it; nothing is run until then.");
            check("configuration", Status::Error, problem.to_string(), action)
        })
        .collect();
    checks.extend(loaded.ignored.iter().map(|left_out| {
        let action = Some("Put it into the user's assent.yaml if you want it.");
        check("configuration", Status::Warning, left_out.to_string(), action)
    }));
    checks.extend(loaded.warnings.iter().map(|warning| {
        let action = Some("Write the rule as it is meant.");
        check("configuration", Status::Warning, warning.to_string(), action)
    }));
    let files: Vec<String> = loaded.files.iter().map(|file| file.display().to_string()).collect();
    let message = match files.is_empty() {
        false => files.join("\n"),
        true => format!(
            "no assent.yaml in {}, and none in {} that counts: built-in settings",
            environment.config.display(),
            folder.display()
        ),
    };
    checks.push(check("configuration", Status::Ok, message, None));
    checks
}

/// Whether what came with the project counts.
fn trusted(trust: &Trust, folder: &Path) -> Check {
    match trust::notice(trust, folder) {
        Some(words) => check("trust", Status::Warning, words, None),
        None if trust.of(folder).approved().is_some() => {
            check("trust", Status::Ok, format!("{} is trusted", folder.display()), None)
        }
        None => check("trust", Status::Ok, "nothing of the project needs it", None),
    }
}

/// What would hold a command here.
async fn sandbox(environment: &Environment, folder: &Path, settings: &Sandbox) -> Check {
    if settings.mode == SandboxMode::Off {
        let message = "off in the settings: a command can do whatever you can";
        return check("sandbox", Status::Ok, message, None);
    }
    let processes = Processes::new(&*environment.variable);
    let processes = match environment.own_binary.clone() {
        Some(own) => processes.with_binary(own),
        None => processes,
    };
    let wish = process::sandbox::Wish {
        settings,
        folders: &[folder.to_owned()],
        own: &[environment.config.clone(), environment.state.clone()],
        home: environment.home.as_deref(),
        scratch: &environment.state,
        network: false,
    };
    match processes.sandbox(wish).await {
        Ok(profile) if profile.name() == "landlock" && settings.kind.is_none() => check(
            "sandbox",
            Status::Warning,
            profile.to_string(),
            Some(
                "Install bubblewrap: it keeps commands from what is protected, and gives them a network of their own.",
            ),
        ),
        Ok(profile) => check("sandbox", Status::Ok, profile.to_string(), None),
        Err(why) if settings.mode == SandboxMode::Required => check(
            "sandbox",
            Status::Error,
            format!("none, and the settings demand one, so no command runs: {why}"),
            Some("Install bubblewrap, or set `sandbox: preferred`."),
        ),
        Err(why) => check(
            "sandbox",
            Status::Warning,
            format!("none, a command can do whatever you can: {why}"),
            Some("Install bubblewrap, or set `sandbox: required` to run no command without one."),
        ),
    }
}

/// Programs that tools and fronts need.
struct Programs {
    processes: Processes,
    state: PathBuf,
}

impl Programs {
    async fn bash(&self, folder: &Path) -> Check {
        match self.version("bash", folder).await {
            Some(version) => check("bash", Status::Ok, version, None),
            None => check(
                "bash",
                Status::Error,
                "not found on PATH: the model can run no command",
                Some("Install bash, or put it on the PATH that Assent starts with."),
            ),
        }
    }

    async fn git(&self, folder: &Path) -> Check {
        match self.version("git", folder).await {
            Some(version) => check("git", Status::Ok, version, None),
            None => check(
                "git",
                Status::Warning,
                "not found on PATH: it can review no diff",
                Some("Install git, if you work with it."),
            ),
        }
    }

    async fn neovim(&self, folder: &Path) -> Check {
        let Some(version) = self.version("nvim", folder).await else {
            return check("nvim", Status::Ok, "not found on PATH; only its plugin needs it", None);
        };
        match neovim_version(&version) {
            Some(found) if found < NEOVIM => check(
                "nvim",
                Status::Warning,
                format!("{version}, which is too old for the plugin"),
                Some("Install Neovim 0.11 or newer."),
            ),
            _ => check("nvim", Status::Ok, version, None),
        }
    }

    /// The first line of what a program says of its version.
    async fn version(&self, name: &str, folder: &Path) -> Option<String> {
        let command = Command {
            program: self.processes.find_program(name, &[folder.to_owned()])?,
            arguments: vec!["--version".into()],
            directory: std::env::temp_dir(),
            environment: Vec::new(),
            timeout: VERSION_TIME,
            spill: self.state.join("doctor"),
            sandbox: None,
        };
        let program = command.program.display().to_string();
        let ran = self.processes.run("doctor", command, &CancellationToken::new(), &|_| {}).await;
        match ran {
            Ok(finished) if finished.end == End::Exited(0) => {
                let line = finished.output.head.lines().next().unwrap_or_default().to_owned();
                Some(format!("{line} ({program})"))
            }
            Ok(_) | Err(_) => Some(format!("{program}, which does not say its version")),
        }
    }
}

/// `NVIM v0.11.4` as numbers.
fn neovim_version(line: &str) -> Option<(u32, u32)> {
    let (_, version) = line.split_once('v')?;
    let mut numbers =
        version.split(|letter: char| !letter.is_ascii_digit()).map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// Whether sessions can be kept.
fn state(folder: &Path) -> Check {
    let written = private_folder(folder).and_then(|()| tempfile::NamedTempFile::new_in(folder).map(drop));
    match written {
        Ok(()) => check("state", Status::Ok, folder.display().to_string(), None),
        Err(problem) => check(
            "state",
            Status::Error,
            format!("{} can't be written: {problem}", folder.display()),
            Some("Make it writable, or set ASSENT_STATE_DIR to a folder that is."),
        ),
    }
}

#[cfg(test)]
mod tests;
