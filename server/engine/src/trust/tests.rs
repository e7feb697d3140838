use super::*;
use std::fs;
use tempfile::TempDir;

const TOOL: &str = r#"{"schema":{"type":"function","function":{"name":"a","description":"d",
    "parameters":{"type":"object"}}},"reads":"project","handler":{"type":"exec","bin":"true","subcommand":"-x"}}"#;

/// A project, and beside it a state folder.
struct Place {
    dir: TempDir,
    trust: Trust,
}

impl Place {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("ws")).unwrap();
        let trust = Trust::new(&dir.path().join("state"), false);
        Self { dir, trust }
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("ws").canonicalize().unwrap()
    }

    fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn look(&self) -> Shown {
        Shown::look(&self.trust, &self.root()).unwrap()
    }

    fn approve(&self) {
        self.trust.approve(&self.look()).unwrap();
    }

    fn states(&self) -> Vec<(String, &'static str)> {
        self.look().items.into_iter().map(|item| (item.name, item.state.name())).collect()
    }

    /// The one record.
    fn record(&self) -> PathBuf {
        let mut records = fs::read_dir(self.dir.path().join("state/trust")).unwrap().flatten();
        let record = records.next().unwrap().path();
        assert!(records.next().is_none());
        record
    }

    fn is_trusted(&self) -> bool {
        self.trust.of(&self.root()).approved().is_some()
    }
}

/// security.md D05: what is approved is the content; changed it waits, changed back it counts.
#[test]
fn d05_a_changed_thing_waits_and_only_that() {
    let place = Place::new();
    place.put("assent.yaml", "model: a/b\nmcp:\n  one: { command: x }\n  two: { command: y }\n");
    let tool = place.put(".assent/tools/a.json", TOOL);
    assert_eq!(place.look().state, State::Untrusted);
    place.approve();
    assert_eq!(place.look().state, State::Trusted);
    fs::write(&tool, TOOL.replace("-x", "-y")).unwrap();
    let shown = place.look();
    assert_eq!((shown.state, shown.pending()), (State::Pending, 1));
    assert_eq!(
        place.states(),
        [
            ("assent.yaml".to_owned(), "approved"),
            ("one".to_owned(), "approved"),
            ("two".to_owned(), "approved"),
            (".assent/tools/a.json".to_owned(), "changed")
        ]
    );
    fs::write(&tool, TOOL).unwrap();
    assert_eq!(place.look().state, State::Trusted);
    place.put("assent.yaml", "# a comment\nmodel: a/b\nmcp:\n  one: { command: x }\n  two: { command: z }\n");
    let states: Vec<_> = place.states().into_iter().map(|(_, state)| state).collect();
    assert_eq!(states, ["changed", "approved", "changed", "approved"]);
    place.put(".assent/tools/b.json", &TOOL.replace("\"a\"", "\"b\""));
    assert!(place.states().contains(&(".assent/tools/b.json".to_owned(), "new")));
    place.approve();
    assert_eq!(place.look().state, State::Trusted);
}

#[test]
fn what_is_not_there_for_a_while_stays_approved() {
    let place = Place::new();
    let tool = place.put(".assent/tools/a.json", TOOL);
    place.approve();
    fs::remove_file(&tool).unwrap();
    place.put("assent.yaml", "model: a/b\n");
    place.approve();
    place.put(".assent/tools/a.json", TOOL);
    assert_eq!(place.look().state, State::Trusted);
}

#[test]
fn a_yes_is_bound_to_what_was_shown() {
    let place = Place::new();
    let tool = place.put(".assent/tools/a.json", TOOL);
    let shown = place.look();
    assert_eq!(shown.digest(), place.look().digest());
    fs::write(&tool, TOOL.replace("-x", "-y")).unwrap();
    assert_ne!(shown.digest(), place.look().digest());
    // What is approved is what was read then, so the file as it is now waits.
    place.trust.approve(&shown).unwrap();
    assert_eq!(place.states(), [(".assent/tools/a.json".to_owned(), "changed")]);
}

#[test]
fn trust_covers_one_folder_and_goes_with_untrust() {
    let place = Place::new();
    fs::create_dir_all(place.root().join("sub/.assent/tools")).unwrap();
    place.approve();
    assert!(place.is_trusted());
    for other in [place.root().join("sub"), place.dir.path().to_owned()] {
        assert!(place.trust.of(&other).approved().is_none(), "{}", other.display());
    }
    assert!(Trust::new(&place.dir.path().join("state"), true).of(&place.root()).approved().is_none());
    assert_eq!(place.trust.revoke(&place.root()), Ok(true));
    assert_eq!(place.trust.revoke(&place.root()), Ok(false));
    assert!(!place.is_trusted());
}

#[test]
fn settings_that_are_gone_wait_with_what_they_set() {
    let place = Place::new();
    let path = place.put("assent.yaml", "policy:\n  bash: { deny: [x] }\n");
    place.approve();
    fs::remove_file(&path).unwrap();
    assert_eq!(place.states(), [("assent.yaml".to_owned(), "changed")]);
    assert!(
        matches!(place.trust.of(&place.root()), Standing::Trusted(approved) if approved.settings().is_some())
    );
    place.approve();
    assert_eq!(place.look().state, State::Trusted);
    assert!(
        matches!(place.trust.of(&place.root()), Standing::Trusted(approved) if approved.settings().is_none())
    );
}

#[test]
fn a_broken_record_trusts_nothing_and_can_be_begun_anew() {
    let place = Place::new();
    place.put(".assent/tools/a.json", TOOL);
    place.approve();
    let whole = fs::read_to_string(place.record()).unwrap();
    let of_another = whole.replace("/ws\"", "/other\"");
    for text in ["", "{", "[]", &whole[..whole.len() / 2], &whole.replace(": 1,", ": 2,"), &of_another] {
        fs::write(place.record(), text).unwrap();
        let Standing::Untrusted(Reason::Broken(words)) = place.trust.of(&place.root()) else {
            panic!("{text:?} is trusted")
        };
        assert!(words.contains("assent trust") && words.contains("/trust/"), "{words}");
        let shown = place.look();
        assert_eq!(shown.state, State::Untrusted);
        assert!(summary(&shown).contains("does not count"), "{}", summary(&shown));
        place.approve();
        assert!(place.is_trusted());
    }
    fs::write(place.record(), "{").unwrap();
    assert_eq!(place.trust.revoke(&place.root()), Ok(true));
}

#[cfg(unix)]
#[test]
fn a_record_that_others_could_have_written_does_not_count() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.approve();
    let (record, folder) = (place.record(), place.dir.path().join("state/trust"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    assert_eq!((mode(&record), mode(&folder)), (0o600, 0o700));
    for (path, loose, right) in [(&record, 0o620, 0o600), (&record, 0o602, 0o600), (&folder, 0o777, 0o700)] {
        set(path, loose);
        assert!(!place.is_trusted(), "{loose:o}");
        set(path, right);
        assert!(place.is_trusted());
    }
    set(&folder, 0o777);
    let refused = place.trust.approve(&place.look()).unwrap_err();
    assert!(refused.contains("can be changed by other users"), "{refused}");
    set(&folder, 0o700);
    let moved = folder.join("moved");
    fs::rename(&record, &moved).unwrap();
    std::os::unix::fs::symlink(&moved, &record).unwrap();
    assert!(!place.is_trusted(), "a link is no record");
}

/// security.md D08: nothing but the files of the one folder, and no folder that is a link.
#[test]
fn d08_tool_files_lie_in_one_place() {
    let place = Place::new();
    place.put(".assent/tools/a.json", TOOL);
    for elsewhere in
        ["node_modules/x/.assent/tools/b.json", "sub/.assent/tools/c.json", ".assent/tools/d/e.json"]
    {
        place.put(elsewhere, TOOL);
    }
    assert_eq!(tool_files(&place.root()).unwrap(), [place.root().join(".assent/tools/a.json")]);
}

#[cfg(unix)]
#[test]
fn links_are_refused() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    place.put("vendored/tools/a.json", TOOL);
    symlink("vendored", place.root().join(".assent")).unwrap();
    assert!(tool_files(&place.root()).unwrap_err().message.contains("is a link"));
    fs::remove_file(place.root().join(".assent")).unwrap();
    fs::create_dir(place.root().join(".assent")).unwrap();
    symlink("../vendored/tools", place.root().join(".assent/tools")).unwrap();
    assert!(tool_files(&place.root()).unwrap_err().message.contains("is a link"));
    fs::remove_file(place.root().join(".assent/tools")).unwrap();
    fs::create_dir(place.root().join(".assent/tools")).unwrap();
    symlink("../../vendored/tools/a.json", place.root().join(".assent/tools/a.json")).unwrap();
    let mistakes = place.look().mistakes;
    assert!(mistakes.len() == 1 && mistakes[0].message.contains("is a link"), "{mistakes:?}");
}

/// security.md D11: what is shown names every command line, what is covered, and what never counts.
#[test]
fn d11_what_is_shown_names_everything_that_could_run() {
    let place = Place::new();
    place.put(
        "assent.yaml",
        "model: a/b\nmode: plan\nproviders:\n  evil: { baseUrl: \"http://evil\" }\nagents:\n  helper: { prompt: hi }\n\
         policy:\n  bash: { allow: [\"*\"], deny: [\"rm *\", \"mv *\"], ask: [\"git *\"] }\n\
         mcp:\n  files: { command: npx, args: [\"-y\", \"some server\"], env: { A: \"1\" } }\n\
         tools:\n  lookup: tools/lookup.ts\n  web_search: assent:web_search\n",
    );
    let tool = TOOL.replace("\"bin\":", "\"env\":{\"B\":\"2\"},\"bin\":").replace("-x", "-c 'a b'\u{202e}");
    place.put(".assent/tools/a.json", &tool);
    let text = summary(&place.look()).replace(&place.root().display().to_string(), "/ws");
    insta::assert_snapshot!(text);
}

/// Nothing of a folder that is not trusted is read for a notice: names are enough.
#[test]
fn a_notice_names_what_does_not_count() {
    let place = Place::new();
    let notice = || notice(&place.trust, &place.root());
    assert_eq!(notice(), None);
    fs::create_dir_all(place.root().join("assent.yaml")).unwrap();
    place.put(".assent/tools/a.json", "not even JSON");
    let words = notice().unwrap();
    assert!(words.contains("assent.yaml, .assent/tools/a.json") && words.contains("assent trust"), "{words}");
    fs::remove_dir(place.root().join("assent.yaml")).unwrap();
    place.put(".assent/tools/a.json", TOOL);
    place.approve();
    assert_eq!(notice(), None);
    place.put(".assent/tools/b\u{1b}.json", TOOL);
    let words = notice().unwrap();
    assert!(words.contains("⟨U+001B⟩") && !words.contains('\u{1b}'), "{words}");
}
