//! Providers: the shipped ones, and what the configuration makes of them.

use crate::model::catalogue::{NoModel, Offer};
use crate::model::endpoint::{host_of, is_loopback};
use crate::model::spec::{Api, Dialect, ModelSpec, Thinking};
use reqwest::Url;
use serde::Deserialize;
use std::collections::BTreeMap;

const SHIPPED: &str = include_str!("../providers.json");

/// A provider as the configuration gives it; what is absent is the shipped provider's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProviderConfig {
    /// The wire format.
    pub api: Option<Api>,
    /// Where requests go: for the OpenAI formats up to `/v1`, for Anthropic's up to the host.
    pub base_url: Option<String>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// A command that answers with the key.
    pub key_command: Option<Vec<String>>,
    /// The model to use when none is named.
    pub model: Option<String>,
    /// Whether a call written as text is taken as a call.
    pub text_calls: Option<bool>,
    /// The context window in tokens.
    pub context_window: Option<u64>,
    /// The most tokens that one answer may have.
    pub max_output: Option<u32>,
    /// Whether images may be sent.
    pub images: Option<bool>,
}

/// A provider as it counts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Provider {
    pub(super) name: String,
    pub(super) api: Api,
    pub(super) base_url: String,
    #[serde(default)]
    pub(super) key_names: Vec<String>,
    #[serde(default)]
    pub(super) default_model: Option<String>,
    /// Runs on this machine.
    #[serde(default)]
    pub(super) local: bool,
    #[serde(default)]
    text_calls: bool,
    /// What its models' names begin with, to know a bare name.
    #[serde(default)]
    families: Vec<String>,
    #[serde(default)]
    images: bool,
    #[serde(default)]
    window: Option<u64>,
    #[serde(default)]
    max_output: Option<u32>,
    #[serde(default)]
    dialect: Dialect,
    #[serde(default)]
    models: Vec<KnownModel>,
    /// Named in the configuration.
    #[serde(skip)]
    pub(super) configured: bool,
    #[serde(skip)]
    pub(super) key_required: bool,
    #[serde(skip)]
    pub(super) key_command: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct KnownModel {
    name: String,
    window: Option<u64>,
    max_output: Option<u32>,
    images: Option<bool>,
    thinking: Option<Thinking>,
    /// The beginning of older models' names, not offered itself.
    #[serde(default)]
    hidden: bool,
}

/// The shipped providers in the order in which their keys are looked for.
pub(super) fn shipped() -> Vec<Provider> {
    let mut providers: Vec<Provider> =
        serde_json::from_str(SHIPPED).expect("a test reads the shipped providers");
    for provider in &mut providers {
        provider.key_required = !provider.key_names.is_empty();
    }
    providers
}

/// The shipped providers as the configuration changed them, and the configuration's own.
pub(super) fn all_providers(configured: &BTreeMap<String, ProviderConfig>) -> Result<Vec<Provider>, NoModel> {
    let mut providers = shipped();
    for (name, config) in configured {
        match providers.iter_mut().find(|provider| provider.name == *name) {
            Some(provider) => provider.configure(config),
            None => providers.push(Provider::custom(name, config)?),
        }
    }
    Ok(providers)
}

impl Provider {
    fn custom(name: &str, config: &ProviderConfig) -> Result<Self, NoModel> {
        let missing = |key| NoModel {
            message: format!("Provider `{name}` needs `{key}`: add it to `providers.{name}` in assent.yaml."),
        };
        let mut provider = Self {
            name: name.to_owned(),
            api: config.api.ok_or_else(|| missing("api"))?,
            base_url: config.base_url.clone().ok_or_else(|| missing("baseUrl"))?,
            key_names: Vec::new(),
            default_model: None,
            local: false,
            text_calls: false,
            families: Vec::new(),
            images: true,
            window: None,
            max_output: None,
            dialect: Dialect::default(),
            models: Vec::new(),
            configured: true,
            key_required: false,
            key_command: None,
        };
        if Url::parse(&provider.base_url).is_ok_and(|url| is_loopback(&url)) {
            // So do all servers that people run on their own machine, as far as we know.
            provider.dialect.usage_option = true;
            provider.local = true;
            provider.text_calls = true;
            provider.images = false;
        }
        provider.configure(config);
        Ok(provider)
    }

    fn configure(&mut self, config: &ProviderConfig) {
        self.configured = true;
        if let Some(api) = config.api {
            self.api = api;
        }
        if let Some(base_url) = &config.base_url {
            if host(base_url) != host(&self.base_url) {
                // A key belongs to its host: another host gets only a key that is named for it.
                self.key_names.clear();
                self.key_required = false;
            }
            self.base_url.clone_from(base_url);
        }
        if let Some(name) = &config.api_key_env {
            self.key_names = vec![name.clone()];
            self.key_required = true;
        }
        if let Some(command) = &config.key_command {
            self.key_command = Some(command.clone());
            self.key_required = true;
        }
        if let Some(model) = &config.model {
            self.default_model = Some(model.clone());
        }
        self.text_calls = config.text_calls.unwrap_or(self.text_calls);
        self.images = config.images.unwrap_or(self.images);
        if config.images.is_some() || config.context_window.is_some() || config.max_output.is_some() {
            for model in &mut self.models {
                model.images = config.images.or(model.images);
                model.window = config.context_window.or(model.window);
                model.max_output = config.max_output.or(model.max_output);
            }
        }
        self.window = config.context_window.or(self.window);
        self.max_output = config.max_output.or(self.max_output);
    }

    /// The host that its requests go to, with the port.
    pub(super) fn host(&self) -> Option<String> {
        host(&self.base_url)
    }

    /// The names of the models that are known without asking.
    pub(super) fn known_models(&self) -> Vec<String> {
        let known = self.models.iter().filter(|model| !model.hidden).map(|model| model.name.clone());
        let own =
            self.default_model.clone().filter(|name| !self.models.iter().any(|model| model.name == *name));
        own.into_iter().chain(known).collect()
    }

    /// These models for a picker.
    pub(super) fn offers(&self, names: Vec<String>) -> Vec<Offer> {
        let specs = names.iter().map(|name| self.spec(name));
        specs.map(|spec| Offer { name: spec.name(), window: spec.window }).collect()
    }

    /// Whether a bare model name is one of this provider's.
    pub(super) fn knows(&self, model: &str) -> bool {
        self.known_models().iter().any(|known| known == model)
            || self.families.iter().any(|family| model.starts_with(family.as_str()))
    }

    /// All that is known of one of its models.
    pub(super) fn spec(&self, model: &str) -> ModelSpec {
        // A dated name (`claude-sonnet-4-5-20250929`) is known by what it begins with.
        let known = self
            .models
            .iter()
            .filter(|known| model.starts_with(&known.name))
            .max_by_key(|known| known.name.len());
        ModelSpec {
            provider: self.name.clone(),
            model: model.to_owned(),
            api: self.api,
            base_url: self.base_url.clone(),
            key_names: self.key_names.clone(),
            key_required: self.key_required,
            key_command: self.key_command.clone(),
            text_calls: self.text_calls,
            window: known.and_then(|known| known.window).or(self.window),
            max_output: known.and_then(|known| known.max_output).or(self.max_output),
            images: known.and_then(|known| known.images).unwrap_or(self.images),
            thinking: known.and_then(|known| known.thinking),
            dialect: self.dialect.clone(),
        }
    }
}

fn host(url: &str) -> Option<String> {
    host_of(&Url::parse(url).ok()?)
}
