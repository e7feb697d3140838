//! Sessions: loaded, listed, closed, deleted, set.

use super::choices::Choices;
use super::rewind::Renaming;
use super::running::Running;
use super::state::{State, answer};
use super::{Refused, Reply, Work};
use crate::documents::Seen;
use crate::event::{EventKind, Level, SessionId, Todo, Usage, UsageReport};
use crate::limits;
use crate::permission::SessionGrants;
use crate::session::{Cursor, Interrupted, Ledger, Remembered, SessionOption, SessionPage, SessionState};
use crate::settings::DEFAULT_AGENT;
use crate::store::{Entry, OpenError};
use assent_base::policy::Mode;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

/// One session as the main loop holds it.
pub struct Session {
    pub(super) folder: Option<PathBuf>,
    /// `None` while a turn has it.
    pub(super) ledger: Option<Ledger>,
    pub(super) title: Option<String>,
    pub(super) mode: Arc<Mutex<Mode>>,
    pub(super) model: Option<String>,
    pub(super) agent: String,
    pub(super) effort: Option<String>,
    /// What it can be set to, as it was looked up last.
    pub(super) choices: Arc<Choices>,
    pub(super) todos: Arc<Mutex<Vec<Todo>>>,
    pub(super) seen: Arc<Seen>,
    pub(super) grants: Arc<SessionGrants>,
    pub(super) system: Option<Arc<str>>,
    pub(super) usage: UsageReport,
    pub(super) running: Option<Running>,
    /// The prompt that is run when the turn that is ending has ended.
    pub(super) next: Option<Box<super::turns::Next>>,
    /// Facts set since the last turn, for the log.
    pub(super) unlogged: Vec<Entry>,
    /// What the model should know with the next prompt.
    pub(super) news: Vec<News>,
    /// The reviews of the running turn.
    pub(super) reviews_of_turn: Vec<String>,
    /// The turns whose edits can be undone, newest last.
    pub(super) turns: VecDeque<Undoable>,
    /// Titles that wait for the log, which the first prompt is about to make.
    pub(super) renaming: Vec<Renaming>,
    /// Closed while a turn ran: it goes when the turn has ended.
    pub(super) closing: bool,
    /// The turn that waited for the user when the server ended, until it is taken up.
    pub(super) interrupted: Option<Interrupted>,
}

/// A turn whose edits can be undone. They stay in the files when the turn is taken out of the
/// conversation, and can still be undone then.
pub struct Undoable {
    /// The prompt that began it; `None` once that is out of the conversation.
    pub(super) prompt: Option<usize>,
    /// Its reviews.
    pub(super) reviews: Vec<String>,
}

/// Something that the model should know.
pub(super) struct News {
    /// The prompt whose turn it is about: without that, it is about nothing that the model knows.
    pub(super) prompt: usize,
    pub(super) words: String,
}

/// A log that was read.
pub struct Loaded {
    id: SessionId,
    replay: bool,
    reply: Reply<Result<SessionState, Refused>>,
    result: Result<(Ledger, Remembered), OpenError>,
}

impl State {
    pub(super) fn load_session(
        &mut self,
        id: SessionId,
        replay: bool,
        reply: Reply<Result<SessionState, Refused>>,
    ) {
        if let Some(session) = self.sessions.get(&id) {
            if replay && let Some(ledger) = &session.ledger {
                self.replay(&id, ledger);
            }
            self.hold_turn(&id);
            return self.answer_with_state(id, reply);
        }
        let (store, registry) = (self.store.clone(), Arc::clone(self.toolbox.built_in()));
        self.work(async move {
            let result = match Ledger::load(id.clone(), store).await {
                Ok((mut ledger, remembered)) => {
                    // A log that can't be written is reported when the next prompt is.
                    let _ = remembered.interrupted.settle(&mut ledger, &registry).await;
                    Ok((ledger, remembered))
                }
                Err(problem) => Err(problem),
            };
            Work::Loaded(Box::new(Loaded { id, replay, reply, result }))
        });
    }

    pub(super) fn session_loaded(&mut self, loaded: Loaded) {
        let Loaded { id, replay, reply, result } = loaded;
        let (ledger, remembered) = match result {
            Ok(found) => found,
            Err(problem) => return answer(reply, Err(problem.into())),
        };
        if self.shutdown.is_some() {
            return answer(reply, Err(Refused::Failed("Assent is shutting down.".into())));
        }
        if replay {
            self.replay(&id, &ledger);
        }
        if let Some(text) = remembered.notice.clone() {
            self.tell(&id, EventKind::Notice { level: Level::Warning, text });
        }
        let session = Session::restored(ledger, remembered);
        let todos = session.todos.lock().clone();
        self.sessions.insert(id.clone(), session);
        if replay && !todos.is_empty() {
            self.tell(&id, EventKind::Plan(todos));
        }
        self.hold_turn(&id);
        self.answer_with_state(id, reply);
    }

    fn replay(&self, id: &SessionId, ledger: &Ledger) {
        let folder = ledger.folder().map(PathBuf::as_path);
        crate::session::replay_events(&ledger.transcript(), self.toolbox.built_in(), folder, |kind| {
            self.tell(id, kind);
        });
    }

    pub(super) fn list_sessions(
        &self,
        folder: Option<PathBuf>,
        after: Option<Cursor>,
        reply: Reply<SessionPage>,
    ) {
        let store = self.store.clone();
        tokio::spawn(async move { answer(reply, store.list(folder, after).await) });
    }

    pub(super) fn close_session(&mut self, id: &SessionId) -> Result<(), Refused> {
        self.cancel(id);
        let session = self.sessions.get_mut(id).ok_or_else(|| no_session(id))?;
        if session.running.is_some() {
            session.close_after_turn();
        } else {
            self.sessions.remove(id);
        }
        Ok(())
    }

    pub(super) fn delete_session(&mut self, id: SessionId, reply: Reply<Result<(), Refused>>) {
        if self.sessions.get(&id).is_some_and(|session| session.running.is_some()) {
            let words = "A turn of this session is running. Cancel it before deleting the session.";
            return answer(reply, Err(Refused::Busy(words.into())));
        }
        let unused =
            self.sessions.remove(&id).is_some_and(|s| s.ledger.is_some_and(|ledger| ledger.is_new()));
        let store = self.store.clone();
        tokio::spawn(async move {
            let deleted = match store.delete(&id).await {
                Err(OpenError::Unknown(_)) if unused => Ok(()),
                deleted => deleted.map_err(Refused::from),
            };
            answer(reply, deleted);
        });
    }

    /// Set something; an agent is one of the session's choices.
    pub(super) fn set(&mut self, id: &SessionId, option: SessionOption) {
        let Some(session) = self.sessions.get_mut(id) else { return };
        let before = *session.mode.lock();
        if let SessionOption::Agent(agent) = &option
            && let Some(mode) = session.choices.modes.get(agent)
        {
            *session.mode.lock() = *mode;
            session.unlogged.push(Entry::Mode(*mode));
        }
        let (entry, event) = match option {
            SessionOption::Mode(mode) => {
                *session.mode.lock() = mode;
                (Entry::Mode(mode), None)
            }
            SessionOption::Model(model) => {
                session.model = Some(model.clone());
                (Entry::Model(model), Some(EventKind::ConfigChanged))
            }
            SessionOption::Agent(agent) => {
                session.agent.clone_from(&agent);
                session.system = None;
                (Entry::Agent(agent), Some(EventKind::ConfigChanged))
            }
            SessionOption::Effort(effort) => {
                // The word by which a front leaves it to the model.
                session.effort = (effort != "default").then(|| effort.clone());
                (Entry::Effort(effort), Some(EventKind::ConfigChanged))
            }
        };
        session.unlogged.push(entry);
        let mode = *session.mode.lock();
        if mode != before {
            self.tell(id, EventKind::ModeChanged(mode));
        }
        if let Some(event) = event {
            self.tell(id, event);
        }
    }

    pub(super) fn session_state(&self, id: &SessionId) -> Result<SessionState, Refused> {
        let session = self.sessions.get(id).ok_or_else(|| no_session(id))?;
        let choices = &session.choices;
        Ok(SessionState {
            id: id.clone(),
            folder: session.folder.clone(),
            title: session.title.clone(),
            mode: *session.mode.lock(),
            model: session.model.clone().or_else(|| choices.model.clone()),
            models: choices.models.clone(),
            agent: session.agent.clone(),
            agents: choices.agents.clone(),
            effort: session.effort.clone(),
            todos: session.todos.lock().clone(),
            commands: session.choices.commands.clone(),
            usage: session.usage,
            notice: choices.notice.clone(),
        })
    }

    /// End everything; answered when nothing of ours is alive.
    pub(super) fn shut_down(&mut self, reply: Reply<()>) {
        let open: Vec<SessionId> = self.sessions.keys().cloned().collect();
        for id in &open {
            if let Some(running) = self.sessions.get(id).and_then(|session| session.running.as_ref()) {
                running.end_with_process();
            }
            self.cancel(id);
        }
        self.shutdown = Some(reply);
        self.end_if_idle();
    }

    pub(super) fn end_if_idle(&mut self) {
        let idle = self.sessions.values().all(|session| session.running.is_none());
        if idle && let Some(reply) = self.shutdown.take() {
            self.sessions.clear();
            answer(reply, ());
        }
    }

    /// The loop ends: nobody is left to talk to.
    pub(super) fn end(self) {
        for session in self.sessions.values() {
            if let Some(running) = &session.running {
                running.end_with_process();
            }
        }
    }
}

impl Session {
    pub(super) fn new(folder: Option<PathBuf>, ledger: Ledger) -> Self {
        Self {
            folder,
            ledger: Some(ledger),
            title: None,
            mode: Arc::default(),
            model: None,
            agent: DEFAULT_AGENT.into(),
            effort: None,
            choices: Arc::default(),
            todos: Arc::default(),
            seen: Arc::default(),
            grants: Arc::default(),
            system: None,
            usage: UsageReport::default(),
            running: None,
            next: None,
            unlogged: Vec::new(),
            news: Vec::new(),
            reviews_of_turn: Vec::new(),
            turns: VecDeque::new(),
            renaming: Vec::new(),
            closing: false,
            interrupted: None,
        }
    }

    fn restored(ledger: Ledger, remembered: Remembered) -> Self {
        let mut session = Self::new(ledger.folder().cloned(), ledger);
        session.title = remembered.title;
        *session.mode.lock() = remembered.mode.unwrap_or_default();
        session.model = remembered.model;
        session.agent = remembered.agent.unwrap_or_else(|| DEFAULT_AGENT.into());
        session.effort = remembered.effort;
        *session.todos.lock() = remembered.todos;
        session.seen = Arc::new(Seen::restored(remembered.seen));
        session.interrupted = Some(remembered.interrupted).filter(Interrupted::waits);
        let (last, total): (Usage, Usage) = remembered.usage;
        session.usage = UsageReport { last, total, window: None };
        session
    }

    fn close_after_turn(&mut self) {
        self.closing = true;
    }

    /// Keep the reviews of the turn that ended, for undo; gives those that are too old to keep.
    pub(super) fn keep_for_undo(&mut self, prompt: Option<usize>) -> Vec<String> {
        let reviews = std::mem::take(&mut self.reviews_of_turn);
        if !reviews.is_empty() {
            self.turns.push_back(Undoable { prompt, reviews });
        }
        let mut old = Vec::new();
        while self.turns.len() > limits::TURNS_UNDOABLE {
            old.extend(self.turns.pop_front().into_iter().flat_map(|turn| turn.reviews));
        }
        old
    }

    /// This prompt and all that came after it are out of the conversation.
    pub(super) fn forget_from(&mut self, prompt: usize) {
        // The model may have read files in what is gone: it has to read them again.
        self.seen = Arc::default();
        // What waited was in the last turn, which is gone.
        self.interrupted = None;
        self.news.retain(|news| news.prompt < prompt);
        for turn in &mut self.turns {
            turn.prompt = turn.prompt.filter(|kept| *kept < prompt);
        }
    }
}

pub(super) fn no_session(id: &SessionId) -> Refused {
    Refused::Unknown(format!("There is no open session {id}. Load it or start a new one."))
}
