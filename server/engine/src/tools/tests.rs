//! Every tool against real folders, with a reviewer that accepts and an editor that answers.

mod bash;
mod edit;
mod exec;
mod operation;
mod output;
mod read;
mod search;
mod talk;

use super::*;
use crate::documents::{self, ContentChange, OpenDocuments};
use crate::editor::{Abilities, Answer, Applied, Approval, DocumentEdit, HunkDecision, UserQuestion};
use crate::event::{Event, SessionId};
use assent_base::policy::Access;
use assent_base::review::Review;
use assent_base::text::{Format, PositionEncoding};
use assent_base::tool::{Arguments, Call};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A workspace with everything a tool may use.
struct World {
    dir: TempDir,
    ctx: ToolContext,
    registry: Registry,
    state: Arc<State>,
}

/// What editor and reviewer share: the open documents, and what happened to them.
struct State {
    documents: Mutex<OpenDocuments>,
    proposals: Mutex<Vec<Proposal>>,
    answers: Mutex<Vec<Option<Vec<String>>>>,
    asked: Mutex<Vec<UserQuestion>>,
    live: Mutex<String>,
    interactive: bool,
    seen: Arc<Seen>,
}

impl World {
    fn new() -> Self {
        Self::with(true)
    }

    fn with(interactive: bool) -> Self {
        let dir = TempDir::new().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let folder = root.join("ws");
        fs::create_dir(&folder).unwrap();
        let documents = OpenDocuments::new();
        let reader = documents.reader();
        let seen = Arc::new(Seen::default());
        let state = Arc::new(State {
            documents: Mutex::new(documents),
            proposals: Mutex::default(),
            answers: Mutex::default(),
            asked: Mutex::default(),
            live: Mutex::default(),
            interactive,
            seen: seen.clone(),
        });
        let live = state.clone();
        let ctx = ToolContext {
            session: SessionId("s1".into()),
            folders: Arc::new([folder]),
            own: Arc::new([]),
            documents: reader,
            editor: state.clone(),
            seen,
            todos: Arc::default(),
            spill: root.join("spill"),
            cancel: CancellationToken::new(),
            output: Arc::new(move |text| live.live.lock().push_str(text)),
            reviewer: state.clone(),
            keep_secrets: true,
            delegate: Arc::new(NoDelegate),
            processes: Processes::new(&|name| std::env::var(name).ok()),
        };
        Self { dir, ctx, registry: Registry::built_in(), state }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.ctx.folders[0].join(name)
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn open(&self, uri: &DocumentUri, text: &str) {
        self.state.documents.lock().opened(uri.clone(), "text".into(), 1, text.into());
    }

    /// Change an open document as a user would.
    fn type_in(&self, uri: &DocumentUri, version: i32, text: &str) {
        let change = ContentChange { range: None, text: text.into() };
        self.state.documents.lock().changed(uri, version, &[change], PositionEncoding::Utf16).unwrap();
    }

    async fn resolve(
        &self,
        tool: &str,
        arguments: Value,
    ) -> Result<(Arc<dyn Tool>, ResolvedCall), ToolOutput> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let call = Call { id: "c1".into(), name: tool.into(), arguments: Arguments::Object(arguments) };
        let (tool, checked) = self.registry.check(&call)?;
        let resolved = tool.resolve("c1", checked, &self.ctx).await.map_err(ToolOutput::error)?;
        Ok((tool, resolved))
    }

    async fn run(&self, tool: &str, arguments: Value) -> ToolOutput {
        let output = match self.resolve(tool, arguments).await {
            Ok((tool, call)) => tool.run(Granted::for_tests(call, true), &self.ctx).await,
            Err(output) => output,
        };
        finish(output, &self.ctx).await
    }

    /// A call that must succeed; its text.
    async fn ok(&self, tool: &str, arguments: Value) -> String {
        let output = self.run(tool, arguments).await;
        let text = text_of(&output);
        assert!(!output.is_error, "{text}");
        text
    }

    /// A call that must fail; its text.
    async fn err(&self, tool: &str, arguments: Value) -> String {
        let output = self.run(tool, arguments).await;
        let text = text_of(&output);
        assert!(output.is_error, "{text}");
        text
    }

    async fn read(&self, name: &str) -> String {
        self.ok("read", json!({"filePath": name})).await
    }
}

fn text_of(output: &ToolOutput) -> String {
    let texts = output.content.iter().filter_map(Content::text);
    texts.collect::<Vec<_>>().join("\n")
}

#[async_trait]
impl Reviewer for State {
    async fn review(&self, granted: &Granted, proposals: Vec<Proposal>) -> ToolOutput {
        assert!(granted.auto_accept());
        for proposal in proposals {
            self.proposals.lock().push(proposal.clone());
            let reader = self.documents.lock().reader();
            let new = ropey::Rope::from(proposal.new_text.as_str());
            if let Some(version) = proposal.version {
                let change = ContentChange { range: None, text: proposal.new_text.clone() };
                let mut documents = self.documents.lock();
                documents.changed(&proposal.uri, version + 1, &[change], PositionEncoding::Utf16).unwrap();
            } else if proposal.change == assent_base::review::Change::Delete {
                fs::remove_file(proposal.uri.to_path().unwrap()).unwrap();
            } else {
                let path = proposal.uri.to_path().unwrap();
                let format = match documents::load(&reader, self, &SessionId("s".into()), &path).await {
                    Ok(snapshot) => snapshot.format,
                    Err(_) => Format::of_text(&proposal.new_text),
                };
                documents::write_atomic(&path, &new, &format).await.unwrap();
            }
            self.seen.note_own(&proposal.uri, &proposal.old, &new);
        }
        ToolOutput::text("accepted")
    }

    async fn reopen(
        &self,
        _: &Granted,
        _: crate::store::KeptReview,
        _: Vec<Option<Arc<documents::Snapshot>>>,
    ) -> ToolOutput {
        unreachable!("no tool opens a review again")
    }
}

#[async_trait]
impl Editor for State {
    fn abilities(&self) -> Abilities {
        Abilities { questions: true, interactive: self.interactive, ..Abilities::default() }
    }
    fn notify(&self, _: Event) {}
    async fn apply(&self, _: DocumentEdit) -> Applied {
        panic!("tools apply nothing")
    }
    async fn save(&self, _: Vec<DocumentUri>) -> Vec<DocumentUri> {
        panic!("tools save nothing")
    }
    async fn ask(&self, _: Approval) -> Answer {
        panic!("tools ask for no approval")
    }
    async fn question(&self, question: UserQuestion) -> Option<Vec<String>> {
        self.asked.lock().push(question);
        self.answers.lock().remove(0)
    }
    async fn review(&self, _: &Review) -> (Vec<HunkDecision>, Option<String>) {
        panic!("tools go through the reviewer")
    }
}

/// Names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_call_has_the_class_of_its_path() {
    let world = World::new();
    world.put(".gitignore", "out/\n");
    let effects = |tool: &'static str, path: &'static str| {
        let world = &world;
        async move {
            let arguments = match tool {
                "write" => json!({"filePath": path, "content": ""}),
                "read" => json!({"filePath": path}),
                "bash" => json!({"command": "ls", "workdir": path}),
                _ => json!({"path": path}),
            };
            let (_, call) = world.resolve(tool, arguments).await.unwrap();
            (format!("{:?} {:?} {:?}", call.effects.reads, call.effects.writes, call.effects.exec), call)
        }
    };
    assert_eq!(effects("read", "src/a.rs").await.0, "Project None None");
    assert_eq!(effects("read", ".env").await.0, "ProjectDot None None");
    assert_eq!(effects("write", "out/a").await.0, "ProjectIgnore ProjectIgnore None");
    assert_eq!(effects("write", "../a").await.0, "External External None");
    assert_eq!(effects("ls", "/").await.0, "External None None");
    assert_eq!(effects("bash", ".").await.0, "Project None Undeclared");
    assert_eq!(effects("bash", "/").await.0, "External None Undeclared");

    let (_, call) = effects("write", "src/new/a.rs").await;
    assert_eq!((call.subject.as_str(), call.paths[0].0), ("src/new/a.rs", Access::Write));
    let (_, call) = effects("write", ".git/hooks/x").await;
    assert!(call.paths[0].1.protected.is_some());
    let (tool, call) = world.resolve("write", json!({"filePath": "a/b/c.rs", "content": ""})).await.unwrap();
    assert_eq!(tool.title(&call), "Create a/b/c.rs and its 2 missing folders");
}
