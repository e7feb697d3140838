use super::*;

#[test]
fn every_mistake_of_every_file_is_found_in_one_run() {
    let base = tempfile::tempdir().unwrap();
    let (config, project) = (base.path().join("config"), base.path().join("project"));
    for folder in [&config, &project] {
        std::fs::create_dir(folder).unwrap();
    }
    std::fs::write(config.join("assent.yaml"), "modle: x\n").unwrap();
    std::fs::create_dir(project.join("assent.yaml")).unwrap();
    let loaded = load(&config, Some(&project), &Value::Null);
    assert_eq!(loaded.files, [config.join("assent.yaml"), project.join("assent.yaml")]);
    let problems: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].contains("modle") && problems[1].contains("can't be read"), "{problems:?}");
    let words = loaded.without_mistakes().map(|_| ()).unwrap_err();
    assert!(words.contains("modle") && words.contains("nothing is run"), "{words}");
}

#[test]
fn the_first_of_two_names_counts_and_later_layers_win() {
    let base = tempfile::tempdir().unwrap();
    std::fs::write(base.path().join("beeuni.yaml"), "model: a/b\n").unwrap();
    let model = |editor: Value| load(base.path(), None, &editor).settings.model;
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
    let loaded = load(base.path(), None, &Value::Null);
    let places: Vec<(u32, bool)> =
        loaded.warnings.iter().map(|found| (found.line, found.file == path.display().to_string())).collect();
    assert_eq!(places, [(3, true), (4, true)], "{:?}", loaded.warnings);
    assert!(loaded.without_mistakes().is_ok());
}
