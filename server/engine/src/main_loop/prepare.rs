//! From a prompt to a running turn: the settings, the model, the gate, the system prompt, the
//! user's message. All of it is looked up anew for each turn, so that a mended file counts at
//! once; none of it happens before somebody asks.

use super::Environment;
use super::choices::session_folders;
use super::ports::Ports;
use super::sessions::News;
use super::state::State;
use super::turns::TurnEnded;
use crate::documents::{DocumentsReader, Seen};
use crate::editor::Editor;
use crate::event::{Event, EventKind, Level, SessionId, StopReason, Todo, Usage};
use crate::model::Model;
use crate::permission::{Explain, Gate, SessionGrants};
use crate::process::Processes;
use crate::prompt::{self, Surroundings};
use crate::session::{Interrupted, Ledger, PromptBlock};
use crate::settings::{self, DEFAULT_AGENT};
use crate::store::Entry;
use crate::tools::{NoDelegate, Registry, ToolContext, Toolbox};
use crate::trust::Trust;
use crate::turn::{self, Delegation, Turn};
use assent_base::chat::Record;
use assent_base::manifest::{Agent, Settings};
use assent_base::policy::Mode;
use assent_base::secret;
use assent_base::tool::{Call, Content, Definition};
use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::oneshot;

/// What a turn begins with.
pub(super) enum Begin {
    /// The user's message.
    Prompt(Vec<PromptBlock>),
    /// The calls that waited for the user when the server ended; `held` is answered when the turn
    /// may begin.
    TakeUp { interrupted: Interrupted, held: oneshot::Receiver<()> },
}

/// Everything a turn is made from.
pub(super) struct Job {
    pub(super) session: SessionId,
    pub(super) ports: Arc<Ports>,
    ledger: Ledger,
    blocks: Vec<PromptBlock>,
    /// What is taken up; then there are no blocks.
    interrupted: Option<Interrupted>,
    held: Option<oneshot::Receiver<()>>,
    folders: Vec<PathBuf>,
    environment: Environment,
    editor: Arc<dyn Editor>,
    editor_settings: Arc<serde_json::Value>,
    documents: DocumentsReader,
    trust: Trust,
    toolbox: Arc<Toolbox>,
    processes: Processes,
    store: crate::store::Store,
    mode: Arc<Mutex<Mode>>,
    model: Option<String>,
    agent: String,
    effort: Option<String>,
    todos: Arc<Mutex<Vec<Todo>>>,
    seen: Arc<Seen>,
    grants: Arc<SessionGrants>,
    system: Option<Arc<str>>,
    used: Usage,
    unlogged: Vec<Entry>,
    news: Vec<News>,
    approve: bool,
    explain: Option<Explain>,
}

impl Job {
    pub(super) fn new(
        state: &mut State,
        id: &SessionId,
        ledger: Ledger,
        begin: Begin,
        ports: Arc<Ports>,
    ) -> Self {
        let (blocks, interrupted, held) = match begin {
            Begin::Prompt(blocks) => (blocks, None, None),
            Begin::TakeUp { interrupted, held } => (Vec::new(), Some(interrupted), Some(held)),
        };
        let documents = state.reader();
        let session = state.sessions.get_mut(id).expect("the caller looked the session up");
        // It goes with the next prompt.
        let news = match interrupted {
            Some(_) => Vec::new(),
            None => std::mem::take(&mut session.news),
        };
        let folders = session_folders(session.folder.as_ref(), &state.folders);
        Self {
            session: id.clone(),
            ports,
            ledger,
            blocks,
            interrupted,
            held,
            folders,
            environment: state.setup.environment.clone(),
            editor: Arc::clone(&state.setup.editor),
            editor_settings: Arc::clone(&state.settings),
            documents,
            trust: state.trust.clone(),
            toolbox: Arc::clone(&state.toolbox),
            processes: state.processes.clone(),
            store: state.store.clone(),
            mode: Arc::clone(&session.mode),
            model: session.model.clone(),
            agent: session.agent.clone(),
            effort: session.effort.clone(),
            todos: Arc::clone(&session.todos),
            seen: Arc::clone(&session.seen),
            grants: Arc::clone(&session.grants),
            system: session.system.clone(),
            used: session.usage.total,
            unlogged: std::mem::take(&mut session.unlogged),
            news,
            approve: state.setup.approve,
            explain: state.setup.explain,
        }
    }

    /// Prepare and run the turn. A turn that can't begin says why and leaves the session as it was.
    pub(super) async fn run(mut self) -> TurnEnded {
        let id = self.session.clone();
        if let Some(held) = self.held.take() {
            tokio::select! {
                biased;
                () = self.ports.leave.cancelled() => return self.left(),
                () = self.ports.cancel.cancelled() => {}
                _ = held => {}
            }
        }
        match self.prepare().await {
            Ok((turn, Begun { title, prompt })) => {
                let system = Some(Arc::clone(&turn.system));
                let processes = turn.ctx.processes.clone();
                let ended = turn::run(turn).await;
                // Nothing that a turn started outlives it.
                processes.end(&id.0).await;
                TurnEnded {
                    id,
                    ledger: Some(ended.ledger),
                    stop: ended.stop,
                    used: Some(ended.used),
                    prompt: Some(prompt),
                    title,
                    system,
                    news: Vec::new(),
                    interrupted: None,
                }
            }
            Err(boxed) => {
                let NotBegun { ledger, words, news, interrupted } = *boxed;
                TurnEnded {
                    id,
                    ledger: Some(ledger),
                    stop: StopReason::Failed(words),
                    used: None,
                    prompt: None,
                    title: None,
                    system: None,
                    news,
                    interrupted,
                }
            }
        }
    }

    /// The process ends before the turn was taken up: it is as it was.
    fn left(self) -> TurnEnded {
        TurnEnded {
            id: self.session,
            ledger: Some(self.ledger),
            stop: StopReason::Cancelled,
            used: None,
            prompt: None,
            title: None,
            system: None,
            news: self.news,
            interrupted: self.interrupted,
        }
    }

    async fn prepare(mut self) -> Result<(Turn, Begun), Box<NotBegun>> {
        let folders = canonical(std::mem::take(&mut self.folders)).await;
        // What the user set counts whether this turn begins or not.
        for entry in std::mem::take(&mut self.unlogged) {
            if let Err(words) = self.ledger.note(entry).await {
                return Err(self.not_begun(words));
            }
        }
        let ready = self.look_up(&folders).await;
        let (settings, model) = match ready {
            Ok(ready) => ready,
            Err(words) => {
                return Err(self.not_begun(words));
            }
        };
        let agent = match settings.agents.get(&self.agent) {
            Some(agent) => agent.clone(),
            None if self.agent == DEFAULT_AGENT => Agent::default(),
            // An agent that is gone must not become one with every tool.
            None => {
                let words = format!("There is no agent {} in the settings. Choose another.", self.agent);
                return Err(self.not_begun(words));
            }
        };
        let registry = self.tools(&folders, &settings).await;
        let mut ctx = self.tool_context(&folders).await;
        ctx.keep_secrets = settings.keep_secrets.unwrap_or(true);
        ctx.processes = ctx.processes.passing(&settings.command_variables, &*self.environment.variable);
        let mode = *self.mode.lock();
        self.tell(EventKind::Commands(registry.commands()));
        let typed = match self.typed(&registry) {
            Some(Err(words)) => return Err(self.not_begun(words)),
            Some(Ok(call)) => Some(call),
            None => None,
        };
        let begun = match self.begin(&ctx, mode, typed.as_ref()).await {
            Ok(begun) => begun,
            Err(words) => {
                return Err(self.not_begun(words));
            }
        };
        let system = match self.system.take() {
            Some(system) => system,
            None => prompt::system(&Surroundings::of(&folders, agent.prompt.clone()).await).into(),
        };
        let gate = Gate::new(crate::permission::GateSetup {
            session: self.session.clone(),
            asker: self.ports.clone(),
            settings: Arc::clone(&settings),
            agent: agent.clone(),
            agent_path: vec![self.agent.clone()],
            mode: Arc::clone(&self.mode),
            grants: Arc::clone(&self.grants),
            state: self.environment.state.clone(),
            own: Arc::clone(&ctx.own),
            readable: canonical(vec![ctx.spill.clone()]).await.to_vec(),
            home: self.environment.home.clone(),
            folders: Arc::clone(&ctx.folders),
            documents: self.documents.clone(),
            editor: Arc::clone(&self.editor),
            interactive: self.editor.abilities().interactive,
            approve: self.approve,
            explain: self.explain,
            prompt: self.ledger.transcript().last_prompt().unwrap_or_default(),
            processes: ctx.processes.clone(),
            scratch: ctx.spill.join("tmp"),
        });
        let gate = Arc::new(gate);
        let delegated = Arc::default();
        ctx.delegate = Arc::new(Delegation {
            gate: Arc::clone(&gate),
            registry: Arc::clone(&registry),
            model: Arc::clone(&model),
            variable: Arc::clone(&self.environment.variable),
            state: self.environment.state.clone(),
            effort: self.effort.clone(),
            store: self.store.clone(),
            used: Arc::clone(&delegated),
        });
        let turn = Turn {
            session: self.session.clone(),
            offered: offered(&registry, &agent),
            registry,
            events: self.events(),
            ledger: self.ledger,
            model,
            system,
            gate,
            ctx,
            effort: self.effort,
            used: self.used,
            delegated,
            interrupted: self.interrupted,
            first: typed,
            leave: self.ports.leave.clone(),
        };
        Ok((turn, begun))
    }

    fn not_begun(self, words: String) -> Box<NotBegun> {
        self.tell(EventKind::Notice { level: Level::Error, text: words.clone() });
        Box::new(NotBegun { ledger: self.ledger, words, news: self.news, interrupted: self.interrupted })
    }

    /// The tools as the files of user and project stand. A mistake in one is told once; the
    /// conversation goes on.
    async fn tools(&self, folders: &Arc<[PathBuf]>, settings: &Arc<Settings>) -> Arc<Registry> {
        let (toolbox, processes) = (Arc::clone(&self.toolbox), self.processes.clone());
        let (folders, settings, trust) = (Arc::clone(folders), Arc::clone(settings), self.trust.clone());
        let look = move || toolbox.now(&processes, &folders, &trust, &settings.project_may_replace);
        let looked = tokio::task::spawn_blocking(look);
        let Ok((registry, news)) = looked.await else { return Arc::clone(self.toolbox.built_in()) };
        for (level, problem) in news {
            self.tell(EventKind::Notice { level, text: problem.to_string() });
        }
        registry
    }

    /// The settings and the model, or what to mend.
    async fn look_up(&self, folders: &Arc<[PathBuf]>) -> Result<(Arc<Settings>, Arc<dyn Model>), String> {
        let config = self.environment.config.clone();
        let (editor, first) = (Arc::clone(&self.editor_settings), folders.first().cloned());
        let trust = self.trust.clone();
        let load = move || settings::load(&config, first.as_deref(), &editor, &trust);
        let settings = tokio::task::spawn_blocking(load)
            .await
            .map_err(|_| "The settings could not be read.".to_owned())?
            .without_mistakes()?;
        for problem in &settings.ignored {
            self.tell(EventKind::Notice { level: Level::Warning, text: problem.to_string() });
        }
        let settings = Arc::new(settings.settings);
        let agent = settings.agents.get(&self.agent).and_then(|agent| agent.model.clone());
        let wanted = self.model.clone().or(agent).or_else(|| settings.model.clone());
        let folder = folders.first().cloned().unwrap_or_else(|| self.environment.config.clone());
        let (variable, state) = (&self.environment.variable, &self.environment.state);
        let model = settings::model(&settings, variable, state, &folder, wanted.as_deref())
            .await
            .map_err(|problem| problem.message)?;
        Ok((settings, model))
    }

    /// The call that the prompt means, where it begins with a tool's slash command.
    fn typed(&self, registry: &Registry) -> Option<Result<Call, String>> {
        match self.blocks.first() {
            Some(PromptBlock::Text(text)) => registry.typed(text),
            _ => None,
        }
    }

    /// The user's message, in the log before the model hears of it.
    async fn begin(&mut self, ctx: &ToolContext, mode: Mode, typed: Option<&Call>) -> Result<Begun, String> {
        if self.interrupted.is_some() {
            // It was begun by the last prompt.
            let prompt = self.ledger.transcript().prompts().saturating_sub(1);
            return Ok(Begun { title: None, prompt });
        }
        let sources = prompt::Sources {
            documents: &self.documents,
            editor: &*self.editor,
            session: &self.session,
            seen: &ctx.seen,
            keep_secrets: ctx.keep_secrets,
        };
        let mut content = prompt::expand(&self.blocks, &ctx.folders, sources).await;
        if ctx.keep_secrets {
            let kinds = turn::keep_secrets(&mut content);
            turn::told_of_secrets(kinds, "your message").into_iter().for_each(|kind| self.tell(kind));
        }
        content.extend(prompt::mode_note(mode).map(Content::note));
        content.extend(typed.map(|call| {
            Content::note(format!(
                "The user called the tool {} by this command. Its result follows; go on from there.",
                call.name
            ))
        }));
        if content.is_empty() {
            return Err("The prompt is empty: say what is to be done.".into());
        }
        content.extend(self.news.iter().map(|news| Content::note(news.words.clone())));
        // Of a turn that waited for the user and was not taken up.
        self.ledger
            .close_open_calls("The user went on without this call: nothing more of it was done.")
            .await?;
        let title = self.ledger.is_new().then(|| title(&self.blocks));
        let prompt = self.ledger.transcript().prompts();
        let facts = title.clone().map(Entry::Title).into_iter().chain(turn::newly_seen(&ctx.seen));
        self.ledger.say_with(facts.collect(), Record::User(content)).await?;
        Ok(Begun { title, prompt })
    }

    async fn tool_context(&self, folders: &Arc<[PathBuf]>) -> ToolContext {
        ToolContext {
            session: self.session.clone(),
            folders: Arc::clone(folders),
            documents: self.documents.clone(),
            editor: Arc::clone(&self.editor),
            seen: Arc::clone(&self.seen),
            todos: Arc::clone(&self.todos),
            own: own_folders(&self.environment).await,
            processes: self.processes.clone(),
            spill: self.store.spill(&self.session),
            cancel: self.ports.cancel.clone(),
            output: Arc::new(|_| {}),
            reviewer: self.ports.clone(),
            keep_secrets: true,
            // Until there is a gate to go through.
            delegate: Arc::new(NoDelegate),
        }
    }

    fn events(&self) -> Arc<dyn Fn(EventKind) + Send + Sync> {
        let (editor, session) = (Arc::clone(&self.editor), self.session.clone());
        Arc::new(move |kind| editor.notify(Event { session: session.clone(), kind }))
    }

    fn tell(&self, kind: EventKind) {
        (self.events())(kind);
    }
}

/// What the conversation says of a turn that began.
struct Begun {
    /// The title of a session that had none.
    title: Option<String>,
    /// Which of the session's prompts began it.
    prompt: usize,
}

/// A turn that could not begin.
struct NotBegun {
    ledger: Ledger,
    words: String,
    news: Vec<News>,
    interrupted: Option<Interrupted>,
}

fn offered(registry: &Registry, agent: &Agent) -> Arc<[Arc<Definition>]> {
    registry.offered(|name| agent.tools.allows(name)).into()
}

/// Our own config and state folders, where writing asks every time.
async fn own_folders(environment: &Environment) -> Arc<[PathBuf]> {
    canonical(vec![environment.config.clone(), environment.state.clone()]).await
}

async fn canonical(folders: Vec<PathBuf>) -> Arc<[PathBuf]> {
    let resolve = move || {
        folders
            .iter()
            .map(|folder| std::fs::canonicalize(folder).unwrap_or_else(|_| folder.clone()))
            .collect()
    };
    tokio::task::spawn_blocking(resolve).await.unwrap_or_else(|_| Arc::from([]))
}

/// The first line of the first words, short.
fn title(blocks: &[PromptBlock]) -> String {
    let first = blocks.iter().find_map(|block| match block {
        PromptBlock::Text(text) => text.lines().map(str::trim).find(|line| !line.is_empty()),
        PromptBlock::Image { .. } | PromptBlock::Document { .. } => None,
    });
    super::rewind::one_line(&secret::hide(first.unwrap_or("Untitled")).text)
}
