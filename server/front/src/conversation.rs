//! ACP's methods to sessions, and the engine's events to ACP's updates: one implementation for
//! every front. Knows no LSP, and nothing of how messages are framed.
//!
//! A front makes a [`Peer`] for the other end, pushes the engine's events into a [`Feed`], lets
//! [`Conversation::tell`] run as a task of its own, and passes requests to [`Conversation::handle`].

/// Events on their way to the client.
pub mod feed;
/// The other end of a connection.
pub mod peer;
/// Approvals as `session/request_permission`.
pub mod permission;
/// Prompts as content blocks.
pub mod prompt;
/// Questions as forms or choices.
pub mod question;
/// Reviews on the wire.
pub mod review;
/// What a client is shown of a session.
pub mod state;
/// Events as session updates.
pub mod updates;

pub use feed::Feed;
pub use peer::{Peer, RpcError};

use crate::protocol::{
    ASSENT, PromptMeta, REVIEW_DECIDE, ReviewDecided, SESSION_RENAME, SESSION_REWIND, SessionRename,
    SessionRewind,
};
use agent_client_protocol_schema::v1 as acp;
use assent_engine::event::{Event, EventKind, Level, SessionId, StopReason};
use assent_engine::main_loop::{Handle, Refused};
use assent_engine::session::{Prompted, SessionOption, SessionState};
use futures::FutureExt;
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use updates::Updates;

/// ACP's names for what a client asks.
const AGENT: acp::AgentMethodNames = acp::AGENT_METHOD_NAMES;
/// ACP's name for what a client is told.
const UPDATE: &str = acp::CLIENT_METHOD_NAMES.session_update;

/// The methods a client may call, besides ACP's `initialize`.
pub const METHODS: [&str; 13] = [
    AGENT.session_new,
    AGENT.session_load,
    AGENT.session_resume,
    AGENT.session_list,
    AGENT.session_close,
    AGENT.session_delete,
    AGENT.session_prompt,
    AGENT.session_cancel,
    AGENT.session_set_mode,
    AGENT.session_set_config_option,
    SESSION_RENAME,
    SESSION_REWIND,
    REVIEW_DECIDE,
];

/// What a request leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The answer.
    pub result: Value,
    /// Notifications that come right behind the answer.
    pub after: Vec<(&'static str, Value)>,
    /// A session whose turn may go on once the answer has been sent.
    pub take_up: Option<SessionId>,
}

impl From<Value> for Outcome {
    fn from(result: Value) -> Self {
        Self { result, after: Vec::new(), take_up: None }
    }
}

/// The conversation of one connection. Cheap to clone.
#[derive(Clone)]
pub struct Conversation {
    handle: Handle,
    feed: Feed,
    updates: Arc<Mutex<Updates>>,
    /// The client learns of what does not count only by our words.
    notices: bool,
}

impl Conversation {
    /// The conversation over an engine whose events go into `feed`.
    pub fn new(handle: Handle, feed: Feed) -> Self {
        Self { handle, feed, updates: Arc::default(), notices: false }
    }

    /// The same for a client that is not told by any message of our own what of a project does not
    /// count: it is said in words, when a session begins.
    pub fn with_notices(self) -> Self {
        Self { notices: true, ..self }
    }

    /// Say so in a session that a command began.
    pub fn tell_notice(&self, state: &SessionState) {
        if let Some(text) = state.notice.clone().filter(|_| self.notices) {
            let kind = EventKind::Notice { level: Level::Warning, text };
            self.feed.push(Event { session: state.id.clone(), kind });
        }
    }

    /// What comes right behind the answer to a request for a session.
    fn begun(&self, state: &SessionState, result: Value) -> Outcome {
        self.updates.lock().told_commands(&state.id, &state.commands);
        let commands =
            acp::SessionUpdate::AvailableCommandsUpdate(state::available_commands(&state.commands));
        let mut after = vec![notification(&state.id, commands)];
        if let Some(words) = state.notice.as_deref().filter(|_| self.notices) {
            after.push(notification(&state.id, updates::notice(Level::Warning, words)));
        }
        Outcome { result, after, take_up: None }
    }

    /// What waited for the user when the server ended is told and asked behind the answer.
    fn loaded(&self, state: &SessionState, result: Value) -> Outcome {
        Outcome { take_up: Some(state.id.clone()), ..self.begun(state, result) }
    }

    /// Answer a request, or take a notification (whose answer is null and not sent).
    ///
    /// What the engine is asked is on its inbox before the first await. Dropping the future of
    /// `session/prompt` cancels the turn.
    pub async fn handle(&self, method: &str, params: Value) -> Result<Outcome, RpcError> {
        match method {
            name if name == AGENT.session_new => self.new_session(params).await,
            name if name == AGENT.session_load => self.load_session(params).await,
            name if name == AGENT.session_resume => self.resume_session(params).await,
            name if name == AGENT.session_list => self.list_sessions(params).await,
            name if name == AGENT.session_close => {
                let params: acp::CloseSessionRequest = parse(params)?;
                self.handle.close_session(session_id(params.session_id)).await?;
                Ok(json!(acp::CloseSessionResponse::new()).into())
            }
            name if name == AGENT.session_delete => {
                let params: acp::DeleteSessionRequest = parse(params)?;
                self.handle.delete_session(session_id(params.session_id)).await?;
                Ok(json!(acp::DeleteSessionResponse::new()).into())
            }
            name if name == AGENT.session_prompt => self.prompt(params).await,
            name if name == AGENT.session_cancel => {
                let params: acp::CancelNotification = parse(params)?;
                self.handle.cancel(session_id(params.session_id)).await;
                Ok(Value::Null.into())
            }
            name if name == AGENT.session_set_mode => {
                let params: acp::SetSessionModeRequest = parse(params)?;
                let option = state::option("mode", &params.mode_id.0).map_err(RpcError::invalid_params)?;
                self.handle.set_option(session_id(params.session_id), option).await?;
                Ok(json!(acp::SetSessionModeResponse::new()).into())
            }
            name if name == AGENT.session_set_config_option => {
                let params: acp::SetSessionConfigOptionRequest = parse(params)?;
                let option = config_option(&params.config_id, &params.value)?;
                let state = self.handle.set_option(session_id(params.session_id), option).await?;
                Ok(json!(acp::SetSessionConfigOptionResponse::new(state::config_options(&state))).into())
            }
            SESSION_RENAME => {
                let params: SessionRename = parse(params)?;
                self.handle.rename_session(SessionId(params.session_id.into()), params.title).await?;
                Ok(json!({}).into())
            }
            SESSION_REWIND => {
                let params: SessionRewind = parse(params)?;
                self.handle.rewind(SessionId(params.session_id.into()), params.prompt).await?;
                Ok(json!({}).into())
            }
            REVIEW_DECIDE => {
                let (review, decisions, feedback) = review::decisions(parse(params)?);
                let open = self.handle.decide(review, decisions, feedback).await?;
                Ok(json!(ReviewDecided { open }).into())
            }
            _ => Err(RpcError::method_not_found(method)),
        }
    }

    /// The answer that loaded this session has been sent.
    pub async fn take_up(&self, session: SessionId) {
        self.handle.take_up(session).await;
    }

    /// Tell the peer every event, for ever. `aside` gets each one first, for what the front itself
    /// does with it.
    pub async fn tell<F: Future<Output = ()>>(&self, peer: &Peer, mut aside: impl FnMut(&Event) -> F) {
        self.feed
            .tell(|event| {
                let first = aside(&event);
                async move {
                    first.await;
                    for (method, params) in self.updates(&event).await {
                        peer.notify(method, params).await;
                    }
                }
            })
            .await;
    }

    /// Follow every event, for ever, where the client does not speak ACP.
    pub async fn follow<F: Future<Output = ()>>(&self, mut aside: impl FnMut(&Event) -> F) {
        self.feed.tell(|event| aside(&event)).await;
    }

    /// What a client is told of an event, by `session/update`.
    pub async fn updates(&self, event: &Event) -> Vec<(&'static str, Value)> {
        let mut updates = self.updates.lock().of(event);
        if matches!(event.kind, EventKind::ConfigChanged)
            && let Ok(state) = self.handle.load_session(event.session.clone(), false).await
        {
            let options = state::config_options(&state);
            updates.push(acp::SessionUpdate::ConfigOptionUpdate(acp::ConfigOptionUpdate::new(options)));
        }
        updates.into_iter().map(|update| notification(&event.session, update)).collect()
    }

    async fn new_session(&self, params: Value) -> Result<Outcome, RpcError> {
        let params: acp::NewSessionRequest = parse(with_defaults(params))?;
        let state = self.handle.new_session(folder(params.cwd)).await?;
        let result = acp::NewSessionResponse::new(state.id.0.clone())
            .modes(state::modes(&state))
            .config_options(state::config_options(&state));
        Ok(self.begun(&state, json!(result)))
    }

    async fn list_sessions(&self, params: Value) -> Result<Outcome, RpcError> {
        let params: acp::ListSessionsRequest = parse(params)?;
        let after =
            params.cursor.map(|cursor| cursor.parse()).transpose().map_err(RpcError::invalid_params)?;
        let page = self.handle.list_sessions(params.cwd, after).await?;
        let response = acp::ListSessionsResponse::new(page.rows.iter().map(state::summary).collect())
            .next_cursor(page.next.map(|cursor| cursor.to_string()));
        Ok(json!(response).into())
    }

    async fn load_session(&self, params: Value) -> Result<Outcome, RpcError> {
        let params: acp::LoadSessionRequest = parse(with_defaults(params))?;
        let state = self.handle.load_session(session_id(params.session_id), true).await?;
        self.tell_reviews(&state.id).await;
        self.feed.flush().await;
        let result = acp::LoadSessionResponse::new()
            .modes(state::modes(&state))
            .config_options(state::config_options(&state));
        Ok(self.loaded(&state, json!(result)))
    }

    async fn resume_session(&self, params: Value) -> Result<Outcome, RpcError> {
        let params: acp::ResumeSessionRequest = parse(with_defaults(params))?;
        let state = self.handle.load_session(session_id(params.session_id), false).await?;
        self.tell_reviews(&state.id).await;
        let result = acp::ResumeSessionResponse::new()
            .modes(state::modes(&state))
            .config_options(state::config_options(&state));
        Ok(self.loaded(&state, json!(result)))
    }

    /// Tell the open reviews of a session again: a client that comes back knows none.
    async fn tell_reviews(&self, id: &SessionId) {
        for review in self.handle.reviews().await.unwrap_or_default() {
            if *review.session == *id.0 {
                self.feed.push(Event { session: id.clone(), kind: EventKind::Review(review) });
            }
        }
    }

    async fn prompt(&self, params: Value) -> Result<Outcome, RpcError> {
        let params: acp::PromptRequest = parse(params)?;
        let id = session_id(params.session_id);
        let blocks = prompt::blocks(params.prompt)?;
        let mut running = CancelOnDrop(Some((self.handle.clone(), id.clone())));
        let ended = self.handle.prompt(id, blocks).await;
        running.0 = None;
        // The answer stands behind every update of its turn.
        self.feed.flush().await;
        let Prompted { stop, prompt } = ended?;
        let which = prompt.map(|prompt| meta(json!(PromptMeta { prompt })));
        let stop = match stop {
            StopReason::EndTurn => acp::StopReason::EndTurn,
            StopReason::Cancelled => acp::StopReason::Cancelled,
            StopReason::MaxTokens => acp::StopReason::MaxTokens,
            StopReason::MaxTurnRequests => acp::StopReason::MaxTurnRequests,
            StopReason::Refusal => acp::StopReason::Refusal,
            StopReason::Failed(message) => {
                return Err(RpcError { data: which.map(|which| json!(which)), ..RpcError::failed(message) });
            }
        };
        Ok(json!(acp::PromptResponse::new(stop).meta(which)).into())
    }
}

/// Cancels the turn of a prompt that nobody waits for any more.
struct CancelOnDrop(Option<(Handle, SessionId)>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let Some((handle, id)) = self.0.take() else { return };
        // At once, so that a prompt that comes next finds the turn ending; later only where the
        // engine's inbox is full.
        if handle.cancel(id.clone()).now_or_never().is_none()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(async move { handle.cancel(id).await });
        }
    }
}

impl From<Refused> for RpcError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Unknown(message) => Self::invalid_params(message),
            Refused::Busy(message) => Self::invalid_request(message),
            Refused::Failed(message) => Self::failed(message),
        }
    }
}

/// `value` as our part of a `_meta`.
pub fn meta(value: Value) -> acp::Meta {
    acp::Meta::from_iter([(ASSENT.to_owned(), value)])
}

/// A `session/update`.
pub fn notification(session: &SessionId, update: acp::SessionUpdate) -> (&'static str, Value) {
    (UPDATE, json!(acp::SessionNotification::new(session.0.clone(), update)))
}

/// Params as their type; the error names what is wrong.
pub fn parse<T: DeserializeOwned>(params: Value) -> Result<T, RpcError> {
    serde_json::from_value(params)
        .map_err(|error| RpcError::invalid_params(format!("The params are wrong: {error}.")))
}

/// Clients that know no MCP servers and no folder leave these out.
fn with_defaults(mut params: Value) -> Value {
    if let Some(params) = params.as_object_mut() {
        params.entry("mcpServers").or_insert_with(|| json!([]));
        params.entry("cwd").or_insert_with(|| json!(""));
    }
    params
}

fn folder(cwd: PathBuf) -> Option<PathBuf> {
    (!cwd.as_os_str().is_empty()).then_some(cwd)
}

fn session_id(id: acp::SessionId) -> SessionId {
    SessionId(id.0)
}

fn config_option(
    id: &acp::SessionConfigId,
    value: &acp::SessionConfigOptionValue,
) -> Result<SessionOption, RpcError> {
    let value = value.as_value_id().ok_or_else(|| {
        RpcError::invalid_params(format!("The option `{}` takes one of its values by id.", id.0))
    })?;
    state::option(&id.0, &value.0).map_err(RpcError::invalid_params)
}
