use super::*;
use crate::trust::Shown;

/// A state folder in which nobody is trusted.
fn nobody() -> Trust {
    Trust::new(Path::new("/nonexistent"), false)
}

#[test]
fn every_mistake_of_every_file_is_found_in_one_run() {
    let base = tempfile::tempdir().unwrap();
    let (config, project) = (base.path().join("config"), base.path().join("project"));
    for folder in [&config, &project] {
        std::fs::create_dir(folder).unwrap();
    }
    std::fs::write(config.join("assent.yaml"), "modle: x\n").unwrap();
    std::fs::create_dir(project.join("assent.yaml")).unwrap();
    let trust = Trust::new(&base.path().join("state"), false);
    let loaded = load(&config, Some(&project), &Value::Null, &trust);
    assert_eq!(loaded.files, [config.join("assent.yaml")], "what is not trusted is not read");
    trust.approve(&Shown::look(&trust, &project).unwrap()).unwrap();
    let loaded = load(&config, Some(&project), &Value::Null, &trust);
    assert_eq!(loaded.files, [config.join("assent.yaml"), project.join("assent.yaml")]);
    let problems: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].contains("modle") && problems[1].contains("is no file"), "{problems:?}");
    let words = loaded.without_mistakes().map(|_| ()).unwrap_err();
    assert!(words.contains("modle") && words.contains("nothing is run"), "{words}");
}

#[test]
fn the_first_of_two_names_counts_and_later_layers_win() {
    let base = tempfile::tempdir().unwrap();
    std::fs::write(base.path().join("beeuni.yaml"), "model: a/b\n").unwrap();
    let model = |editor: Value| load(base.path(), None, &editor, &nobody()).settings.model;
    assert_eq!(model(Value::Null).as_deref(), Some("a/b"));
    std::fs::write(base.path().join("assent.yaml"), "model: c/d\n").unwrap();
    assert_eq!(model(Value::Null).as_deref(), Some("c/d"));
    assert_eq!(model(serde_json::json!({ "model": "e/f" })).as_deref(), Some("e/f"));
}

#[test]
fn rules_that_are_probably_not_meant_are_told_with_their_places() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("assent.yaml");
    let yaml = "policy:\n  bash:\n    allow: [\"cargo test*\", \"ls *\"]\n    ask: [\"ls -R /\"]\n";
    std::fs::write(&path, yaml).unwrap();
    let loaded = load(base.path(), None, &Value::Null, &nobody());
    let places: Vec<(u32, bool)> =
        loaded.warnings.iter().map(|found| (found.line, found.file == path.display().to_string())).collect();
    assert_eq!(places, [(3, true), (4, true)], "{:?}", loaded.warnings);
    assert!(loaded.without_mistakes().is_ok());
}

/// A workspace with this settings file, which its user looked at.
fn trusted(text: &str) -> (tempfile::TempDir, Trust) {
    let base = tempfile::tempdir().unwrap();
    std::fs::create_dir(base.path().join("ws")).unwrap();
    std::fs::write(base.path().join("ws/assent.yaml"), text).unwrap();
    let trust = Trust::new(&base.path().join("state"), false);
    trust.approve(&Shown::look(&trust, &base.path().join("ws")).unwrap()).unwrap();
    (base, trust)
}

/// security.md D02 and C05: what a changed file narrows counts at once, what it loosens or takes back
/// does not until it was looked at.
#[test]
fn c05_a_changed_project_file_only_narrows() {
    let denies = |settings: &Settings, rule: &str| {
        settings
            .policy
            .narrowing
            .iter()
            .flat_map(|set| set.tools.get("bash"))
            .any(|rules| rules.deny.iter().any(|deny| deny.written == rule))
    };
    let (base, trust) = trusted("model: a/b\npolicy:\n  bash: { deny: [one] }\n");
    let (ws, path) = (base.path().join("ws"), base.path().join("ws/assent.yaml"));
    let now = || load(&base.path().join("config"), Some(&ws), &Value::Null, &trust);
    assert!(now().ignored.is_empty());
    std::fs::write(&path, "model: c/d\npolicy:\n  bash: { deny: [two] }\n").unwrap();
    let loaded = now();
    assert_eq!(loaded.settings.model.as_deref(), Some("a/b"));
    assert!(denies(&loaded.settings, "one") && denies(&loaded.settings, "two"));
    assert!(
        loaded.ignored.len() == 1 && loaded.ignored[0].message.contains("assent trust"),
        "{:?}",
        loaded.ignored
    );
    std::fs::remove_file(&path).unwrap();
    assert!(denies(&now().settings, "one"));
    std::fs::write(&path, "model: c/d\n").unwrap();
    trust.approve(&Shown::look(&trust, &ws).unwrap()).unwrap();
    let loaded = now();
    assert_eq!(loaded.settings.model.as_deref(), Some("c/d"));
    assert!(!denies(&loaded.settings, "one") && loaded.ignored.is_empty());
}

/// security.md D10.
#[cfg(unix)]
#[test]
fn d10_a_file_of_the_user_that_others_can_change_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("assent.yaml");
    std::fs::write(&path, "model: a/b\n").unwrap();
    let set =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    set(&path, 0o666);
    let words = load(base.path(), None, &Value::Null, &nobody()).without_mistakes().map(|_| ()).unwrap_err();
    assert!(
        words.contains("assent.yaml") && words.contains("mode 666") && words.contains("chmod"),
        "{words}"
    );
    set(&path, 0o644);
    set(base.path(), 0o777);
    let words = load(base.path(), None, &Value::Null, &nobody()).without_mistakes().map(|_| ()).unwrap_err();
    assert!(words.contains("lies in a folder that can be changed"), "{words}");
    set(base.path(), 0o755);
    assert!(load(base.path(), None, &Value::Null, &nobody()).without_mistakes().is_ok());
}
