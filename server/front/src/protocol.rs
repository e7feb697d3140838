//! Our own extension of the wire, in one file: method names, command names and their types.
//!
//! The chat's messages are ACP's and their types come from `agent-client-protocol-schema`; documents
//! are LSP's. Here stands only what neither has. `docs/protocol.md` says the same in words, and a
//! test keeps the two in step. Messages from clients are read tolerantly: unknown fields are ignored.

mod approval;
mod trust;

pub use approval::{
    AnswerMeta, CommandMeta, CommandPart, CwdMeta, EnvMeta, FileMeta, FileOperation, PermissionMeta,
    ReasonMeta, SandboxMeta, ToolMeta,
};
pub use trust::{TRUST_CLIENT, TRUST_UPDATED, TrustClient, TrustItem, TrustShown, TrustUpdated};

use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1::{AgentCapabilities, ClientCapabilities};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Client → server, request: name a session. [`SessionRename`] → `{}`.
pub const SESSION_RENAME: &str = "_assent/session/rename";
/// Client → server, request: take a prompt and all behind it out of a conversation.
/// [`SessionRewind`] → `{}`.
pub const SESSION_REWIND: &str = "_assent/session/rewind";
/// Server → client, notification: the whole state of one review. [`ReviewUpdated`].
pub const REVIEW_UPDATED: &str = "_assent/review/updated";
/// Client → server, request: decide hunks. [`ReviewDecide`] → [`ReviewDecided`].
pub const REVIEW_DECIDE: &str = "_assent/review/decide";
/// Server → client, request: save documents. [`DocumentSave`] → [`DocumentSaved`].
pub const DOCUMENT_SAVE: &str = "_assent/document/save";
/// Server → client, request: ask the client's own language servers. [`LanguageQuery`] → their answer.
pub const LANGUAGE_QUERY: &str = "_assent/language/query";

/// Every method of our own, for the test that looks for them in the documentation.
#[cfg(test)]
pub const METHODS: [&str; 8] = [
    SESSION_RENAME,
    SESSION_REWIND,
    REVIEW_UPDATED,
    REVIEW_DECIDE,
    DOCUMENT_SAVE,
    LANGUAGE_QUERY,
    TRUST_UPDATED,
    TRUST_CLIENT,
];

/// The key of our data in ACP's `_meta` and in LSP's `experimental` capabilities.
pub const ASSENT: &str = "assent";

/// A place in a document, counted as the connection negotiated; both numbers start at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column.
    pub character: u32,
}

/// A half-open range of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// First position inside.
    pub start: Position,
    /// First position behind.
    pub end: Position,
}

/// What a client announces in `capabilities.experimental.assent`; what is absent is not supported.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ClientAssent {
    /// It speaks ACP on this connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acp: Option<ClientAcp>,
    /// It draws pending hunks itself, from [`REVIEW_UPDATED`].
    pub review: bool,
    /// It answers [`DOCUMENT_SAVE`].
    pub save: bool,
    /// It answers [`LANGUAGE_QUERY`].
    pub language_queries: bool,
    /// False: the editor has the workspace in its restricted mode; see [`TRUST_CLIENT`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trusted: Option<bool>,
}

/// The client's half of ACP's `initialize`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientAcp {
    /// The version it speaks.
    pub protocol_version: ProtocolVersion,
    /// What it can do.
    #[serde(default)]
    pub client_capabilities: ClientCapabilities,
}

/// What the server answers in `capabilities.experimental.assent`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerAssent {
    /// The server's version.
    pub version: String,
    /// The server's half of ACP's `initialize`.
    pub acp: ServerAcp,
}

/// The server's half of ACP's `initialize`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerAcp {
    /// The version it speaks.
    pub protocol_version: ProtocolVersion,
    /// What it can do.
    pub agent_capabilities: AgentCapabilities,
}

/// Name a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRename {
    /// Which session.
    pub session_id: String,
    /// Its name; of several lines, one is made.
    pub title: String,
}

/// Take a prompt and all behind it out of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRewind {
    /// Which session.
    pub session_id: String,
    /// Which of its prompts, from 0, as [`PromptMeta`] counts them.
    pub prompt: usize,
}

/// `_meta.assent` of a prompt: of its `user_message_chunk`s, and of the answer to `session/prompt`
/// (of an error, `data.assent`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptMeta {
    /// Which of the session's prompts it is, from 0.
    pub prompt: usize,
}

/// `_meta.assent` of the `tool_call_update` with which a call ends, where its tool tells its result in
/// one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallMeta {
    /// The line, such as `3 files, +12 -4`: to be shown in place of the output, which can be looked at.
    pub summary: String,
}

/// The whole state of one review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewUpdated {
    /// Which review.
    pub review_id: String,
    /// The session that proposed.
    pub session_id: String,
    /// The tool call that proposed.
    pub tool_call_id: String,
    /// Closed once no hunk waits.
    pub status: ReviewStatus,
    /// Its files.
    pub files: Vec<ReviewFile>,
}

/// Whether a review still waits for the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReviewStatus {
    /// A hunk waits.
    Open,
    /// Every hunk has its fate.
    Closed,
}

/// One file of a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewFile {
    /// The document.
    pub uri: String,
    /// The version the ranges refer to; null when it is not open.
    pub version: Option<i32>,
    /// What happens to it.
    pub change: FileChange,
    /// Where it moves to, for a rename.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_uri: Option<String>,
    /// Its hunks, by position.
    pub hunks: Vec<ReviewHunk>,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FileChange {
    /// Its text changes.
    Edit,
    /// It appears.
    Create,
    /// It goes.
    Delete,
    /// It moves.
    Rename,
}

/// One hunk of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewHunk {
    /// Unique in its review.
    pub id: String,
    /// Where it stands.
    pub status: HunkStatus,
    /// Where it lies in the document as it is now.
    pub range: Range,
    /// The text it replaces.
    pub old_text: String,
    /// The text it puts there.
    pub new_text: String,
}

/// Where a hunk stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HunkStatus {
    /// Waits for the user, or is on its way into the document.
    Pending,
    /// In the document.
    Accepted,
    /// Refused.
    Rejected,
    /// Its own lines were changed first; offered again as another hunk.
    Stale,
}

/// Decide hunks of one review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewDecide {
    /// Which review.
    pub review_id: String,
    /// What was decided.
    pub decisions: Vec<Decision>,
    /// A reason for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// A hunk's id, or `*` for all that wait.
    pub hunk: String,
    /// Accept or reject.
    pub accept: bool,
    /// The user's own version of the proposal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_text: Option<String>,
}

/// The answer to [`REVIEW_DECIDE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewDecided {
    /// Hunks of the review that still wait.
    pub open: usize,
}

/// Save these documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentSave {
    /// Which.
    pub uris: Vec<String>,
}

/// The answer to [`DOCUMENT_SAVE`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentSaved {
    /// Those that were saved.
    pub saved: Vec<String>,
}

/// A request for the client's own language servers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageQuery {
    /// The LSP method.
    pub method: String,
    /// Its params.
    pub params: Value,
}

/// The commands of `workspace/executeCommand`.
pub mod commands {
    use super::Range;
    use assent_base::clip::visible_line;
    use assent_base::policy::Span;
    use assent_engine::permission::ListedRule;
    use serde::{Deserialize, Serialize};

    /// Starts a turn with the user's words: [`AskArgs`].
    pub const ASK: &str = "assent.ask";
    /// Starts a turn: [`TargetArgs`].
    pub const EXPLAIN: &str = "assent.explain";
    /// Starts a turn, with the diagnostics of the range: [`TargetArgs`].
    pub const FIX: &str = "assent.fix";
    /// Starts a turn: [`TargetArgs`].
    pub const TESTS: &str = "assent.tests";
    /// Starts a turn: [`TargetArgs`].
    pub const DOCUMENT: &str = "assent.document";
    /// Starts a turn: [`TargetArgs`].
    pub const REFACTOR: &str = "assent.refactor";
    /// Starts a turn: [`TargetArgs`].
    pub const REVIEW_DIFF: &str = "assent.reviewDiff";
    /// Starts a turn: [`TargetArgs`].
    pub const COMMIT_MESSAGE: &str = "assent.commitMessage";
    /// Starts a turn in the mode `plan`: [`TargetArgs`].
    pub const PLAN: &str = "assent.plan";
    /// Cancels the running turn: [`SessionArgs`].
    pub const CANCEL: &str = "assent.cancel";
    /// Takes back the edits of the last turn: [`SessionArgs`].
    pub const UNDO_TURN: &str = "assent.undoTurn";
    /// Starts a session: no argument.
    pub const NEW_SESSION: &str = "assent.newSession";
    /// Lists the open approvals: no argument.
    pub const APPROVALS: &str = "assent.approvals";
    /// Allows an open approval once: [`ApprovalArgs`].
    pub const APPROVE: &str = "assent.approve";
    /// Refuses an open approval: [`ApprovalArgs`].
    pub const DENY: &str = "assent.deny";
    /// Accepts a hunk: [`HunkArgs`].
    pub const REVIEW_ACCEPT: &str = "assent.review.accept";
    /// Rejects a hunk: [`HunkArgs`].
    pub const REVIEW_REJECT: &str = "assent.review.reject";
    /// Accepts every hunk that waits: [`ReviewArgs`].
    pub const REVIEW_ACCEPT_ALL: &str = "assent.review.acceptAll";
    /// Rejects every hunk that waits: [`ReviewArgs`].
    pub const REVIEW_REJECT_ALL: &str = "assent.review.rejectAll";
    /// Shows the next hunk that waits: [`PlaceArgs`].
    pub const REVIEW_NEXT: &str = "assent.review.next";
    /// Shows the previous hunk that waits: [`PlaceArgs`].
    pub const REVIEW_PREVIOUS: &str = "assent.review.previous";
    /// Lists the remembered rules: no argument → [`Rules`].
    pub const RULES: &str = "assent.rules";
    /// Revokes a remembered rule: [`RuleArgs`] → [`RuleRemoved`].
    pub const RULES_REMOVE: &str = "assent.rules.remove";
    /// What `assent tools ls --json` prints: no argument.
    pub const TOOLS: &str = "assent.tools";
    /// What `assent doctor --json` prints: no argument.
    pub const DOCTOR: &str = "assent.doctor";
    /// Shows what trust in a workspace folder would make count, and with a digest gives it:
    /// [`TrustArgs`] → [`super::TrustShown`].
    pub const TRUST_WORKSPACE: &str = "assent.trustWorkspace";
    /// Takes trust back: [`TrustArgs`] → [`super::TrustUpdated`].
    pub const UNTRUST_WORKSPACE: &str = "assent.untrustWorkspace";

    /// Every command, in the order of the documentation.
    pub const ALL: [&str; 27] = [
        ASK,
        EXPLAIN,
        FIX,
        TESTS,
        DOCUMENT,
        REFACTOR,
        REVIEW_DIFF,
        COMMIT_MESSAGE,
        PLAN,
        CANCEL,
        UNDO_TURN,
        NEW_SESSION,
        APPROVALS,
        APPROVE,
        DENY,
        REVIEW_ACCEPT,
        REVIEW_REJECT,
        REVIEW_ACCEPT_ALL,
        REVIEW_REJECT_ALL,
        REVIEW_NEXT,
        REVIEW_PREVIOUS,
        RULES,
        RULES_REMOVE,
        TOOLS,
        DOCTOR,
        TRUST_WORKSPACE,
        UNTRUST_WORKSPACE,
    ];

    /// Of [`ASK`].
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct AskArgs {
        /// The user's words.
        pub prompt: String,
        /// What they are about.
        #[serde(flatten)]
        pub target: TargetArgs,
    }

    /// What a turn is about.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct TargetArgs {
        /// A document.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub uri: Option<String>,
        /// A part of it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub range: Option<Range>,
        /// The session to go on with; without it the one used last, else a new one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub session_id: Option<String>,
        /// Messages of the diagnostics to mend, where the client has them at hand.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub diagnostics: Vec<String>,
    }

    /// Which session; without one, the one used last.
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct SessionArgs {
        /// The session.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub session_id: Option<String>,
    }

    /// What the commands that start a turn answer.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct TurnStarted {
        /// The session.
        pub session_id: String,
    }

    /// Which approval.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ApprovalArgs {
        /// Its id.
        pub id: String,
        /// For a refusal: a reason for the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub feedback: Option<String>,
    }

    /// What [`RULES`] answers.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Rules {
        /// Those of open sessions, of workspaces, and those for good.
        pub rules: Vec<RememberedRule>,
    }

    /// A rule that the user chose to remember.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct RememberedRule {
        /// To revoke it by.
        pub id: String,
        /// The tool that it is about.
        pub tool: String,
        /// The rule, as an approval shows it.
        pub rule: String,
        /// How long it holds.
        pub scope: Span,
        /// The workspace that it holds in.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub workspace: Option<String>,
        /// The day it was saved.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub since: Option<String>,
    }

    impl From<ListedRule> for RememberedRule {
        fn from(rule: ListedRule) -> Self {
            Self {
                id: rule.id,
                tool: rule.tool,
                rule: visible_line(&rule.rule),
                scope: rule.scope,
                workspace: rule.workspace.map(|folder| visible_line(&folder.to_string_lossy())),
                since: rule.since,
            }
        }
    }

    /// Which remembered rule.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct RuleArgs {
        /// Its id.
        pub id: String,
    }

    /// What [`RULES_REMOVE`] answers.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct RuleRemoved {
        /// Whether there was such a rule.
        pub removed: bool,
    }

    /// Which workspace folder; without one, the first.
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct TrustArgs {
        /// The folder, by its path or URI.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub folder: Option<String>,
        /// To trust it: the digest of what the user was shown.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub digest: Option<String>,
    }

    /// Which hunk.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct HunkArgs {
        /// Its review.
        pub review_id: String,
        /// Its id.
        pub hunk: String,
        /// The client has applied the edit itself (a code action that carried it).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub applied: bool,
    }

    /// Which review; without one, all that are open.
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct ReviewArgs {
        /// The review.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub review_id: Option<String>,
    }

    /// Where the user is; without it, the first or the last hunk is meant.
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct PlaceArgs {
        /// The document.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub uri: Option<String>,
        /// The cursor.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub position: Option<super::Position>,
    }
}

#[cfg(test)]
mod tests;
