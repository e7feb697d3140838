//! The settings as they stand: the agents that ship, the user's files, the project's, the editor's section. Looked up anew
//! whenever they are needed, so that a mended file counts at once.

mod agents;

use crate::model::Model;
use crate::model::catalogue::{Catalogue, HttpProbe, NoModel, ProviderConfig, Wish};
use crate::model::keys::Keys;
use crate::model::spec::Api;
use crate::model::surroundings::{self, Surroundings};
use assent_base::manifest::{self, Layer, Problem, Scope, Settings};
use assent_base::policy::Source;
use serde_json::Value;
use std::collections::BTreeMap;
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

/// The user's file, the project's, the editor's section, in this order: later ones win, policies
/// add up.
pub fn load(config: &Path, folder: Option<&Path>, editor: &Value) -> Loaded {
    load_by(config, folder, editor, &|path| std::fs::read_to_string(path))
}

/// The same where `read` gives the text of a file: a buffer's that is not saved yet, for instance.
pub fn load_by(
    config: &Path,
    folder: Option<&Path>,
    editor: &Value,
    read: &dyn Fn(&Path) -> std::io::Result<String>,
) -> Loaded {
    let mut loaded = Loaded::default();
    let mut layers = vec![Layer { scope: Scope::User, written: agents::shipped() }];
    let (written, files, problems) = agents::of_folder(&config.join(AGENTS), read);
    layers.push(Layer { scope: Scope::User, written });
    loaded.files.extend(files);
    loaded.problems.extend(problems);
    for (scope, folder) in [(Scope::User, Some(config)), (Scope::Project, folder)] {
        let Some((path, text)) = folder.and_then(|folder| settings_file(folder, read)) else { continue };
        let name = path.display().to_string();
        let written = match text {
            Ok(text) => manifest::from_file(&name, &text),
            Err(problem) => Err(vec![unreadable(name, &problem)]),
        };
        loaded.files.push(path);
        match written {
            Ok(written) => layers.push(Layer { scope, written }),
            Err(problems) => loaded.problems.extend(problems),
        }
    }
    match manifest::from_editor(editor) {
        Ok(written) => layers.push(Layer { scope: Scope::User, written }),
        Err(problems) => loaded.problems.extend(problems),
    }
    (loaded.settings, loaded.ignored) = manifest::layer(layers);
    let warnings = loaded.settings.policy.rules.warnings();
    loaded.warnings = warnings.into_iter().map(|(source, message)| warning(source, message)).collect();
    loaded
}

/// The settings file of a folder with its text, if there is one.
fn settings_file(
    folder: &Path,
    read: &dyn Fn(&Path) -> std::io::Result<String>,
) -> Option<(PathBuf, std::io::Result<String>)> {
    manifest::FILE_NAMES.iter().find_map(|name| {
        let path = folder.join(name);
        match read(&path) {
            Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => None,
            text => Some((path, text)),
        }
    })
}

fn warning(source: Source, message: String) -> Problem {
    Problem { file: source.file, line: source.line, column: 1, key: String::new(), message }
}

fn unreadable(file: String, problem: &std::io::Error) -> Problem {
    Problem { file, line: 1, column: 1, key: String::new(), message: format!("can't be read: {problem}") }
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
