//! The methods of the language server. Each turns what came into our types, puts it on the
//! engine's inbox as its first step, and waits for nothing slower than the engine's own answer.

use super::actions::{self, Asked};
use super::capabilities::Capabilities;
use super::client::LspEditor;
use super::connection::Connection;
use super::plain::transcript::Transcripts;
use super::{commands, completion, convert, diagnostics, guard, tool_files};
use crate::conversation::{self, Conversation, Feed, Outcome, Peer, review};
use crate::protocol::{REVIEW_UPDATED, TRUST_CLIENT, TrustClient};
use assent_engine::event::{Event, EventKind};
use assent_engine::main_loop::{self, Environment, Handle, Setup};
use futures::future::{BoxFuture, FutureExt};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::*;
use tower_lsp::{LanguageServer, LspService};

/// ACP's notification.
const CANCEL: &str = "session/cancel";
/// LSP's, which tower-lsp does not know.
const CANCEL_PROGRESS: &str = "window/workDoneProgress/cancel";

/// The language server of one connection.
pub struct Server {
    peer: Peer,
    feed: Feed,
    environment: Environment,
    /// Set when `initialize` comes.
    capabilities: Arc<OnceLock<Arc<Capabilities>>>,
    /// Set by `initialize`.
    connection: Arc<OnceLock<Arc<Connection>>>,
}

/// The service and what the transport needs of it.
pub struct Service {
    /// To be put behind a [`guard::Guard`].
    pub service: LspService<Server>,
    /// For the guard.
    pub capabilities: Arc<OnceLock<Arc<Capabilities>>>,
    /// Set by `initialize`.
    pub connection: Arc<OnceLock<Arc<Connection>>>,
}

/// The service for a client.
pub fn service(peer: Peer, environment: Environment) -> Service {
    let (capabilities, connection) = (Arc::default(), Arc::default());
    let server = Server {
        peer,
        feed: Feed::default(),
        environment,
        capabilities: Arc::clone(&capabilities),
        connection: Arc::clone(&connection),
    };
    let mut builder = LspService::build(|_| server)
        .custom_method(guard::CODE_ACTION, Server::code_actions)
        .custom_method(CANCEL, |server: &Server, params: Value| server.cancel(params))
        .custom_method(CANCEL_PROGRESS, |server: &Server, params: Value| server.cancel_progress(params))
        .custom_method(TRUST_CLIENT, |server: &Server, params: Value| server.client_trust(params));
    for method in conversation::METHODS.into_iter().filter(|method| *method != CANCEL) {
        builder = builder
            .custom_method(method, move |server: &Server, params: Value| server.converse(method, params));
    }
    // tower-lsp's own way to the client is not used: it can't take back what it asked.
    let (service, _) = builder.finish();
    Service { service, capabilities, connection }
}

impl Server {
    fn connection(&self) -> Result<Arc<Connection>> {
        // The service lets nothing through before `initialize`.
        self.connection.get().cloned().ok_or_else(Error::internal_error)
    }

    fn handle(&self) -> Option<&Handle> {
        self.connection.get().map(|connection| &connection.handle)
    }

    /// A method of the conversation.
    fn converse(&self, method: &'static str, params: Value) -> BoxFuture<'static, Result<Value>> {
        let connection = self.connection();
        async move {
            let connection = connection?;
            connection.settle().await;
            connection.used(&params);
            let outcome = connection.conversation.handle(method, params).await;
            let Outcome { result, after, take_up } = outcome.map_err(convert::error)?;
            connection.used(&result);
            guard::after_answer(after);
            if let Some(session) = take_up {
                let conversation = connection.conversation.clone();
                guard::when_answered(async move { conversation.take_up(session).await }.boxed());
            }
            Ok(result)
        }
        .boxed()
    }

    fn cancel(&self, params: Value) -> BoxFuture<'static, ()> {
        let connection = self.connection();
        async move {
            if let Ok(connection) = connection
                && let Err(error) = connection.conversation.handle(CANCEL, params).await
            {
                tracing::warn!("{CANCEL}: {error}");
            }
        }
        .boxed()
    }

    fn cancel_progress(&self, params: Value) -> BoxFuture<'static, ()> {
        let connection = self.connection();
        async move {
            if let Ok(connection) = connection
                && let Some(session) = connection.progress.session(&params["token"])
            {
                connection.handle.cancel(session).await;
            }
        }
        .boxed()
    }

    fn client_trust(&self, params: Value) -> BoxFuture<'static, ()> {
        let connection = self.connection();
        async move {
            match (connection, conversation::parse::<TrustClient>(params)) {
                (Ok(connection), Ok(TrustClient { trusted })) => connection.restrict(!trusted).await,
                (Ok(_), Err(error)) => tracing::warn!("{TRUST_CLIENT}: {error}"),
                (Err(_), _) => {}
            }
        }
        .boxed()
    }

    /// `textDocument/codeAction`, see [`guard::CODE_ACTION`].
    async fn code_actions(&self, params: Value) -> Result<Value> {
        let automatic = params["context"]["triggerKind"] == 2;
        let diagnostics = params["context"]["diagnostics"].as_array().cloned().unwrap_or_default();
        let params: CodeActionParams =
            serde_json::from_value(params).map_err(|error| Error::invalid_params(error.to_string()))?;
        let connection = self.connection()?;
        let reviews = connection.handle.reviews().await.unwrap_or_default();
        let only = params.context.only.unwrap_or_default();
        let asked = Asked {
            uri: params.text_document.uri.to_string(),
            range: convert::wire_range(params.range),
            diagnostics,
            only: only.iter().map(|kind| kind.as_str().to_owned()).collect(),
            automatic,
        };
        let client = &connection.capabilities;
        let found = actions::actions(&asked, &reviews, client);
        Ok(found.iter().map(|action| convert::code_action(action, client)).collect())
    }

    /// A document changed, in the editor or on disk.
    fn touched(&self, uri: &Url) {
        if let Ok(connection) = self.connection()
            && diagnostics::concerns(&self.environment.tools, uri.as_str())
        {
            connection.settings_touched.notify_one();
        }
    }

    fn open(&self, params: &InitializeParams, client: Arc<Capabilities>) -> Connection {
        let folders = convert::folders(params);
        let state = self.environment.state.clone();
        let editor = LspEditor::new(self.peer.clone(), self.feed.clone(), client.clone(), state);
        let settings = settings(params.initialization_options.clone().unwrap_or_default());
        let handle = main_loop::start(Setup {
            editor: Arc::new(editor),
            encoding: client.encoding,
            folders: folders.clone(),
            environment: self.environment.clone(),
            settings: settings.clone(),
            restricted: client.restricted(),
            model: None,
            mode: None,
            approve: false,
            explain: None,
        });
        let mut conversation = Conversation::new(handle.clone(), self.feed.clone());
        if client.plain() {
            conversation = conversation.with_notices();
        }
        let environment = self.environment.clone();
        Connection::new(self.peer.clone(), client, handle, conversation, folders, environment, settings)
    }
}

/// The section `assent`, or the whole where it is not named.
fn settings(mut value: Value) -> Value {
    value.get_mut("assent").map(Value::take).unwrap_or(value)
}

/// What the front itself does with events: progress, hunks, the transcript.
fn aside(
    connection: Arc<Connection>,
    mut transcripts: Option<Transcripts>,
) -> impl FnMut(&Event) -> BoxFuture<'static, ()> {
    move |event| {
        let client = &connection.capabilities;
        if client.progress {
            connection.progress.note(event);
        }
        if let Some(transcripts) = &mut transcripts {
            transcripts.note(event);
        }
        let peer = connection.peer.clone();
        match &event.kind {
            EventKind::Review(review) => {
                if client.lens_refresh {
                    let peer = peer.clone();
                    tokio::spawn(
                        async move { peer.request("workspace/codeLens/refresh", Value::Null).await },
                    );
                }
                if client.assent.review {
                    let state = json!(review::state(review, client.encoding));
                    return async move { peer.notify(REVIEW_UPDATED, state).await }.boxed();
                }
            }
            EventKind::TurnStarted => {
                *connection.recent.lock() = Some(event.session.clone());
                connection.settings_touched.notify_one();
            }
            _ => {}
        }
        std::future::ready(()).boxed()
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let client = self.capabilities.get().cloned().ok_or_else(Error::internal_error)?;
        let capabilities = convert::server_capabilities(&client);
        self.connection.get_or_init(|| Arc::new(self.open(&params, client)));
        let info = ServerInfo { name: "assent".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
        Ok(InitializeResult { capabilities, server_info: Some(info) })
    }

    async fn initialized(&self, _: InitializedParams) {
        let Ok(connection) = self.connection() else { return };
        let client = connection.capabilities.clone();
        let shows = client.show_document.then(|| connection.peer.clone());
        let transcripts = client.plain().then(|| Transcripts::new(&self.environment.state, shows));
        tokio::spawn({
            let connection = connection.clone();
            async move {
                let aside = aside(connection.clone(), transcripts);
                match connection.capabilities.plain() {
                    true => connection.conversation.follow(aside).await,
                    false => connection.conversation.tell(&connection.peer, aside).await,
                }
            }
        });
        let mut registrations = Vec::new();
        if client.registers_configuration {
            registrations
                .push(json!({ "id": "assent-settings", "method": "workspace/didChangeConfiguration",
                                       "registerOptions": { "section": "assent" } }));
        }
        if let Some(watchers) = diagnostics::watchers(&self.environment.tools, &client) {
            registrations.push(json!({ "id": "assent-tools", "method": "workspace/didChangeWatchedFiles",
                                       "registerOptions": { "watchers": watchers } }));
        }
        if !registrations.is_empty() {
            let peer = connection.peer.clone();
            tokio::spawn(async move {
                peer.request("client/registerCapability", json!({ "registrations": registrations })).await
            });
        }
        if client.configuration {
            let connection = connection.clone();
            tokio::spawn(async move { connection.pull_settings().await });
        }
        tokio::spawn(diagnostics::keep(connection));
    }

    async fn shutdown(&self) -> Result<()> {
        if let Some(handle) = self.handle() {
            // The end of the process waits again, so a client need not wait long here.
            let _ = tokio::time::timeout(super::END_TIME, handle.shutdown()).await;
        }
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let Some(handle) = self.handle() else { return };
        let uri = convert::document_uri(&document.uri);
        handle.document_opened(uri, document.language_id, document.version, document.text).await;
        self.touched(&document.uri);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let Some(handle) = self.handle() else { return };
        let uri = convert::document_uri(&params.text_document.uri);
        let changes = convert::content_changes(params.content_changes);
        handle.document_changed(uri, params.text_document.version, changes).await;
        self.touched(&params.text_document.uri);
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        let Some(handle) = self.handle() else { return };
        handle.document_saved(convert::document_uri(&params.text_document.uri)).await;
        if diagnostics::is_tool_file(&self.environment.tools, params.text_document.uri.as_str()) {
            handle.tools_changed().await;
        }
        self.touched(&params.text_document.uri);
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let Some(handle) = self.handle() else { return };
        let tools = &self.environment.tools;
        if params.changes.iter().any(|change| diagnostics::is_tool_file(tools, change.uri.as_str())) {
            handle.tools_changed().await;
        }
        for change in &params.changes {
            self.touched(&change.uri);
        }
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let Some(handle) = self.handle() else { return };
        handle.document_closed(convert::document_uri(&params.text_document.uri)).await;
        self.touched(&params.text_document.uri);
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        let Ok(connection) = self.connection() else { return };
        if connection.capabilities.configuration {
            tokio::spawn(async move { connection.pull_settings().await });
        } else if params.settings.is_object() {
            connection.set(settings(params.settings)).await;
        }
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let Ok(connection) = self.connection() else { return };
        let folders = {
            let mut folders = connection.folders.lock();
            *folders = convert::changed_folders(std::mem::take(&mut *folders), &params.event);
            folders.clone()
        };
        connection.handle.folders_changed(folders).await;
        connection.settings_touched.notify_one();
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        let connection = self.connection()?;
        let argument = params.arguments.into_iter().next().unwrap_or_default();
        commands::run(&connection, &params.command, argument).await.map(Some).map_err(convert::error)
    }

    async fn code_action_resolve(&self, mut action: CodeAction) -> Result<CodeAction> {
        let connection = self.connection()?;
        let data = action.data.clone().and_then(|data| serde_json::from_value(data).ok());
        if let (None, Some(args)) = (&action.edit, data) {
            let reviews = connection.handle.reviews().await.unwrap_or_default();
            let edit = actions::resolved(&args, &reviews, &connection.capabilities);
            action.edit = edit.and_then(convert::workspace_edit);
            if action.edit.is_none() {
                let message = "This change no longer waits: it was decided, or the text changed. Look again.";
                return Err(Error::invalid_params(message));
            }
        }
        Ok(action)
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let connection = self.connection()?;
        let reviews = connection.handle.reviews().await.unwrap_or_default();
        let lenses = actions::lenses(params.text_document.uri.as_str(), &reviews, &connection.capabilities);
        Ok(Some(lenses.into_iter().map(convert::code_lens).collect()))
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let connection = self.connection()?;
        let place = params.text_document_position_params;
        if !diagnostics::is_tool_file(&self.environment.tools, place.text_document.uri.as_str()) {
            return Ok(None);
        }
        let uri = convert::document_uri(&place.text_document.uri);
        let document = connection.handle.documents().get(&uri);
        let (pointer, encoding) = (convert::position(place.position), connection.capabilities.encoding);
        let about = document.and_then(|document| tool_files::about(&document.text, pointer, encoding));
        Ok(about.map(|(words, range)| convert::hover(words, range)))
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let connection = self.connection()?;
        let place = params.text_document_position;
        // The key that asks for completion is in a change that came just before.
        if connection.handle.caught_up().await.is_err() {
            return Ok(None);
        }
        let Some(document) =
            connection.handle.documents().get(&convert::document_uri(&place.text_document.uri))
        else {
            return Ok(None);
        };
        let cursor = convert::position(place.position);
        let encoding = connection.capabilities.encoding;
        if diagnostics::is_tool_file(&self.environment.tools, document.uri.as_str()) {
            let found = tool_files::completions(&document.text, cursor, encoding);
            let items = found.into_iter().map(convert::completion_item).collect();
            return Ok(Some(CompletionResponse::List(CompletionList { is_incomplete: true, items })));
        }
        let end = assent_base::text::offset(&document.text, cursor, encoding);
        let line = document.text.byte_to_line(end);
        let before = document.text.byte_slice(document.text.line_to_byte(line)..end).to_string();
        let cursor = crate::protocol::Position { line: cursor.line, character: cursor.character };
        let Some(typed) =
            completion::typed(document.uri.as_str(), &document.language, &before, cursor, encoding)
        else {
            return Ok(None);
        };
        let found = match typed.kind {
            completion::CompletionKind::Command => {
                let of_tools = connection.handle.commands().await.unwrap_or_default();
                completion::command_completions(&typed, of_tools)
            }
            completion::CompletionKind::File => {
                let folders = connection.folders.lock().clone();
                let open = connection.handle.documents().all();
                let open = open.iter().filter_map(|document| document.uri.to_path()).collect();
                completion::file_completions(&typed, folders, open).await
            }
            completion::CompletionKind::Field => Vec::new(),
        };
        let items = found.into_iter().map(convert::completion_item).collect();
        Ok(Some(CompletionResponse::List(CompletionList { is_incomplete: true, items })))
    }
}
