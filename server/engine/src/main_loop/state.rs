//! The state and its one writer. [`State::handle`] is the table of contents: one line for each
//! thing that can wake the loop; the work is in the modules beside this one. Nothing here waits.

use super::{Setup, Wake, Work};
use crate::documents::{ContentChange, DocumentsReader, OpenDocuments};
use crate::event::{Event, EventKind, SessionId};
use crate::process::Processes;
use crate::review::Desk;
use crate::store::Store;
use crate::tools::Toolbox;
use crate::trust::Trust;
use assent_base::path::DocumentUri;
use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Everything that can change while the server runs.
pub struct State {
    pub(super) setup: Setup,
    pub(super) inbox: mpsc::WeakSender<Wake>,
    pub(super) documents: OpenDocuments,
    pub(super) folders: Arc<[PathBuf]>,
    pub(super) settings: Arc<serde_json::Value>,
    /// Whom the user trusts; looked up anew whenever it is needed.
    pub(super) trust: Trust,
    pub(super) toolbox: Arc<Toolbox>,
    pub(super) processes: Processes,
    pub(super) store: Store,
    pub(super) sessions: BTreeMap<SessionId, super::sessions::Session>,
    /// The session that changed something last, for an undo without a name.
    pub(super) last_edited: Option<SessionId>,
    pub(super) desk: Desk,
    pub(super) approvals: super::approvals::Open,
    /// Somebody waits for the end.
    pub(super) shutdown: Option<super::Reply<()>>,
}

impl State {
    pub(super) fn new(setup: Setup, documents: OpenDocuments, inbox: mpsc::WeakSender<Wake>) -> Self {
        Self {
            inbox,
            folders: setup.folders.clone().into(),
            settings: Arc::new(setup.settings.clone()),
            trust: trust(&setup.environment, setup.restricted),
            toolbox: Arc::new(Toolbox::new(setup.environment.tools.clone())),
            processes: processes(&setup.environment),
            store: Store::new(&setup.environment.state),
            sessions: BTreeMap::new(),
            last_edited: None,
            desk: Desk::new(documents.reader(), setup.editor.abilities().saves),
            approvals: super::approvals::Open::default(),
            shutdown: None,
            documents,
            setup,
        }
    }

    /// One thing that happened.
    pub(super) fn handle(&mut self, wake: Wake) {
        match wake {
            Wake::Opened { uri, language, version, text } => self.opened(uri, language, version, text),
            Wake::Changed { uri, version, changes } => self.changed(&uri, version, &changes),
            Wake::Saved(uri) => self.documents.saved(&uri),
            Wake::Closed(uri) => self.closed(&uri),
            Wake::Folders(folders) => self.folders = folders.into(),
            Wake::Settings(settings) => self.settings = Arc::new(settings),
            Wake::Restricted(restricted) => self.trust = trust(&self.setup.environment, restricted),
            Wake::NewSession { folder, reply } => self.new_session(folder, reply),
            Wake::LoadSession { id, replay, reply } => self.load_session(id, replay, reply),
            Wake::TakeUp(id) => self.take_up(&id),
            Wake::ListSessions { folder, after, reply } => self.list_sessions(folder, after, reply),
            Wake::RenameSession { id, title, reply } => self.rename_session(id, &title, reply),
            Wake::Rewind { id, prompt, reply } => self.rewind(id, prompt, reply),
            Wake::CloseSession { id, reply } => answer(reply, self.close_session(&id)),
            Wake::DeleteSession { id, reply } => self.delete_session(id, reply),
            Wake::Prompt { id, blocks, started, ended } => self.prompt(&id, blocks, started, ended),
            Wake::Cancel(id) => self.cancel(&id),
            Wake::SetOption { id, option, reply } => self.set_option(id, option, reply),
            Wake::Decide { review, decisions, feedback, reply } => {
                answer(reply, self.decide(&review, &decisions, feedback));
            }
            Wake::AppliedByClient { review, hunk } => self.applied_by_client(&review, &hunk),
            Wake::Reviews { reply } => answer(reply, self.desk.open_reviews()),
            Wake::ToolsChanged => self.tools_changed(),
            Wake::Commands { reply } => self.list_commands(reply),
            Wake::CaughtUp { reply } => answer(reply, ()),
            Wake::Approvals { reply } => answer(reply, self.approvals.list()),
            Wake::Grants { reply } => {
                let grants = self.sessions.values().map(|session| Arc::clone(&session.grants)).collect();
                answer(reply, (self.setup.environment.state.clone(), grants));
            }
            Wake::AnswerApproval { id, answer: given, reply } => answer(reply, self.asked(&id, given)),
            Wake::UndoTurn { id, reply } => self.undo_turn(id, reply),
            Wake::Shutdown { reply } => self.shut_down(reply),
            Wake::Work(work) => self.came_back(work),
        }
    }

    fn came_back(&mut self, work: Work) {
        match work {
            Work::Loaded(loaded) => self.session_loaded(*loaded),
            Work::LookedUp(found) => self.looked_up(*found),
            Work::Commands { session, commands } => self.tell_commands(&session, commands),
            Work::Renamed(renamed) => self.renamed(*renamed),
            Work::Rewound(rewound) => self.rewound(*rewound),
            Work::TurnEnded(ended) => self.turn_ended(*ended),
            Work::Ask { approval, reply } => self.ask(*approval, reply),
            Work::Asked { id, answer } => {
                self.asked(&id, answer);
            }
            Work::Propose { session, call_id, proposals, accept, kept, reply } => {
                self.propose(session, &call_id, proposals, accept, kept, reply);
            }
            Work::Reopen { session, call_id, kept, now, reply } => {
                self.reopen(session, &call_id, &kept, now, reply);
            }
            Work::Withdraw { session, call_id } => {
                let effects = self.desk.withdraw(&session, &call_id);
                self.carry_out(effects);
            }
            Work::Reviewed { review, decisions, feedback } => {
                // The review may be gone with its turn.
                let _ = self.decide(&review, &decisions, feedback);
            }
            Work::EditAnswered { flight, uri, applied } => {
                let effects = self.desk.answered(flight, &uri, applied);
                self.carry_out(effects);
            }
            Work::EchoOverdue { flight, uri } => {
                let effects = self.desk.echo_overdue(flight, &uri);
                self.carry_out(effects);
            }
            Work::Saved { review, uri, saved } => {
                let effects = self.desk.saved(review, &uri, saved);
                self.carry_out(effects);
            }
            Work::Undone { session, turn, words, reply } => self.undone(&session, turn, words, reply),
        }
    }

    fn opened(&mut self, uri: DocumentUri, language: String, version: i32, text: String) {
        self.documents.opened(uri.clone(), language, version, text);
        if let Some(snapshot) = self.documents.reader().get(&uri) {
            let effects = self.desk.version_changed(&uri, snapshot.version, &snapshot.text);
            self.carry_out(effects);
        }
    }

    fn changed(&mut self, uri: &DocumentUri, version: i32, changes: &[ContentChange]) {
        let Some(steps) = self.documents.changed(uri, version, changes, self.setup.encoding) else {
            tracing::warn!(uri = uri.as_str(), "a change of a document that was never opened");
            return;
        };
        let mut effects = Vec::new();
        for step in steps {
            effects.extend(self.desk.text_changed(uri, &step.edit, Some(version), &step.new));
        }
        // Between the steps of one change the text is in no version that anybody knows.
        self.carry_out(crate::review::last_states(effects));
    }

    fn closed(&mut self, uri: &DocumentUri) {
        let last = self.documents.reader().get(uri);
        self.documents.closed(uri);
        if let Some(snapshot) = last {
            let effects = self.desk.version_changed(uri, None, &snapshot.text);
            self.carry_out(effects);
        }
    }

    /// Tell the world.
    pub(super) fn tell(&self, session: &SessionId, kind: EventKind) {
        self.setup.editor.notify(Event { session: session.clone(), kind });
    }

    pub(super) fn reader(&self) -> DocumentsReader {
        self.documents.reader()
    }

    /// Work in the background and bring the result back, if the loop is still there then.
    pub(super) fn work(&self, task: impl Future<Output = Work> + Send + 'static) -> tokio::task::AbortHandle {
        let inbox = self.inbox.clone();
        let task = tokio::spawn(async move {
            let done = task.await;
            if let Some(inbox) = inbox.upgrade() {
                // A closed inbox means that the process is ending.
                let _ = inbox.send(Wake::Work(done)).await;
            }
        });
        task.abort_handle()
    }
}

/// Whoever asked may be gone; that costs nothing here.
pub(super) fn answer<T>(reply: super::Reply<T>, value: T) {
    let _ = reply.send(value);
}

fn trust(environment: &super::Environment, restricted: bool) -> Trust {
    Trust::new(&environment.state, restricted)
}

fn processes(environment: &super::Environment) -> Processes {
    let processes = Processes::new(&*environment.variable);
    match environment.own_binary.clone() {
        Some(own) => processes.with_binary(own),
        None => processes,
    }
}
