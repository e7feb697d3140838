//! `grep` and `glob` as a model calls them, gate and all, over 20,000 files; beside them ripgrep,
//! where it is installed.

use assent_base::path::DocumentUri;
use assent_base::tool::{Arguments, Call};
use assent_engine::documents::{OpenDocuments, Snapshot};
use assent_engine::editor::{
    Abilities, Answer, Applied, Approval, DocumentEdit, Editor, HunkDecision, UserQuestion,
};
use assent_engine::event::{Event, SessionId};
use assent_engine::permission::{Asker, Gate, GateSetup, Granted};
use assent_engine::process::Processes;
use assent_engine::store::KeptReview;
use assent_engine::tools::{NoDelegate, Proposal, Registry, Reviewer, ToolContext, ToolOutput};
use async_trait::async_trait;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Files and folders of the tree that is searched.
const FOLDERS: usize = 200;
const FILES: usize = 100;

fn main() {
    divan::main();
}

static WORLD: LazyLock<World> = LazyLock::new(World::new);

#[divan::bench(sample_count = 10, args = ["needle_in_few", "absent_word", r"fn\s+\w+\(x: u32\)", "[a-z]_q[a-z]x"])]
fn grep(pattern: &str) -> usize {
    WORLD.run("grep", json!({ "pattern": pattern }))
}

#[divan::bench(sample_count = 10, args = ["needle_in_few", "absent_word", r"fn\s+\w+\(x: u32\)", "[a-z]_q[a-z]x"])]
fn grep_with_ripgrep(bencher: divan::Bencher, pattern: &str) {
    with_ripgrep(bencher, &["-n", "-e", pattern]);
}

#[divan::bench(sample_count = 10, args = ["**/*.rs", "*7.rs"])]
fn glob(pattern: &str) -> usize {
    WORLD.run("glob", json!({ "pattern": pattern }))
}

#[divan::bench(sample_count = 10, args = ["**/*.rs", "*7.rs"])]
fn glob_with_ripgrep(bencher: divan::Bencher, pattern: &str) {
    with_ripgrep(bencher, &["--files", "--sortr", "modified", "-g", pattern]);
}

fn with_ripgrep(bencher: divan::Bencher, arguments: &[&str]) {
    if Command::new("rg").arg("--version").stdout(Stdio::null()).status().is_err() {
        return;
    }
    bencher.bench(|| {
        Command::new("rg").args(arguments).arg(&WORLD.folder).stdout(Stdio::null()).status().is_ok()
    });
}

struct World {
    _dir: TempDir,
    folder: PathBuf,
    runtime: Runtime,
    registry: Registry,
    gate: Gate,
    ctx: ToolContext,
}

impl World {
    fn new() -> Self {
        let dir = TempDir::new().expect("a temporary folder");
        let folder = dir.path().canonicalize().expect("it exists").join("ws");
        fill(&folder);
        let documents = OpenDocuments::new().reader();
        let folders: Arc<[PathBuf]> = Arc::new([folder.clone()]);
        let nobody = Arc::new(Nobody);
        let session = SessionId("bench".into());
        let ctx = ToolContext {
            session: session.clone(),
            folders: folders.clone(),
            own: Arc::new([]),
            documents: documents.clone(),
            editor: nobody.clone(),
            seen: Arc::default(),
            todos: Arc::default(),
            spill: dir.path().join("spill"),
            cancel: Default::default(),
            output: Arc::new(|_| {}),
            reviewer: nobody.clone(),
            processes: Processes::new(&|_| None),
            delegate: Arc::new(NoDelegate),
            keep_secrets: false,
        };
        let gate = Gate::new(GateSetup {
            session,
            asker: nobody.clone(),
            editor: nobody,
            settings: Arc::default(),
            agent: Default::default(),
            agent_path: vec!["main".into()],
            mode: Arc::default(),
            grants: Arc::default(),
            state: dir.path().join("state"),
            own: Arc::new([]),
            readable: Vec::new(),
            home: None,
            folders,
            documents,
            interactive: false,
            approve: false,
            explain: None,
            prompt: String::new(),
            processes: Processes::new(&|_| None),
            scratch: dir.path().join("tmp"),
        });
        let runtime = Runtime::new().expect("a runtime");
        Self { _dir: dir, folder, runtime, registry: Registry::built_in(), gate, ctx }
    }

    fn run(&self, tool: &str, arguments: Value) -> usize {
        let Value::Object(arguments) = arguments else { return 0 };
        let call = Call { id: "c1".into(), name: tool.into(), arguments: Arguments::Object(arguments) };
        self.runtime.block_on(async {
            let Ok((tool, arguments)) = self.registry.check(&call) else { panic!("a valid call") };
            let resolved = tool.resolve("c1", arguments, &self.ctx).await.expect("paths that exist");
            let identity = self.registry.identity(&resolved.tool).expect("a built-in tool");
            let granted =
                self.gate.check(resolved, identity).await.expect("reads of the project are allowed");
            let output = tool.run(granted, &self.ctx).await;
            assert!(!output.is_error, "{:?}", output.content);
            output.content.len()
        })
    }
}

/// Source files of some 10 KB; a few hold the needle, one folder is ignored.
fn fill(folder: &Path) {
    for nth in 0..FOLDERS {
        let sub = folder.join(format!("crate{}/src{nth}", nth % 20));
        std::fs::create_dir_all(&sub).expect("a folder");
        for file in 0..FILES {
            let mut text = String::new();
            for line in 0..150 {
                text.push_str(&format!(
                    "    let value_{line} = compute(input, {file}, &mut state)?; // step {nth}\n"
                ));
            }
            if file == 0 {
                text.push_str("pub fn needle_in_few(x: u32) -> u32 { x }\n");
            }
            std::fs::write(sub.join(format!("file{file}.rs")), text).expect("a file");
        }
    }
    std::fs::write(folder.join(".gitignore"), "crate19/\n*.json\n").expect("a file");
    // Without it ripgrep takes no notice of ignore files; we do in any case.
    std::fs::create_dir(folder.join(".git")).expect("a folder");
}

/// An editor that nobody sits at.
struct Nobody;

#[async_trait]
impl Editor for Nobody {
    fn abilities(&self) -> Abilities {
        Abilities::default()
    }
    fn notify(&self, _: Event) {}
    async fn apply(&self, _: DocumentEdit) -> Applied {
        Applied::No { reason: None }
    }
    async fn save(&self, _: Vec<DocumentUri>) -> Vec<DocumentUri> {
        Vec::new()
    }
    async fn ask(&self, _: Approval) -> Answer {
        Answer::Reject { feedback: None, stop: false }
    }
    async fn question(&self, _: UserQuestion) -> Option<Vec<String>> {
        None
    }
    async fn review(&self, _: &assent_base::review::Review) -> (Vec<HunkDecision>, Option<String>) {
        (Vec::new(), None)
    }
}

#[async_trait]
impl Asker for Nobody {
    async fn ask(&self, _: Approval) -> Answer {
        Answer::Reject { feedback: None, stop: false }
    }
}

#[async_trait]
impl Reviewer for Nobody {
    async fn review(&self, _: &Granted, _: Vec<Proposal>) -> ToolOutput {
        ToolOutput::error("nothing is proposed here")
    }

    async fn reopen(&self, _: &Granted, _: KeptReview, _: Vec<Option<Arc<Snapshot>>>) -> ToolOutput {
        ToolOutput::error("nothing was proposed here")
    }
}
