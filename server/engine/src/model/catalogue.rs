//! Which models there are, and which one is meant. Providers are data (`providers.json`); the
//! user's configuration adds to them and changes them.

mod choose;
mod probe;
mod providers;

pub use probe::{HttpProbe, Probe};
pub use providers::ProviderConfig;

use crate::model::anthropic::Anthropic;
use crate::model::openai_chat::OpenAiChat;
use crate::model::openai_responses::OpenAiResponses;
use crate::model::retry::Retrying;
use crate::model::scripted::Scripted;
use crate::model::spec::{Api, ModelSpec};
use crate::model::surroundings::Surroundings;
use crate::model::text_calls::TextCalls;
use crate::model::{Model, ModelError};
use choose::Choice;
use providers::{Provider, all_providers};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// What the user asks for.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// `provider/model`, a provider, a model, `scripted/<path>`; nothing to let the catalogue
    /// choose.
    pub model: Option<&'a str>,
    /// The providers of the configuration.
    pub providers: &'a BTreeMap<String, ProviderConfig>,
    /// The workspace folder, for the placeholders of a script.
    pub folder: &'a Path,
}

/// No model can be used; the text says exactly what to set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct NoModel {
    /// For the chat and the terminal.
    pub message: String,
}

/// A model that can be offered in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// `provider/model`.
    pub name: String,
    /// The context window in tokens, where known.
    pub window: Option<u64>,
}

/// The catalogue with what it needs of the world.
#[derive(Clone)]
pub struct Catalogue {
    surroundings: Surroundings,
    probe: Arc<dyn Probe>,
}

impl Catalogue {
    /// The catalogue over the real network and the process's environment.
    pub fn real() -> Self {
        Self::new(Surroundings::real(), Arc::new(HttpProbe))
    }

    /// A catalogue in given surroundings.
    pub fn new(surroundings: Surroundings, probe: Arc<dyn Probe>) -> Self {
        Self { surroundings, probe }
    }

    /// The model that is meant.
    ///
    /// 1. What the user chose; else what `ASSENT_MODEL` names.
    /// 2. Else a configured provider that can be used (its key is set, or it needs none and answers).
    /// 3. Else the first provider of the catalogue whose key is set.
    /// 4. Else a local server that answers on Ollama's or llama.cpp's port.
    /// 5. Else an error that says what to set.
    pub async fn select(&self, wish: Wish<'_>) -> Result<Arc<dyn Model>, NoModel> {
        let from_environment = self.surroundings.variable("ASSENT_MODEL");
        let wanted =
            wish.model.map(str::trim).filter(|model| !model.is_empty()).or(from_environment.as_deref());
        if let Some(path) = wanted.and_then(|wanted| wanted.strip_prefix("scripted/")) {
            return Ok(Arc::new(Scripted::open(Path::new(path), wish.folder).map_err(NoModel::of)?));
        }
        let spec = self.choose(wanted, wish).await?;
        Ok(self.open(spec))
    }

    /// What is known of the model that is meant, without opening it. A script has no such facts.
    pub async fn choose(&self, wanted: Option<&str>, wish: Wish<'_>) -> Result<ModelSpec, NoModel> {
        let providers = all_providers(wish.providers)?;
        let keys = Arc::clone(&self.surroundings.keys);
        // A fault of ours there costs the stored keys, not the others.
        let _ = tokio::task::spawn_blocking(move || keys.look()).await;
        let has_key = |provider: &Provider| self.has_key(provider);
        let choice = match wanted {
            Some(wanted) => choose::wanted(wanted, &providers, &has_key)?,
            None => match self.unasked(&providers).await {
                Some(choice) => choice,
                None => return Err(NoModel { message: choose::what_to_set(&providers) }),
            },
        };
        let model = match choice.model {
            Some(model) => model,
            None => self.first_model(choice.provider).await?,
        };
        Ok(choice.provider.spec(&model))
    }

    /// Models for a picker: those known of every provider that could be used now, and those that
    /// servers without a key say they have.
    pub async fn list_models(
        &self,
        configured: &BTreeMap<String, ProviderConfig>,
    ) -> Result<Vec<Offer>, NoModel> {
        let providers = all_providers(configured)?;
        let lists = providers.iter().filter(|provider| self.is_usable(provider)).map(|provider| async move {
            let mut names = provider.known_models();
            if !provider.key_required {
                let served = self.probe.models(&provider.base_url).await.unwrap_or_default();
                let new: Vec<String> = served.into_iter().filter(|name| !names.contains(name)).collect();
                names.extend(new);
            }
            provider.offers(names)
        });
        Ok(futures::future::join_all(lists).await.concat())
    }

    /// The same without asking any server. Blocks.
    pub fn known_models(&self, configured: &BTreeMap<String, ProviderConfig>) -> Result<Vec<Offer>, NoModel> {
        self.surroundings.keys.look();
        let providers = all_providers(configured)?;
        let usable = providers.iter().filter(|provider| self.is_usable(provider));
        Ok(usable.flat_map(|provider| provider.offers(provider.known_models())).collect())
    }

    /// A model that is ready for requests.
    pub fn open(&self, spec: ModelSpec) -> Arc<dyn Model> {
        let text_calls = spec.text_calls;
        let surroundings = self.surroundings.clone();
        let adapter: Arc<dyn Model> = match spec.api {
            Api::OpenaiChat => Arc::new(OpenAiChat::new(spec, surroundings)),
            Api::OpenaiResponses => Arc::new(OpenAiResponses::new(spec, surroundings)),
            Api::Anthropic => Arc::new(Anthropic::new(spec, surroundings)),
        };
        let reading: Arc<dyn Model> = if text_calls { Arc::new(TextCalls::new(adapter)) } else { adapter };
        Arc::new(Retrying::new(reading, Arc::clone(&self.surroundings.chance)))
    }

    /// The host that a provider's requests go to, for a key that is to be stored.
    ///
    /// # Errors
    /// There is no such provider; the text names those there are.
    pub fn host_of(
        &self,
        provider: &str,
        configured: &BTreeMap<String, ProviderConfig>,
    ) -> Result<String, NoModel> {
        let providers = all_providers(configured)?;
        let found = providers.iter().find(|known| known.name == provider);
        let host = found.and_then(Provider::host);
        host.ok_or_else(|| {
            let names: Vec<&str> = providers.iter().map(|known| known.name.as_str()).collect();
            NoModel { message: format!("There is no provider {provider}. There are: {}.", names.join(", ")) }
        })
    }

    fn is_usable(&self, provider: &Provider) -> bool {
        !provider.key_required || self.has_key(provider)
    }

    fn has_key(&self, provider: &Provider) -> bool {
        provider.key_names.iter().any(|name| self.surroundings.variable(name).is_some())
            || provider.key_command.is_some()
            || provider.host().is_some_and(|host| self.surroundings.keys.has(&provider.name, &host))
    }

    /// The choice of steps 2 to 4.
    async fn unasked<'a>(&self, providers: &'a [Provider]) -> Option<Choice<'a>> {
        for provider in providers.iter().filter(|provider| provider.configured) {
            if provider.key_required {
                if self.has_key(provider) && provider.default_model.is_some() {
                    return Some(Choice { provider, model: provider.default_model.clone() });
                }
            } else if let Some(choice) = self.served(provider).await {
                return Some(choice);
            }
        }
        let with_key = providers.iter().find(|provider| {
            provider.key_required && provider.default_model.is_some() && self.has_key(provider)
        });
        if let Some(provider) = with_key {
            return Some(Choice { provider, model: provider.default_model.clone() });
        }
        let local = providers.iter().filter(|provider| provider.local && !provider.configured);
        let answers = futures::future::join_all(local.map(|provider| self.served(provider))).await;
        answers.into_iter().flatten().next()
    }

    /// A provider without a key, if it answers: its default model, or the first that it has.
    async fn served<'a>(&self, provider: &'a Provider) -> Option<Choice<'a>> {
        let models = self.probe.models(&provider.base_url).await?;
        let model = provider.default_model.clone().or_else(|| models.into_iter().next())?;
        Some(Choice { provider, model: Some(model) })
    }

    /// The model of a provider that was chosen without one.
    async fn first_model(&self, provider: &Provider) -> Result<String, NoModel> {
        if let Some(model) = &provider.default_model {
            return Ok(model.clone());
        }
        let answer = self.probe.models(&provider.base_url).await;
        let message = match answer.map(|models| models.into_iter().next()) {
            Some(Some(model)) => return Ok(model),
            Some(None) => format!(
                "{} at {} has no model. Load one, or name it: `{}/<model>`.",
                provider.name, provider.base_url, provider.name
            ),
            None => format!(
                "{} at {} does not say which models it has. Start it, or name the model: `{}/<model>`.",
                provider.name, provider.base_url, provider.name
            ),
        };
        Err(NoModel { message })
    }
}

impl NoModel {
    fn of(error: ModelError) -> Self {
        Self { message: error.to_string() }
    }
}

#[cfg(test)]
mod tests;
