//! The gate with a user who answers as told: what is asked, and what an answer gives.

use super::*;
use crate::documents::{self, ContentChange, OpenDocuments};
use crate::editor::{Abilities, Applied, DocumentEdit, HunkDecision, UserQuestion};
use crate::event::Event;
use assent_base::path::{PathClass, Places};
use assent_base::policy::{CommandCall, Program};
use assent_base::review::Review;
use assent_base::text::PositionEncoding;
use assent_base::tool::{Effects, Reads, Writes};
use serde_json::Map;
use std::collections::VecDeque;
use std::path::Path;
use tempfile::TempDir;

/// Answers in order, notes what was asked and saved. `meanwhile` happens while the user thinks.
#[derive(Default)]
struct User {
    answers: Mutex<VecDeque<Answer>>,
    asked: Mutex<Vec<Approval>>,
    saved: Mutex<Vec<DocumentUri>>,
    meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

#[async_trait]
impl Asker for User {
    async fn ask(&self, approval: Approval) -> Answer {
        self.asked.lock().push(approval);
        if let Some(meanwhile) = self.meanwhile.lock().take() {
            meanwhile();
        }
        self.answers.lock().pop_front().expect("asked more often than the test answers")
    }
}

#[async_trait]
impl Editor for User {
    fn abilities(&self) -> Abilities {
        Abilities { saves: true, interactive: true, ..Abilities::default() }
    }
    fn notify(&self, _: Event) {}
    async fn apply(&self, _: DocumentEdit) -> Applied {
        Applied::Yes
    }
    async fn save(&self, uris: Vec<DocumentUri>) -> Vec<DocumentUri> {
        self.saved.lock().extend(uris.clone());
        uris
    }
    async fn ask(&self, _: Approval) -> Answer {
        unreachable!("the gate asks through its asker")
    }
    async fn question(&self, _: UserQuestion) -> Option<Vec<String>> {
        None
    }
    async fn review(&self, _: &Review) -> (Vec<HunkDecision>, Option<String>) {
        (Vec::new(), None)
    }
}

struct Scene {
    _dir: TempDir,
    root: PathBuf,
    user: Arc<User>,
    documents: OpenDocuments,
    gate: Gate,
}

fn scene(answers: &[Answer]) -> Scene {
    scene_with(answers, |_| {})
}

fn scene_with(answers: &[Answer], change: impl FnOnce(&mut GateSetup)) -> Scene {
    let dir = TempDir::new().unwrap();
    let base = dir.path().canonicalize().unwrap();
    let root = base.join("ws");
    std::fs::create_dir(&root).unwrap();
    let user = Arc::new(User::default());
    user.answers.lock().extend(answers.iter().cloned());
    let documents = OpenDocuments::new();
    let mut setup = GateSetup {
        session: SessionId("s".into()),
        asker: user.clone(),
        settings: Arc::default(),
        agent: Agent::default(),
        agent_path: vec!["assent".into()],
        mode: Arc::default(),
        grants: Arc::default(),
        state: base.join("state"),
        own: Arc::from([]),
        readable: Vec::new(),
        home: None,
        folders: Arc::from([root.clone()]),
        documents: documents.reader(),
        editor: user.clone(),
        interactive: true,
        approve: false,
        explain: None,
        prompt: "go".into(),
        processes: Processes::new(&|_| None),
        scratch: base.join("tmp"),
    };
    change(&mut setup);
    Scene { _dir: dir, root, user, documents, gate: Gate::new(setup) }
}

impl Scene {
    fn state(&self) -> PathBuf {
        self.root.parent().unwrap().join("state")
    }

    fn resolved(&self, given: &str) -> ResolvedPath {
        let folders = [self.root.clone()];
        documents::resolve_path(Places { roots: &folders, own: &[] }, given).unwrap()
    }

    fn write(&self, given: &str) -> ResolvedCall {
        let path = self.resolved(given);
        let writes = if path.class == PathClass::Project { Writes::Project } else { Writes::ProjectDot };
        let effects = Effects { reads: Reads::Project, writes, ..Effects::default() };
        ResolvedCall { effects, paths: vec![(Access::Write, path)], ..call("write", given) }
    }

    fn bash(&self, line: &str) -> ResolvedCall {
        let effects = Effects { exec: Exec::Undeclared, ..Effects::default() };
        let command = CommandCall::new(line.into(), self.resolved("."), |name, _| {
            let path = Path::new("/usr/bin").join(name);
            Some(Program { path: path.clone(), real: path })
        });
        ResolvedCall { effects, command: Some(command), ..call("bash", line) }
    }

    /// Open a file in the editor and type into it.
    fn type_into(&mut self, path: &Path) -> DocumentUri {
        let uri = DocumentUri::from_path(path);
        self.type_into_uri(&uri);
        uri
    }

    fn type_into_uri(&mut self, uri: &DocumentUri) {
        self.documents.opened(uri.clone(), "text".into(), 1, "old".into());
        let change = ContentChange { range: None, text: "new".into() };
        self.documents.changed(uri, 2, &[change], PositionEncoding::Utf16);
    }
}

fn tool() -> ToolIdentity {
    ToolIdentity { name: "t".into(), ..ToolIdentity::default() }
}

fn call(tool: &str, subject: &str) -> ResolvedCall {
    ResolvedCall {
        call_id: "c".into(),
        tool: tool.into(),
        subject: subject.into(),
        effects: Effects::default(),
        paths: Vec::new(),
        command: None,
        arguments: Map::new(),
        program: None,
        notes: Vec::new(),
        unsandboxed: false,
    }
}

#[tokio::test]
async fn a_write_that_was_asked_about_is_still_reviewed() {
    for mode in [Mode::Ask, Mode::AcceptEdits] {
        let scene = scene_with(&[Answer::AllowOnce], |setup| *setup.mode.lock() = mode);
        let granted = scene.gate.check(scene.write(".vscode/tasks.json"), &tool()).await.unwrap();
        assert_eq!(scene.user.asked.lock().len(), 1);
        assert!(!granted.auto_accept(), "the user saw a path, not what is written there");
    }
}

#[tokio::test]
async fn a_project_edit_is_asked_about_by_its_review_or_not_at_all() {
    let scene = scene(&[]);
    assert!(!scene.gate.check(scene.write("a.txt"), &tool()).await.unwrap().auto_accept());
    let accepting = scene_with(&[], |setup| *setup.mode.lock() = Mode::AcceptEdits);
    assert!(accepting.gate.check(accepting.write("a.txt"), &tool()).await.unwrap().auto_accept());
    let planning = scene_with(&[], |setup| *setup.mode.lock() = Mode::Plan);
    assert!(planning.gate.check(planning.write("a.txt"), &tool()).await.is_err());
}

#[tokio::test]
async fn what_is_saved_first_is_what_the_approval_named() {
    let mut scene = scene(&[Answer::SaveThenAllow]);
    let uri = scene.type_into(&scene.root.join("a.txt"));
    scene.type_into_uri(&DocumentUri::new("untitled:Untitled-1"));
    scene.gate.check(scene.bash("make"), &tool()).await.unwrap();
    assert_eq!(scene.user.asked.lock()[0].unsaved, [uri.clone()]);
    assert_eq!(*scene.user.saved.lock(), [uri]);
}

#[cfg(unix)]
#[tokio::test]
async fn a_path_that_leads_elsewhere_after_the_answer_is_refused() {
    let scene = scene(&[Answer::AllowOnce]);
    let (link, outside) = (scene.root.join(".hidden"), scene.root.parent().unwrap().join("outside"));
    let asked = scene.write(".hidden/f");
    *scene.user.meanwhile.lock() = Some(Box::new(move || {
        std::fs::create_dir(&outside).unwrap();
        std::os::unix::fs::symlink(&outside, &link).unwrap();
    }));
    let refusal = scene.gate.check(asked, &tool()).await.unwrap_err();
    assert!(refusal.words.contains("leads elsewhere"), "{refusal:?}");
}

#[tokio::test]
async fn nobody_there_and_a_blanket_yes_fail_closed() {
    let alone = scene_with(&[], |setup| setup.interactive = false);
    assert!(alone.gate.check(alone.bash("make"), &tool()).await.is_err());
    let yes = scene_with(&[], |setup| setup.approve = true);
    assert!(yes.gate.check(yes.bash("make"), &tool()).await.is_ok());
    let refusal = yes.gate.check(yes.write(".git/config"), &tool()).await.unwrap_err();
    assert!(refusal.words.contains("not run"), "{refusal:?}");
}

#[tokio::test]
async fn a_rule_for_the_workspace_outlives_the_session_and_nothing_else_does() {
    let mut state = PathBuf::new();
    let first = scene_with(&[Answer::Remember { span: Span::Workspace, rule: None }], |setup| {
        state.clone_from(&setup.state)
    });
    first.gate.check(first.bash("make check"), &tool()).await.unwrap();
    first.gate.check(first.bash("make check"), &tool()).await.unwrap();
    assert_eq!(first.user.asked.lock().len(), 1);

    let no = || Answer::Reject { feedback: Some("no".into()), stop: true };
    let in_another_session = || {
        scene_with(&[no()], |setup| {
            setup.state.clone_from(&state);
            setup.folders = Arc::from([first.root.clone()]);
        })
    };
    let again = in_another_session();
    again.gate.check(first.bash("make check"), &tool()).await.unwrap();
    let refusal = again.gate.check(first.bash("make other"), &tool()).await.unwrap_err();
    assert!(refusal.stop && refusal.words.contains("no"), "{refusal:?}");

    // What is revoked counts no more at once, also in a turn that runs.
    let rules = list_rules(&state, &[]);
    assert_eq!(
        (rules.len(), rules[0].rule.as_str(), rules[0].scope),
        (1, "bash: make check", Span::Workspace)
    );
    assert_eq!(rules[0].workspace.as_ref(), Some(&first.root));
    assert!(remove_rule(&state, &[], &rules[0].id).unwrap());
    assert!(!remove_rule(&state, &[], &rules[0].id).unwrap());
    let running = in_another_session();
    running.gate.check(first.bash("make check"), &tool()).await.unwrap_err();
    *again.user.answers.lock() = [no()].into();
    again.gate.check(first.bash("make check"), &tool()).await.unwrap_err();
}

fn with(span: Span, rule: &str) -> Answer {
    Answer::Remember { span, rule: Some(rule.into()) }
}

#[tokio::test]
async fn a_rule_that_was_changed_holds_as_it_was_written() {
    let no = Answer::Reject { feedback: None, stop: false };
    let scene = scene(&[with(Span::Session, "bash: make *"), no.clone(), no]);
    for (line, runs) in
        [("make check", true), ("make other && make check", true), ("make", false), ("cat x", false)]
    {
        assert_eq!(scene.gate.check(scene.bash(line), &tool()).await.is_ok(), runs, "{line}");
    }
    assert_eq!(scene.user.asked.lock().len(), 3);
}

#[tokio::test]
async fn a_changed_rule_that_does_not_fit_runs_nothing_and_is_not_kept() {
    let wrong = [
        "",
        "make check",
        "bash:",
        "bash: make",
        "edit: *",
        "bash: /(/",
        "bash: cat *",
        "bash make check",
        "bash: [",
    ];
    for rule in wrong {
        let no = Answer::Reject { feedback: None, stop: false };
        let scene = scene(&[with(Span::Always, rule), no]);
        let refusal = scene.gate.check(scene.bash("make check"), &tool()).await.unwrap_err();
        assert!(refusal.words.contains("can't be kept"), "{rule}: {refusal:?}");
        scene.gate.check(scene.bash("make check"), &tool()).await.unwrap_err();
        assert_eq!(list_rules(&scene.state(), &[]), [], "{rule}");
    }
}

#[tokio::test]
async fn a_rule_for_good_holds_in_every_workspace_and_one_for_a_workspace_in_none_but_it() {
    let mut state = PathBuf::new();
    let always = Answer::Remember { span: Span::Always, rule: None };
    let here = Answer::Remember { span: Span::Workspace, rule: None };
    let first = scene_with(&[always, here], |setup| state.clone_from(&setup.state));
    first.gate.check(first.bash("make a"), &tool()).await.unwrap();
    first.gate.check(first.bash("make b"), &tool()).await.unwrap();
    let no = Answer::Reject { feedback: None, stop: false };
    let elsewhere = scene_with(&[no], |setup| setup.state.clone_from(&state));
    elsewhere.gate.check(elsewhere.bash("make a"), &tool()).await.unwrap();
    elsewhere.gate.check(elsewhere.bash("make b"), &tool()).await.unwrap_err();
    let rules = list_rules(&state, &[]);
    let scopes: Vec<_> = rules.iter().map(|rule| (rule.rule.as_str(), rule.scope)).collect();
    assert!(
        scopes.contains(&("bash: make a", Span::Always))
            && scopes.contains(&("bash: make b", Span::Workspace))
    );
}
