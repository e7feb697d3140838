//! What a name stands for.

use crate::model::catalogue::NoModel;
use crate::model::catalogue::providers::Provider;

/// A provider, and the model if one was named.
#[derive(Debug, PartialEq)]
pub(super) struct Choice<'a> {
    pub(super) provider: &'a Provider,
    pub(super) model: Option<String>,
}

/// Reads `provider/model`, a provider or a bare model. Of several providers that know a bare name,
/// one whose key is set wins.
pub(super) fn wanted<'a>(
    wanted: &str,
    providers: &'a [Provider],
    has_key: &dyn Fn(&Provider) -> bool,
) -> Result<Choice<'a>, NoModel> {
    let by_name = |name: &str| providers.iter().find(|provider| provider.name == name);
    if let Some(provider) = by_name(wanted) {
        return Ok(Choice { provider, model: provider.default_model.clone() });
    }
    if let Some((provider, model)) = wanted.split_once('/')
        && let Some(provider) = by_name(provider)
    {
        let model = Some(model.trim()).filter(|model| !model.is_empty()).map(str::to_owned);
        return Ok(Choice { provider, model: model.or_else(|| provider.default_model.clone()) });
    }
    let knowing: Vec<&Provider> = providers.iter().filter(|provider| provider.knows(wanted)).collect();
    let provider = knowing.iter().find(|provider| has_key(provider)).or(knowing.first());
    match provider {
        Some(provider) => Ok(Choice { provider, model: Some(wanted.to_owned()) }),
        None => Err(NoModel { message: unknown(wanted, providers) }),
    }
}

fn unknown(wanted: &str, providers: &[Provider]) -> String {
    let names = names(providers);
    match wanted.split_once('/') {
        Some((provider, _)) => format!(
            "There is no model provider `{provider}` (asked for `{wanted}`). Known are {names}, and `scripted/<path>`; \
             others can be added under `providers:` in assent.yaml."
        ),
        None => format!(
            "No provider is known to have the model `{wanted}`. Write it as `provider/model`; the providers are {names}."
        ),
    }
}

fn names(providers: &[Provider]) -> String {
    providers.iter().map(|provider| provider.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// What to set when nothing can be used.
pub(super) fn what_to_set(providers: &[Provider]) -> String {
    let keys: Vec<&str> = providers
        .iter()
        .filter(|provider| provider.key_required)
        .filter_map(|provider| provider.key_names.first())
        .map(String::as_str)
        .collect();
    let local: Vec<String> = providers
        .iter()
        .filter(|provider| provider.local)
        .map(|provider| format!("{} ({})", provider.name, provider.base_url))
        .collect();
    format!(
        "No model is set up. Do one of these, then try again:\n\
         - set a key in the environment that Assent starts in: {}\n\
         - start a local model server: {}\n\
         - name a model in assent.yaml, as `model: provider/model`, with its provider under `providers:` if it is another one",
        keys.join(", "),
        local.join(", ")
    )
}
