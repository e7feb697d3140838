use super::*;
use std::sync::Arc;

/// A state folder in which nobody is trusted.
fn nobody() -> Trust {
    Trust::new(Path::new("/nonexistent"), false)
}

fn environment(base: &Path, variables: &'static [(&str, &str)]) -> Environment {
    Environment {
        config: base.join("config"),
        state: base.join("state"),
        home: None,
        tools: std::path::PathBuf::from("/nonexistent"),
        own_binary: None,
        variable: Arc::new(move |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        }),
    }
}

async fn model_with(yaml: &str, variables: &'static [(&str, &str)]) -> Check {
    let base = tempfile::tempdir().unwrap();
    let environment = environment(base.path(), variables);
    std::fs::create_dir(&environment.config).unwrap();
    std::fs::write(environment.config.join("assent.yaml"), yaml).unwrap();
    let loaded = settings::load(&environment.config, None, &Value::Null, &nobody());
    assert_eq!(loaded.problems, []);
    model(&environment, base.path(), &loaded).await
}

#[tokio::test]
async fn it_says_which_model_and_why() {
    let by_key = model_with("", &[("ANTHROPIC_API_KEY", "k")]).await;
    assert_eq!(by_key.status, Status::Ok);
    assert!(by_key.message.ends_with("because ANTHROPIC_API_KEY is set"), "{}", by_key.message);

    let named = model_with("model: openai/gpt-5\n", &[("OPENAI_API_KEY", "k")]).await;
    assert!(named.message.starts_with("openai/gpt-5 at "), "{}", named.message);
    assert!(named.message.ends_with("from `model: openai/gpt-5` in assent.yaml"), "{}", named.message);
}

#[tokio::test]
async fn a_missing_key_is_named() {
    let check = model_with("model: openai/gpt-5\n", &[]).await;
    assert_eq!(check.status, Status::Error);
    assert!(check.action.as_deref().unwrap().contains("OPENAI_API_KEY"), "{check:?}");
}

#[tokio::test]
async fn broken_settings_are_errors_with_their_place() {
    let base = tempfile::tempdir().unwrap();
    let environment = environment(base.path(), &[]);
    std::fs::create_dir(&environment.config).unwrap();
    std::fs::write(environment.config.join("assent.yaml"), "modle: x\n").unwrap();
    let checks = look(&environment, base.path(), &Value::Null, &nobody()).await;
    let broken: Vec<_> = checks.iter().filter(|check| check.message.contains("modle")).collect();
    assert_eq!(broken.len(), 1, "{checks:?}");
    assert_eq!(broken[0].status, Status::Error);
    assert_eq!(as_json(&checks)["ok"], false);
    assert!(as_text(&checks).contains("assent.yaml:1:1"), "{}", as_text(&checks));
}

#[tokio::test]
async fn rules_that_are_probably_not_meant_are_warnings() {
    let base = tempfile::tempdir().unwrap();
    let environment = environment(base.path(), &[]);
    std::fs::create_dir(&environment.config).unwrap();
    let yaml = "policy:\n  bash: { allow: [\"cargo test*\"] }\n";
    std::fs::write(environment.config.join("assent.yaml"), yaml).unwrap();
    let loaded = settings::load(&environment.config, None, &Value::Null, &nobody());
    let checks = configuration(&environment, base.path(), &loaded);
    assert!(checks[0].status == Status::Warning && checks[0].message.contains("cargo test *"), "{checks:?}");
}

#[test]
fn versions_of_neovim_are_compared_by_number() {
    assert_eq!(neovim_version("NVIM v0.11.4 (/usr/bin/nvim)"), Some((0, 11)));
    assert_eq!(neovim_version("NVIM v0.9.5"), Some((0, 9)));
    assert_eq!(neovim_version("something"), None);
}

#[test]
fn a_state_folder_that_cannot_be_made_is_an_error() {
    let base = tempfile::tempdir().unwrap();
    std::fs::write(base.path().join("file"), "").unwrap();
    assert_eq!(state(&base.path().join("file/state")).status, Status::Error);
    assert_eq!(state(&base.path().join("state")).status, Status::Ok);
}
