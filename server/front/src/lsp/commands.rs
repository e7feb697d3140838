//! `workspace/executeCommand`. A command that starts a turn answers as soon as the turn has begun.

use super::connection::Connection;
use super::{actions, trust};
use crate::cli::{doctor, tools};
use crate::conversation::peer::RpcError;
use crate::conversation::prompt::position_range;
use crate::conversation::{parse, permission, review};
use crate::protocol::commands::{self, ApprovalArgs, AskArgs, HunkArgs, PlaceArgs, ReviewArgs, SessionArgs};
use crate::protocol::commands::{RememberedRule, RuleArgs, RuleRemoved, Rules, TargetArgs, TurnStarted};
use assent_base::path::DocumentUri;
use assent_base::policy::Mode;
use assent_engine::editor::{Answer, HunkDecision};
use assent_engine::event::SessionId;
use assent_engine::session::{PromptBlock, SessionOption};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Run a command with its one argument.
pub async fn run(connection: &Connection, command: &str, argument: Value) -> Result<Value, RpcError> {
    let argument = if argument.is_null() { json!({}) } else { argument };
    match command {
        commands::ASK => {
            let args: AskArgs = parse(argument)?;
            if args.prompt.trim().is_empty() {
                return Err(RpcError::invalid_params("`prompt` is missing: what should be asked?"));
            }
            start_turn(connection, args.prompt, args.target, None).await
        }
        commands::EXPLAIN => turn(connection, "/explain", argument).await,
        commands::FIX => turn(connection, "/fix", argument).await,
        commands::TESTS => turn(connection, "/tests", argument).await,
        commands::DOCUMENT => turn(connection, "/document", argument).await,
        commands::REFACTOR => turn(connection, "/refactor", argument).await,
        commands::REVIEW_DIFF => turn(connection, "/review-diff", argument).await,
        commands::COMMIT_MESSAGE => {
            let words = "Write a commit message for the staged changes, or for all changes where none are staged. \
                         Look at the changes and at the project's recent messages. Answer with the message alone.";
            turn(connection, words, argument).await
        }
        commands::PLAN => {
            let words = "Make a plan for the change that we speak of, in small steps that can be checked.";
            start_turn(connection, words.into(), parse(argument)?, Some(Mode::Plan)).await
        }
        commands::CANCEL => {
            let args: SessionArgs = parse(argument)?;
            if let Some(session) = named_or_recent(connection, args.session_id) {
                connection.handle.cancel(session).await;
            }
            Ok(Value::Null)
        }
        commands::UNDO_TURN => {
            let args: SessionArgs = parse(argument)?;
            let session = args.session_id.map(|id| SessionId(id.into()));
            Ok(json!(connection.handle.undo_turn(session).await?))
        }
        commands::NEW_SESSION => started(new_session(connection).await?),
        commands::APPROVALS => approvals(connection).await,
        commands::APPROVE => answer(connection, argument, true).await,
        commands::DENY => answer(connection, argument, false).await,
        commands::REVIEW_ACCEPT => decide(connection, argument, true).await,
        commands::REVIEW_REJECT => decide(connection, argument, false).await,
        commands::REVIEW_ACCEPT_ALL => decide_all(connection, argument, true).await,
        commands::REVIEW_REJECT_ALL => decide_all(connection, argument, false).await,
        commands::REVIEW_NEXT => step(connection, argument, true).await,
        commands::REVIEW_PREVIOUS => step(connection, argument, false).await,
        commands::RULES => {
            let rules = connection.handle.rules().await?.into_iter().map(RememberedRule::from).collect();
            Ok(json!(Rules { rules }))
        }
        commands::RULES_REMOVE => {
            let RuleArgs { id } = parse(argument)?;
            let removed = connection.handle.remove_rule(id).await?;
            Ok(json!(RuleRemoved { removed }))
        }
        commands::TOOLS => {
            let (environment, folder) = (connection.environment.clone(), first_folder(connection)?);
            let (trust, settings) = (connection.trust(), connection.settings.lock().clone());
            let list = move || tools::list(&environment, &folder, &settings, &trust);
            let listed = tokio::task::spawn_blocking(list);
            listed.await.map_err(|_| RpcError::failed("The tools could not be listed."))
        }
        commands::DOCTOR => {
            let settings = connection.settings.lock().clone();
            let (folder, trust) = (first_folder(connection)?, connection.trust());
            let checks = doctor::look(&connection.environment, &folder, &settings, &trust).await;
            Ok(doctor::as_json(&checks))
        }
        commands::TRUST_WORKSPACE => trust::show(connection, argument).await,
        commands::UNTRUST_WORKSPACE => trust::revoke(connection, argument).await,
        _ => Err(RpcError::invalid_params(format!("There is no command {command}."))),
    }
}

fn first_folder(connection: &Connection) -> Result<PathBuf, RpcError> {
    let first = connection.folders.lock().first().cloned();
    first.ok_or_else(|| RpcError::invalid_request("No folder is open. Open one and try again."))
}

async fn turn(connection: &Connection, words: &str, argument: Value) -> Result<Value, RpcError> {
    start_turn(connection, words.to_owned(), parse(argument)?, None).await
}

async fn start_turn(
    connection: &Connection,
    mut words: String,
    target: TargetArgs,
    mode: Option<Mode>,
) -> Result<Value, RpcError> {
    connection.settle().await;
    let session = match named_or_recent(connection, target.session_id) {
        Some(session) => session,
        None => new_session(connection).await?,
    };
    if let Some(mode) = mode {
        connection.handle.set_option(session.clone(), SessionOption::Mode(mode)).await?;
    }
    for message in &target.diagnostics {
        words.push_str(&format!("\n- {message}"));
    }
    let mut blocks = vec![PromptBlock::Text(words)];
    if let Some(uri) = &target.uri {
        let range = target.range.map(position_range);
        blocks.push(PromptBlock::Document { uri: DocumentUri::new(uri), range, text: None });
    }
    connection.handle.start_turn(session.clone(), blocks).await?;
    *connection.recent.lock() = Some(session.clone());
    started(session)
}

fn named_or_recent(connection: &Connection, named: Option<String>) -> Option<SessionId> {
    named.map(|id| SessionId(id.into())).or_else(|| connection.recent.lock().clone())
}

async fn new_session(connection: &Connection) -> Result<SessionId, RpcError> {
    let state = connection.handle.new_session(None).await?;
    connection.conversation.tell_notice(&state);
    let session = state.id;
    *connection.recent.lock() = Some(session.clone());
    Ok(session)
}

fn started(session: SessionId) -> Result<Value, RpcError> {
    Ok(json!(TurnStarted { session_id: session.0.to_string() }))
}

async fn approvals(connection: &Connection) -> Result<Value, RpcError> {
    let open = connection.handle.approvals().await?;
    let listed = open.iter().map(|approval| {
        let mut row = json!(permission::facts(approval));
        row["sessionId"] = json!(&*approval.session.0);
        row["title"] = json!(approval.title);
        row
    });
    Ok(listed.collect())
}

async fn answer(connection: &Connection, argument: Value, allow: bool) -> Result<Value, RpcError> {
    let ApprovalArgs { id, feedback } = parse(argument)?;
    let answer = if allow { Answer::AllowOnce } else { Answer::Reject { feedback, stop: false } };
    let stood = connection.handle.answer_approval(id, answer).await?;
    Ok(json!({ "stood": stood }))
}

async fn decide(connection: &Connection, argument: Value, accept: bool) -> Result<Value, RpcError> {
    let HunkArgs { review_id, hunk, applied } = parse(argument)?;
    if applied && accept {
        connection.handle.applied_by_client(review_id.clone(), hunk).await;
        let reviews = connection.handle.reviews().await?;
        let open =
            reviews.iter().find(|review| review.id == review_id).map_or(0, |review| review::open(review));
        return Ok(json!({ "open": open }));
    }
    let decisions = vec![HunkDecision { hunk, accept, new_text: None }];
    let open = connection.handle.decide(review_id, decisions, None).await?;
    Ok(json!({ "open": open }))
}

async fn decide_all(connection: &Connection, argument: Value, accept: bool) -> Result<Value, RpcError> {
    let args: ReviewArgs = parse(argument)?;
    let reviews = match args.review_id {
        Some(id) => vec![id],
        None => connection.handle.reviews().await?.iter().map(|review| review.id.clone()).collect(),
    };
    let mut open = 0;
    for review in reviews {
        let decisions = vec![HunkDecision { hunk: "*".into(), accept, new_text: None }];
        open += connection.handle.decide(review, decisions, None).await?;
    }
    Ok(json!({ "open": open }))
}

async fn step(connection: &Connection, argument: Value, forward: bool) -> Result<Value, RpcError> {
    let args: PlaceArgs = parse(argument)?;
    let reviews = connection.handle.reviews().await?;
    let client = &connection.capabilities;
    let from = args.uri.as_deref().zip(args.position);
    let Some((review, file, hunk)) = actions::step(&reviews, from, forward, client) else {
        return Ok(Value::Null);
    };
    let range = review::range(&file.text, &hunk.range, client.encoding);
    // A client that draws hunks moves its cursor itself.
    if client.show_document && !client.assent.review {
        let params = json!({ "uri": file.uri.as_str(), "takeFocus": true, "selection": range });
        let peer = connection.peer.clone();
        tokio::spawn(async move { peer.request("window/showDocument", params).await });
    }
    Ok(json!({ "uri": file.uri.as_str(), "range": range, "reviewId": review.id, "hunk": hunk.id }))
}
