use super::providers::shipped;
use super::*;
use crate::model::testing::surroundings;
use async_trait::async_trait;
use std::collections::HashMap;

/// Servers by base URL.
#[derive(Default)]
struct Servers(HashMap<String, Vec<String>>);

#[async_trait]
impl Probe for Servers {
    async fn models(&self, base_url: &str) -> Option<Vec<String>> {
        self.0.get(base_url).cloned()
    }
}

const OLLAMA: &str = "http://127.0.0.1:11434/v1";
const LLAMACPP: &str = "http://127.0.0.1:8080/v1";

fn servers(list: &[(&str, &str)]) -> Servers {
    Servers(list.iter().map(|(url, model)| ((*url).to_owned(), vec![(*model).to_owned()])).collect())
}

struct Case<'a> {
    environment: &'a [(&'a str, &'a str)],
    servers: &'a [(&'a str, &'a str)],
    configured: &'a [(&'a str, ProviderConfig)],
    wanted: Option<&'a str>,
}

const NOTHING: Case<'static> = Case { environment: &[], servers: &[], configured: &[], wanted: None };

impl Case<'_> {
    async fn select(&self) -> Result<String, String> {
        let catalogue = Catalogue::new(surroundings(self.environment), Arc::new(servers(self.servers)));
        let providers =
            self.configured.iter().map(|(name, config)| ((*name).to_owned(), config.clone())).collect();
        let wish = Wish { model: self.wanted, providers: &providers, folder: Path::new("/ws") };
        catalogue.select(wish).await.map(|model| model.name().to_owned()).map_err(|error| error.message)
    }
}

fn local(model: Option<&str>) -> ProviderConfig {
    ProviderConfig {
        api: Some(Api::OpenaiChat),
        base_url: Some("http://127.0.0.1:9107/v1".to_owned()),
        model: model.map(str::to_owned),
        ..ProviderConfig::default()
    }
}

#[test]
fn the_shipped_providers_are_whole() {
    let providers = shipped();
    let names: Vec<&str> = providers.iter().map(|provider| provider.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "anthropic",
            "openai",
            "openrouter",
            "google",
            "mistral",
            "deepseek",
            "groq",
            "xai",
            "ollama",
            "llamacpp"
        ]
    );
    for provider in &providers {
        assert_ne!(provider.local, provider.key_required, "{}", provider.name);
        if let Some(model) = &provider.default_model {
            assert!(provider.spec(model).window.is_some(), "{model} is among the known models");
        }
    }
}

#[tokio::test]
async fn the_first_key_in_the_environment_wins() {
    let environment: &[_] = &[("XAI_API_KEY", "k"), ("OPENAI_API_KEY", "k")];
    assert_eq!(Case { environment, ..NOTHING }.select().await.unwrap(), "openai/gpt-5.5");
    let second_name: &[_] = &[("GOOGLE_API_KEY", "k")];
    assert_eq!(
        Case { environment: second_name, ..NOTHING }.select().await.unwrap(),
        "google/gemini-3.5-flash"
    );
}

#[tokio::test]
async fn without_a_key_a_local_server_is_taken() {
    let both: &[_] = &[(LLAMACPP, "b"), (OLLAMA, "qwen3:8b")];
    assert_eq!(Case { servers: both, ..NOTHING }.select().await.unwrap(), "ollama/qwen3:8b");
    let one: &[_] = &[(LLAMACPP, "b.gguf")];
    assert_eq!(Case { servers: one, ..NOTHING }.select().await.unwrap(), "llamacpp/b.gguf");
}

#[tokio::test]
async fn with_nothing_the_message_says_what_to_set() {
    let message = NOTHING.select().await.unwrap_err();
    for word in ["ANTHROPIC_API_KEY", "XAI_API_KEY", "11434", "8080", "model: provider/model", "assent.yaml"]
    {
        assert!(message.contains(word), "{word} in {message}");
    }
}

#[tokio::test]
async fn a_choice_wins_over_keys_and_servers() {
    let environment: &[_] = &[("ANTHROPIC_API_KEY", "k"), ("OPENROUTER_API_KEY", "k")];
    for (wanted, expected) in [
        ("openai/gpt-4.1", "openai/gpt-4.1"),
        ("openrouter/anthropic/claude-opus-5", "openrouter/anthropic/claude-opus-5"),
        ("deepseek", "deepseek/deepseek-flash"),
        ("gemini-9", "google/gemini-9"),
        ("claude-opus-5", "anthropic/claude-opus-5"),
        ("openai/gpt-oss-120b", "openai/gpt-oss-120b"),
        ("ollama", "ollama/qwen3:8b"),
        ("llamacpp/x", "llamacpp/x"),
    ] {
        let case = Case { environment, servers: &[(OLLAMA, "qwen3:8b")], wanted: Some(wanted), ..NOTHING };
        assert_eq!(case.select().await.unwrap(), expected);
    }
}

#[tokio::test]
async fn an_unknown_choice_lists_what_is_known() {
    for wanted in ["nobody/model", "model"] {
        let message = Case { wanted: Some(wanted), ..NOTHING }.select().await.unwrap_err();
        assert!(message.contains(wanted) && message.contains("anthropic, openai, openrouter"), "{message}");
    }
    let message = Case { wanted: Some("ollama"), ..NOTHING }.select().await.unwrap_err();
    assert!(message.contains(OLLAMA), "{message}");
}

#[tokio::test]
async fn a_configured_provider_comes_before_keys() {
    let environment: &[_] = &[("ANTHROPIC_API_KEY", "k")];
    let configured: &[_] = &[("local", local(None))];
    let served: &[_] = &[("http://127.0.0.1:9107/v1", "mine")];
    let case = Case { environment, configured, servers: served, wanted: None };
    assert_eq!(case.select().await.unwrap(), "local/mine");
    let asleep = Case { servers: &[], ..case };
    assert_eq!(asleep.select().await.unwrap(), "anthropic/claude-sonnet-5");
    let chosen = Case { wanted: Some("local/other"), ..asleep };
    assert_eq!(chosen.select().await.unwrap(), "local/other");
}

#[tokio::test]
async fn the_environment_may_name_the_model() {
    let environment: &[_] = &[("ASSENT_MODEL", "mistral/devstral"), ("ANTHROPIC_API_KEY", "k")];
    let case = Case { environment, ..NOTHING };
    assert_eq!(case.select().await.unwrap(), "mistral/devstral");
    assert_eq!(Case { wanted: Some("xai"), ..case }.select().await.unwrap(), "xai/grok-4.5");
}

#[tokio::test]
async fn a_configuration_without_an_address_says_so() {
    let configured: &[_] =
        &[("mine", ProviderConfig { api: Some(Api::Anthropic), ..ProviderConfig::default() })];
    let message = Case { configured, ..NOTHING }.select().await.unwrap_err();
    assert!(message.contains("providers.mine") && message.contains("baseUrl"), "{message}");
}

#[test]
fn a_key_does_not_follow_its_provider_to_another_host() {
    let moved = ProviderConfig {
        base_url: Some("https://elsewhere.example/v1".to_owned()),
        ..ProviderConfig::default()
    };
    let configured = BTreeMap::from([("openai".to_owned(), moved.clone())]);
    let spec = |configured| {
        let providers = all_providers(configured).unwrap();
        providers.iter().find(|provider| provider.name == "openai").unwrap().spec("gpt-5")
    };
    assert!(spec(&configured).key_names.is_empty());

    let named = ProviderConfig { api_key_env: Some("OPENAI_API_KEY".to_owned()), ..moved };
    assert_eq!(spec(&BTreeMap::from([("openai".to_owned(), named)])).key_names, ["OPENAI_API_KEY"]);
}

#[test]
fn a_dated_model_is_known_by_its_family() {
    let providers = shipped();
    let spec = providers[0].spec("claude-sonnet-4-5-20250929");
    assert_eq!((spec.window, spec.thinking), (Some(200_000), Some(crate::model::spec::Thinking::Budget)));
    assert_eq!(providers[0].spec("claude-next").window, Some(200_000));
}

#[tokio::test]
async fn lists_what_could_be_used() {
    let catalogue =
        Catalogue::new(surroundings(&[("XAI_API_KEY", "k")]), Arc::new(servers(&[(OLLAMA, "qwen3:8b")])));
    let offers = catalogue.list_models(&BTreeMap::new()).await.unwrap();
    let names: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
    assert_eq!(names, ["xai/grok-4.5", "xai/grok-4.3", "ollama/qwen3:8b"]);
    assert_eq!(catalogue.known_models(&BTreeMap::new()).unwrap(), offers[..2]);
}

#[tokio::test]
async fn a_script_is_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script.json");
    std::fs::write(&path, r#"{ "answers": [] }"#).unwrap();
    let wanted = format!("scripted/{}", path.display());
    assert_eq!(Case { wanted: Some(&wanted), ..NOTHING }.select().await.unwrap(), wanted);
}

#[tokio::test]
async fn a_real_probe_reads_a_servers_list_and_gives_up_on_silence() {
    use crate::model::testing::{Server, status};
    let list = r#"{"object":"list","data":[{"id":"a"},{"id":"b"}]}"#;
    let server =
        Server::start(vec![status(200, "content-type: application/json\r\n", list), status(404, "", "")])
            .await;
    assert_eq!(HttpProbe.models(&server.url).await, Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(HttpProbe.models(&server.url).await, None);
    assert_eq!(HttpProbe.models("http://127.0.0.1:1/v1").await, None);
}
