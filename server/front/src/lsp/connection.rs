//! What is known of one connection once the handshake is done.

use super::capabilities::Capabilities;
use super::progress::Progress;
use crate::conversation::{Conversation, Peer};
use assent_engine::event::SessionId;
use assent_engine::main_loop::{Environment, Handle};
use assent_engine::trust::Trust;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// How long a turn may wait for the editor's settings before it goes on without them.
const SETTINGS_TIME: Duration = Duration::from_secs(1);

/// One connection.
pub struct Connection {
    /// The client.
    pub peer: Peer,
    /// What it can do.
    pub capabilities: Arc<Capabilities>,
    /// The engine.
    pub handle: Handle,
    /// Sessions and their messages.
    pub conversation: Conversation,
    /// The turns that show progress.
    pub progress: Progress,
    /// The workspace folders, as the client named them.
    pub folders: Mutex<Vec<PathBuf>>,
    /// What the process was started with.
    pub environment: Environment,
    /// The editor's settings.
    pub settings: Mutex<Value>,
    /// The editor has the workspace in its restricted mode.
    pub restricted: Mutex<bool>,
    /// The session used last, for commands that name none.
    pub recent: Mutex<Option<SessionId>>,
    /// Something that settings come from may have changed: they are looked through again.
    pub settings_touched: Arc<Notify>,
    /// Whether the first settings are there.
    settled: watch::Sender<bool>,
}

impl Connection {
    /// A connection. Where the client has settings to fetch, turns wait a moment for the first.
    pub fn new(
        peer: Peer,
        capabilities: Arc<Capabilities>,
        handle: Handle,
        conversation: Conversation,
        folders: Vec<PathBuf>,
        environment: Environment,
        settings: Value,
    ) -> Self {
        let progress = Progress::new(peer.clone());
        let settled = watch::Sender::new(!capabilities.configuration);
        let restricted = Mutex::new(capabilities.restricted());
        let (folders, settings, recent) = (Mutex::new(folders), Mutex::new(settings), Mutex::new(None));
        Self {
            peer,
            capabilities,
            handle,
            conversation,
            progress,
            folders,
            environment,
            settings,
            restricted,
            recent,
            settings_touched: Arc::default(),
            settled,
        }
    }

    /// Fetch the section `assent` of the editor's settings.
    pub async fn pull_settings(&self) {
        let params = json!({ "items": [{ "section": "assent" }] });
        if let Ok(answer) = self.peer.request("workspace/configuration", params).await
            && let Some(settings) = answer.get(0).filter(|settings| settings.is_object())
        {
            self.set(settings.clone()).await;
        }
        self.settled.send_replace(true);
    }

    /// Take new settings.
    pub async fn set(&self, settings: Value) {
        self.settings.lock().clone_from(&settings);
        self.handle.settings_changed(settings).await;
        self.settings_touched.notify_one();
    }

    /// Whom the user trusts.
    pub fn trust(&self) -> Trust {
        Trust::new(&self.environment.state, *self.restricted.lock())
    }

    /// The editor put the workspace into its restricted mode, or took it out.
    pub async fn restrict(&self, restricted: bool) {
        *self.restricted.lock() = restricted;
        self.handle.restricted(restricted).await;
        self.trust_touched().await;
    }

    /// What of a project counts may have changed.
    pub async fn trust_touched(&self) {
        self.handle.tools_changed().await;
        self.settings_touched.notify_one();
    }

    /// Wait until the first settings are there, which choose the model. After that it never waits.
    pub async fn settle(&self) {
        let mut settled = self.settled.subscribe();
        if !*settled.borrow() {
            let _ = tokio::time::timeout(SETTINGS_TIME, settled.wait_for(|settled| *settled)).await;
            self.settled.send_replace(true);
        }
    }

    /// The session that a request or its answer names is the one used last.
    pub fn used(&self, message: &Value) {
        if let Some(id) = message.get("sessionId").and_then(Value::as_str) {
            *self.recent.lock() = Some(SessionId(id.into()));
        }
    }
}
