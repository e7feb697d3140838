use super::*;
use std::sync::Arc;

fn environment() -> Environment {
    Environment {
        config: PathBuf::from("/nowhere/config"),
        state: PathBuf::from("/nowhere/state"),
        home: None,
        tools: std::path::PathBuf::from("/nonexistent"),
        own_binary: None,
        variable: Arc::new(|_| None),
    }
}

/// Every file of the folder, by its name below it.
fn files_below(folder: &Path, root: &Path, names: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, root, names);
        } else {
            names.push(path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"));
        }
    }
}

#[test]
fn every_file_of_the_project_is_embedded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("demo/project");
    let mut names = Vec::new();
    files_below(&root, &root, &mut names);
    names.retain(|name| !name.contains("__pycache__"));
    names.sort();
    assert_eq!(names, FILES.map(|(name, _)| name));
}

#[test]
fn it_unpacks_and_knows_when_the_fault_is_touched() {
    let base = tempfile::tempdir().unwrap();
    let demo = unpack(base.path(), &environment()).unwrap();
    assert!(demo.missing.is_some(), "nothing is on an empty PATH");
    assert!(!demo.is_changed());
    std::fs::write(demo.folder.join(FAULTY), "").unwrap();
    assert!(demo.is_changed());
}

#[test]
fn the_script_fits_the_project() {
    assent_engine::model::scripted::Script::parse(SCRIPT).unwrap();
    let script: serde_json::Value = serde_json::from_str(SCRIPT).unwrap();
    let (_, text) = FILES.iter().find(|(path, _)| *path == FAULTY).unwrap();
    let edits = script["answers"][3][2]["with"]["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 2);
    for edit in edits {
        assert_eq!(text.matches(edit["oldString"].as_str().unwrap()).count(), 1);
    }
}
