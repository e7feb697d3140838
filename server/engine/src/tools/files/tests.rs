use super::*;
use tempfile::TempDir;

fn tool(name: &str) -> String {
    format!(
        r#"{{"schema":{{"type":"function","function":{{"name":"{name}","description":"d",
        "parameters":{{"type":"object"}}}}}},"handler":{{"type":"exec","bin":"true"}}}}"#
    )
}

struct Folder {
    dir: TempDir,
    files: ToolFiles,
    /// Each file is written at a second of its own, as by a person.
    clock: std::cell::Cell<u64>,
}

impl Folder {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let files = ToolFiles::new(dir.path().join("tools"));
        Self { dir, files, clock: std::cell::Cell::new(1_000_000_000) }
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.dir.path().join("tools").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        self.clock.set(self.clock.get() + 1);
        let written = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(self.clock.get());
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(written).unwrap();
    }

    fn names(&self) -> Vec<String> {
        self.files.load().tools.iter().map(|(_, tool)| tool.definition.name.clone()).collect()
    }
}

#[test]
fn every_json_file_of_the_folder_is_a_tool() {
    let folder = Folder::new();
    let nothing = folder.files.load();
    assert!(nothing.tools.is_empty() && nothing.problems.is_empty() && !nothing.withheld);
    folder.put("b.json", &tool("b"));
    folder.put("a_tool.json", &tool("aTool"));
    folder.put("notes.md", "no tool");
    folder.put("sub/c.json", &tool("c"));
    assert_eq!(folder.names(), ["aTool", "b"]);
    std::fs::remove_file(folder.dir.path().join("tools/b.json")).unwrap();
    assert_eq!(folder.names(), ["aTool"]);
}

#[test]
fn only_a_changed_file_is_read_again() {
    let folder = Folder::new();
    folder.put("a.json", &tool("a"));
    folder.put("b.json", &tool("b"));
    let before = folder.files.load().tools;
    folder.put("b.json", &tool("b"));
    let after = folder.files.load().tools;
    assert!(Arc::ptr_eq(&before[0].1, &after[0].1));
    assert!(!Arc::ptr_eq(&before[1].1, &after[1].1));
}

#[test]
fn a_file_that_was_never_good_withholds_every_tool() {
    let folder = Folder::new();
    folder.put("a.json", &tool("a"));
    folder.put("b.json", "{");
    let found = folder.files.load();
    assert!(found.withheld);
    assert_eq!(found.problems.len(), 1);
    assert!(found.problems[0].file.ends_with("b.json"), "{:?}", found.problems);
    folder.put("b.json", &tool("b"));
    let found = folder.files.load();
    assert!(!found.withheld && found.problems.is_empty());
}

#[test]
fn a_file_that_is_half_saved_goes_on_as_it_was() {
    let folder = Folder::new();
    folder.put("a.json", &tool("a"));
    let good = folder.files.load();
    folder.put("a.json", &tool("a")[..40]);
    let found = folder.files.load();
    assert!(!found.withheld);
    assert_eq!(found.problems.len(), 1);
    assert!(Arc::ptr_eq(&found.tools[0].1, &good.tools[0].1));
    // And still so when nothing has changed since.
    assert_eq!(folder.files.load().problems.len(), 1);
}

/// security.md D10.
#[cfg(unix)]
#[test]
fn d10_a_file_that_others_can_change_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let tools = folder.dir.path().join("tools");
    let set =
        |path: PathBuf, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let told = || {
        let found = folder.files.load();
        assert_eq!(found.withheld, !found.problems.is_empty());
        found.problems.into_iter().map(|found| found.message).collect::<String>()
    };
    folder.put("a.json", &tool("a"));
    set(tools.join("a.json"), 0o666);
    assert!(told().contains("mode 666"), "{}", told());
    set(tools.clone(), 0o777);
    assert!(told().contains("mode 777"), "{}", told());
    set(tools.clone(), 0o755);
    set(tools.join("a.json"), 0o600);
    folder.put("a.json", &tool("a"));
    assert_eq!(told(), "");
}

#[test]
fn what_is_no_file_or_too_long_is_told() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.dir.path().join("tools/d.json")).unwrap();
    folder.put("e.json", &" ".repeat(limits::TOOL_FILE as usize + 1));
    let problems: Vec<String> = folder.files.load().problems.into_iter().map(|found| found.message).collect();
    assert_eq!(problems, ["is no file", "is longer than 1048576 bytes"]);
}
