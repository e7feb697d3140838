//! One task owns the state. Everything that can wake it is one closed enum, [`Wake`]; whoever
//! works in the background sends its result here. Fronts hold a [`Handle`].

/// What the fronts hold.
pub mod handle;
pub use handle::{Handle, Refused};
mod approvals;
mod choices;
mod ports;
mod prepare;
mod reviews;
mod rewind;
mod running;
mod sessions;
mod state;
mod take_up;
mod turns;
mod undo;

use crate::documents::{ContentChange, OpenDocuments};
use crate::editor::{Answer, Applied, Approval, HunkDecision};
use crate::event::SessionId;
use crate::limits;
use crate::session::{Cursor, PromptBlock, Prompted, SessionOption, SessionPage, SessionState};
use assent_base::path::DocumentUri;
use assent_base::review::Review;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Where an answer goes.
pub type Reply<T> = oneshot::Sender<T>;

/// Everything that can wake the main loop.
pub enum Wake {
    /// A document was opened in the editor.
    Opened {
        /// Which.
        uri: DocumentUri,
        /// LSP language id.
        language: String,
        /// The editor's version.
        version: i32,
        /// Its text.
        text: String,
    },
    /// A document changed.
    Changed {
        /// Which.
        uri: DocumentUri,
        /// The version after the changes.
        version: i32,
        /// In order.
        changes: Vec<ContentChange>,
    },
    /// A document was saved.
    Saved(DocumentUri),
    /// A document was closed.
    Closed(DocumentUri),
    /// The workspace folders changed.
    Folders(Vec<PathBuf>),
    /// The editor's settings changed (section `assent`).
    Settings(serde_json::Value),
    /// The editor put the workspace into its restricted mode, or took it out.
    Restricted(bool),
    /// A new session.
    NewSession {
        /// Its folder; `None`: the first workspace folder.
        folder: Option<PathBuf>,
        /// Its state.
        reply: Reply<Result<SessionState, Refused>>,
    },
    /// Bring back a session from the log.
    LoadSession {
        /// Which.
        id: SessionId,
        /// Tell its conversation again, as events.
        replay: bool,
        /// Its state.
        reply: Reply<Result<SessionState, Refused>>,
    },
    /// Whoever loaded a session has been answered: the turn that waited for the user when the
    /// server ended, if there is one, goes on.
    TakeUp(SessionId),
    /// The sessions on disk.
    ListSessions {
        /// Only those of this folder.
        folder: Option<PathBuf>,
        /// Only those behind this place.
        after: Option<Cursor>,
        /// Newest first.
        reply: Reply<SessionPage>,
    },
    /// Give a session another title.
    RenameSession {
        /// Which.
        id: SessionId,
        /// Its title.
        title: String,
        /// When it is in the log.
        reply: Reply<Result<(), Refused>>,
    },
    /// Take a prompt and all that came after it out of a conversation.
    Rewind {
        /// Which session.
        id: SessionId,
        /// Which prompt, from 0.
        prompt: usize,
        /// When it is in the log.
        reply: Reply<Result<(), Refused>>,
    },
    /// End a session; its log stays.
    CloseSession {
        /// Which.
        id: SessionId,
        /// When done.
        reply: Reply<Result<(), Refused>>,
    },
    /// End a session and delete its log.
    DeleteSession {
        /// Which.
        id: SessionId,
        /// When done.
        reply: Reply<Result<(), Refused>>,
    },
    /// A prompt.
    Prompt {
        /// Which session.
        id: SessionId,
        /// What the user sent.
        blocks: Vec<PromptBlock>,
        /// When the turn began, or why it could not.
        started: Option<Reply<Result<(), Refused>>>,
        /// When the turn ended and every event of it has been told.
        ended: Option<Reply<Result<Prompted, Refused>>>,
    },
    /// Cancel the running turn of a session.
    Cancel(SessionId),
    /// Set something.
    SetOption {
        /// Which session.
        id: SessionId,
        /// What.
        option: SessionOption,
        /// Its state after.
        reply: Reply<Result<SessionState, Refused>>,
    },
    /// Decide hunks.
    Decide {
        /// Which review.
        review: String,
        /// Decisions.
        decisions: Vec<HunkDecision>,
        /// A reason for the model.
        feedback: Option<String>,
        /// Hunks still open.
        reply: Reply<Result<usize, Refused>>,
    },
    /// Accept edits that a plain client applied by itself (a code action that carried the edit).
    AppliedByClient {
        /// Which review.
        review: String,
        /// Which hunk.
        hunk: String,
    },
    /// The reviews that are open.
    Reviews {
        /// In order of opening.
        reply: Reply<Vec<Arc<Review>>>,
    },
    /// A tool file changed, or may have.
    ToolsChanged,
    /// The tools that can be called by a slash command.
    Commands {
        /// As the files stand.
        reply: Reply<Vec<crate::commands::SlashCommand>>,
    },
    /// Answered when everything sent before has been taken in.
    CaughtUp {
        /// At once.
        reply: Reply<()>,
    },
    /// The approvals that are open.
    Approvals {
        /// In order of asking.
        reply: Reply<Vec<crate::editor::Approval>>,
    },
    /// What the open sessions' users allowed for the session, and the state folder.
    Grants {
        /// In the order of the sessions' ids.
        reply: Reply<(std::path::PathBuf, Vec<std::sync::Arc<crate::permission::SessionGrants>>)>,
    },
    /// Answer an approval from elsewhere than its request.
    AnswerApproval {
        /// Which.
        id: String,
        /// The answer.
        answer: crate::editor::Answer,
        /// Whether it still stood.
        reply: Reply<bool>,
    },
    /// Take back the last turn's edits.
    UndoTurn {
        /// Which session; `None`: the one that changed something last.
        id: Option<SessionId>,
        /// What was taken back and what not, in words.
        reply: Reply<Result<String, Refused>>,
    },
    /// End all turns and everything they started.
    Shutdown {
        /// When done.
        reply: Reply<()>,
    },
    /// Work done in the background comes back.
    Work(Work),
}

/// What background tasks report or ask of the main loop.
pub enum Work {
    /// A log was read.
    Loaded(Box<sessions::Loaded>),
    /// What can be chosen was looked up.
    LookedUp(Box<choices::LookedUp>),
    /// The tools were looked through for slash commands.
    Commands {
        /// The session that is told.
        session: SessionId,
        /// Those there are.
        commands: Vec<crate::commands::SlashCommand>,
    },
    /// A new title is in the log, or can't be.
    Renamed(Box<rewind::Renamed>),
    /// A conversation was rewound.
    Rewound(Box<rewind::Rewound>),
    /// A turn ended, or its task died.
    TurnEnded(Box<turns::TurnEnded>),
    /// A call must be asked about.
    Ask {
        /// Everything the user sees.
        approval: Box<Approval>,
        /// The answer.
        reply: Reply<Answer>,
    },
    /// The editor answered an approval.
    Asked {
        /// Which.
        id: String,
        /// The answer.
        answer: Answer,
    },
    /// A tool proposes edits.
    Propose {
        /// The session.
        session: SessionId,
        /// The call.
        call_id: String,
        /// What it proposes.
        proposals: Vec<crate::tools::Proposal>,
        /// Accepted at once.
        accept: bool,
        /// The proposal is in the session's log.
        kept: bool,
        /// The fate of every hunk, for the model.
        reply: Reply<crate::tools::ToolOutput>,
    },
    /// A review that the server's end cut short is opened again.
    Reopen {
        /// The session.
        session: SessionId,
        /// The call.
        call_id: String,
        /// What the log knows of it.
        kept: Box<crate::store::KeptReview>,
        /// The text of each of its files as it is, where there is one.
        now: Vec<Option<Arc<crate::documents::Snapshot>>>,
        /// The fate of every hunk, for the model.
        reply: Reply<crate::tools::ToolOutput>,
    },
    /// The call that proposed was cancelled.
    Withdraw {
        /// The session.
        session: SessionId,
        /// The call.
        call_id: String,
    },
    /// An editor that decides reviews at once has decided.
    Reviewed {
        /// Which review.
        review: String,
        /// Decisions.
        decisions: Vec<HunkDecision>,
        /// A reason for the model.
        feedback: Option<String>,
    },
    /// An edit in flight was answered.
    EditAnswered {
        /// The flight.
        flight: u64,
        /// The document.
        uri: DocumentUri,
        /// The answer.
        applied: Applied,
    },
    /// The text of an edit should have come back by now.
    EchoOverdue {
        /// The flight.
        flight: u64,
        /// The document.
        uri: DocumentUri,
    },
    /// A document was to be saved after an accepted edit.
    Saved {
        /// The review's key.
        review: u64,
        /// The document.
        uri: DocumentUri,
        /// Whether it was.
        saved: bool,
    },
    /// A turn's edits were taken back.
    Undone {
        /// The session.
        session: SessionId,
        /// It need not be kept for undo any more.
        turn: sessions::Undoable,
        /// In words.
        words: String,
        /// Who asked.
        reply: Reply<Result<String, Refused>>,
    },
}

/// What the process was started with. Read once at the border; nothing below reads the environment.
#[derive(Clone)]
pub struct Environment {
    /// The user's config folder (`$ASSENT_CONFIG_DIR`).
    pub config: PathBuf,
    /// State: sessions, logs, trust, remembered rules (`$ASSENT_STATE_DIR`).
    pub state: PathBuf,
    /// The user's tool files (`$ASSENT_TOOLS_DIR`).
    pub tools: PathBuf,
    /// The user's home, for protected names and display.
    pub home: Option<PathBuf>,
    /// Looks up an environment variable (provider keys).
    pub variable: Arc<dyn Fn(&str) -> Option<String> + Send + Sync>,
    /// Our own binary; without it nobody ends what a killed server leaves, and nothing is held in a
    /// sandbox where one is put on by it.
    pub own_binary: Option<crate::process::OwnBinary>,
}

/// Everything the main loop starts from.
#[derive(Clone)]
pub struct Setup {
    /// The editor's side of the bargain.
    pub editor: Arc<dyn crate::editor::Editor>,
    /// How the editor counts columns.
    pub encoding: assent_base::text::PositionEncoding,
    /// The workspace folders as the client named them.
    pub folders: Vec<PathBuf>,
    /// The process's surroundings.
    pub environment: Environment,
    /// The editor's settings, section `assent`; null where there are none.
    pub settings: serde_json::Value,
    /// The editor has the workspace in its restricted mode: nothing of a project counts.
    pub restricted: bool,
    /// From the command line: `-m`.
    pub model: Option<String>,
    /// From the command line: `--mode`.
    pub mode: Option<assent_base::policy::Mode>,
    /// From the command line: `--yes` answers every approval that may be answered so.
    pub approve: bool,
    /// Nothing is asked and nothing is run: every call is answered with the words for its decision.
    pub explain: Option<crate::permission::Explain>,
}

/// Start the main loop on the current runtime. It ends with [`Handle::shutdown`], or when every
/// handle is gone.
pub fn start(setup: Setup) -> Handle {
    let (inbox, coming) = mpsc::channel(limits::INBOX);
    let documents = OpenDocuments::new();
    let handle = Handle::new(inbox.clone(), documents.reader());
    // The loop's own sender is weak, so that it ends when every front is gone.
    let state = state::State::new(setup, documents, inbox.downgrade());
    tokio::spawn(run(state, coming));
    handle
}

async fn run(mut state: state::State, mut inbox: mpsc::Receiver<Wake>) {
    while let Some(wake) = inbox.recv().await {
        state.handle(wake);
    }
    state.end();
}

#[cfg(test)]
mod tests;
