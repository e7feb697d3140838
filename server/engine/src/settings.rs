//! The settings as they stand: the agents that ship, the user's files, a trusted project's, the editor's
//! section. Looked up anew whenever they are needed, so that a mended file counts at once.

mod agents;

use crate::limits;
use crate::model::Model;
use crate::model::catalogue::{Catalogue, HttpProbe, NoModel, ProviderConfig, Wish};
use crate::model::keys::Keys;
use crate::model::spec::Api;
use crate::model::surroundings::{self, Surroundings};
use crate::trust::{self, Approved, Kind, Standing, Trust};
use assent_base::manifest::{self, Layer, Problem, Scope, Settings, Written};
use assent_base::policy::Source;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The agent of a session for which none was chosen.
pub const DEFAULT_AGENT: &str = "assent";

/// Where the Markdown files of agents are, in the folder of the user's settings.
const AGENTS: &str = "agents";

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// All layers added up, without those that have mistakes.
    pub settings: Settings,
    /// What a project's file may not set.
    pub ignored: Vec<Problem>,
    /// What is probably not meant: rules that allow more than they seem to, or never ask.
    pub warnings: Vec<Problem>,
    /// Mistakes. A turn does not start with one: a silently missing rule is worse than a pause.
    pub problems: Vec<Problem>,
    /// The files that were read, in the order in which they count.
    pub files: Vec<PathBuf>,
}

impl Loaded {
    /// Itself where there are no mistakes, else all of them in words.
    pub fn without_mistakes(self) -> Result<Self, String> {
        if self.problems.is_empty() {
            return Ok(self);
        }
        let list: Vec<String> = self.problems.iter().map(|problem| format!("- {problem}")).collect();
        Err(format!("The settings have mistakes; nothing is run until they are mended:\n{}", list.join("\n")))
    }
}

/// The user's file, the project's if it is trusted, the editor's section, in this order: later ones
/// win, policies add up.
pub fn load(config: &Path, folder: Option<&Path>, editor: &Value, trust: &Trust) -> Loaded {
    load_by(config, folder, editor, trust, &|path| std::fs::read_to_string(path))
}

/// The same where `read` gives the text of a file: a buffer's that is not saved yet, for instance.
pub fn load_by(
    config: &Path,
    folder: Option<&Path>,
    editor: &Value,
    trust: &Trust,
    read: &dyn Fn(&Path) -> io::Result<String>,
) -> Loaded {
    let mut loading = Loading { loaded: Loaded::default(), layers: Vec::new(), read };
    loading.agents(config);
    loading.user(config);
    if let Some((folder, Standing::Trusted(approved))) = folder.map(|folder| (folder, trust.of(folder))) {
        loading.agents_of_project(folder, &approved);
        loading.project(folder, &approved);
    }
    let Loading { mut loaded, mut layers, .. } = loading;
    match manifest::from_editor(editor) {
        Ok(written) => layers.push(Layer { scope: Scope::User, written }),
        Err(problems) => loaded.problems.extend(problems),
    }
    let (settings, ignored) = manifest::layer(layers);
    loaded.settings = settings;
    loaded.ignored.extend(ignored);
    let warnings = loaded.settings.policy.rules.warnings();
    loaded.warnings = warnings.into_iter().map(|(source, message)| warning(source, message)).collect();
    loaded
}

/// Layers being read.
struct Loading<'a> {
    loaded: Loaded,
    layers: Vec<Layer>,
    read: &'a dyn Fn(&Path) -> io::Result<String>,
}

impl Loading<'_> {
    /// Those that ship, and the user's own from Markdown files.
    fn agents(&mut self, config: &Path) {
        self.layers.push(Layer { scope: Scope::User, written: agents::shipped() });
        let (written, files, problems) = agents::of_folder(&config.join(AGENTS), self.read);
        self.layers.push(Layer { scope: Scope::User, written });
        self.loaded.files.extend(files);
        self.loaded.problems.extend(problems);
    }

    fn user(&mut self, config: &Path) {
        let found = manifest::FILE_NAMES.iter().find_map(|name| {
            let path = config.join(name);
            match (self.read)(&path) {
                Err(problem) if problem.kind() == io::ErrorKind::NotFound => None,
                text => Some((path, text)),
            }
        });
        let Some((path, text)) = found else { return };
        let text = text.map_err(|problem| format!("can't be read: {problem}"));
        self.add(Scope::User, path.clone(), users_own(&path).and(text));
    }

    /// The project's file as it is where that was looked at. Where it is another by now: as it was,
    /// and what it narrows now on top.
    fn project(&mut self, folder: &Path, approved: &Approved) {
        let Some(path) = trust::settings_file(folder) else { return self.as_it_was(folder, approved) };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = trust::may_be_read(&path, limits::PROJECT_SETTINGS)
            .map_err(|problem| problem.message)
            .and_then(|()| (self.read)(&path).map_err(|problem| format!("can't be read: {problem}")));
        let digest = text.as_ref().map(|text| trust::digest(text.as_bytes()));
        if digest.is_ok_and(|digest| approved.has(Kind::Settings, &name, &digest)) {
            return self.add(Scope::Project, path, text);
        }
        self.as_it_was(folder, approved);
        let words = "is not as it was when you trusted this workspace: until you look at it with `assent trust`, it \
                     can only narrow what is allowed, and what it set before still holds";
        self.loaded.ignored.push(whole(path.display().to_string(), words.into()));
        self.add(Scope::Changed, path, text);
    }

    /// The agents of a project's own files: those that are as they were looked at.
    fn agents_of_project(&mut self, folder: &Path, approved: &Approved) {
        let files = match trust::agent_files(folder) {
            Ok(files) => files,
            Err(problem) => return self.loaded.ignored.push(problem),
        };
        let mut agents = Vec::new();
        for path in files {
            let name = path.display().to_string();
            let text = trust::may_be_read(&path, limits::AGENT_FILE)
                .map_err(|problem| problem.message)
                .and_then(|()| (self.read)(&path).map_err(|problem| format!("can't be read: {problem}")));
            let of = trust::tool_name(folder, &path);
            let looked_at = |text: &String| approved.has(Kind::Agent, &of, &trust::digest(text.as_bytes()));
            let Some(text) = text.ok().filter(looked_at) else {
                let words =
                    "is not as you have looked at it, and does not count until you do with `assent trust`";
                self.loaded.ignored.push(whole(name, words.into()));
                continue;
            };
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            match manifest::agent_from_file(&name, &text) {
                Ok(agent) => agents.push((stem, agent)),
                Err(problems) => self.loaded.problems.extend(problems),
            }
            self.loaded.files.push(path);
        }
        self.layers.push(Layer { scope: Scope::Project, written: Written::of_agents(agents) });
    }

    fn as_it_was(&mut self, folder: &Path, approved: &Approved) {
        let Some((name, text)) = approved.settings() else { return };
        // With a mistake it never counted.
        if let Ok(written) = manifest::from_file(&folder.join(name).display().to_string(), text) {
            self.layers.push(Layer { scope: Scope::LookedAt, written });
        }
    }

    fn add(&mut self, scope: Scope, path: PathBuf, text: Result<String, String>) {
        let name = path.display().to_string();
        let written = match text {
            Ok(text) => manifest::from_file(&name, &text),
            Err(message) => Err(vec![whole(name, message)]),
        };
        self.loaded.files.push(path);
        match written {
            Ok(written) => self.layers.push(Layer { scope, written }),
            Err(problems) => self.loaded.problems.extend(problems),
        }
    }
}

/// Whether a file of the user's configuration, and its folder, are the user's alone.
pub fn users_own(path: &Path) -> Result<(), String> {
    let check = |path: &Path, what: &str| match std::fs::metadata(path) {
        Ok(data) => trust::nobody_else_can_write(&data).map_err(|why| format!("{what}{why}")),
        // Whoever reads it says what is wrong.
        Err(_) => Ok(()),
    };
    check(path, "")?;
    path.parent().map_or(Ok(()), |folder| check(folder, "lies in a folder that "))
}

fn warning(source: Source, message: String) -> Problem {
    Problem { file: source.file, line: source.line, column: 1, key: String::new(), message }
}

/// A problem of a file as a whole.
fn whole(file: String, message: String) -> Problem {
    Problem { file, line: 1, column: 1, key: String::new(), message }
}

/// The providers of the settings, for the catalogue.
pub fn providers(settings: &Settings) -> BTreeMap<String, ProviderConfig> {
    let api = |name| match name {
        "anthropic" => Api::Anthropic,
        "openai-responses" => Api::OpenaiResponses,
        _ => Api::OpenaiChat,
    };
    let config = |provider: &manifest::Provider| ProviderConfig {
        api: provider.api.map(api),
        base_url: provider.base_url.clone(),
        api_key_env: provider.api_key_env.clone(),
        key_command: provider.key_command.clone(),
        model: provider.model.clone(),
        text_calls: provider.text_calls,
        context_window: provider.context_window,
        max_output: provider.max_output.and_then(|most| u32::try_from(most).ok()),
        images: provider.images,
    };
    settings.providers.iter().map(|(name, provider)| (name.clone(), config(provider))).collect()
}

/// The catalogue over the real network, with keys from `variable` and those stored in `state`.
pub fn catalogue(variable: &surroundings::Environment, state: &Path) -> Catalogue {
    let keys = Arc::new(Keys::of(state));
    let surroundings = Surroundings { environment: Arc::clone(variable), keys, ..Surroundings::real() };
    Catalogue::new(surroundings, Arc::new(HttpProbe))
}

/// The model that is wanted, by these settings.
pub async fn model(
    settings: &Settings,
    variable: &surroundings::Environment,
    state: &Path,
    folder: &Path,
    wanted: Option<&str>,
) -> Result<Arc<dyn Model>, NoModel> {
    let providers = providers(settings);
    catalogue(variable, state).select(Wish { model: wanted, providers: &providers, folder }).await
}

#[cfg(test)]
mod tests;
