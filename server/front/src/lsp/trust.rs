//! Trust in the workspace folders: shown and given by command, never asked for by us, and told to
//! clients that draw it.

use super::connection::Connection;
use super::plain;
use crate::conversation::{RpcError, parse};
use crate::protocol::commands::TrustArgs;
use crate::protocol::{TRUST_UPDATED, TrustItem, TrustShown, TrustUpdated};
use assent_base::path::DocumentUri;
use assent_engine::trust::{self, Shown, Standing, State, Trust};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a client was told of each folder; before the first time, what it need not be told.
pub type Told = BTreeMap<PathBuf, TrustUpdated>;

/// `assent.trustWorkspace`. Without a digest nothing is changed: a client of ours shows the answer and
/// comes back with its digest; any other is asked, since its user ran the command.
pub async fn show(connection: &Connection, argument: Value) -> Result<Value, RpcError> {
    let TrustArgs { folder, digest } = parse(argument)?;
    let (trust, folder) = (connection.trust(), named(connection, folder)?);
    let shown = look(&trust, &folder).await?;
    let Some(digest) = digest else {
        if connection.capabilities.plain() && shown.state != State::Trusted {
            ask(connection, trust, shown.clone());
        }
        return Ok(json!(wire(&shown)));
    };
    if digest != shown.digest() {
        return Err(RpcError::invalid_request(
            "The workspace has changed since it was shown, so nothing was approved. Look at it again.",
        ));
    }
    let approved = shown.clone();
    blocking({
        let trust = trust.clone();
        move || trust.approve(&approved)
    })
    .await?;
    connection.trust_touched().await;
    Ok(json!(wire(&look(&trust, &folder).await?)))
}

/// `assent.untrustWorkspace`.
pub async fn revoke(connection: &Connection, argument: Value) -> Result<Value, RpcError> {
    let TrustArgs { folder, digest: _ } = parse(argument)?;
    let (trust, folder) = (connection.trust(), named(connection, folder)?);
    let updated = blocking(move || {
        trust.revoke(&folder)?;
        Ok(stands(&trust, &folder).0)
    });
    let updated = updated.await?;
    connection.trust_touched().await;
    Ok(json!(updated))
}

/// Tell a client of ours where its folders stand, as far as it does not know: for the first time only
/// where something of the project's is there.
pub async fn tell(connection: &Connection, told: &mut Told) {
    if connection.capabilities.plain() {
        return;
    }
    let (trust, folders) = (connection.trust(), connection.folders.lock().clone());
    let look =
        move || folders.into_iter().map(|folder| (stands(&trust, &folder), folder)).collect::<Vec<_>>();
    let Ok(found) = tokio::task::spawn_blocking(look).await else { return };
    let mut now = Told::new();
    for ((updated, worth_telling), folder) in found {
        let news = told.remove(&folder).map_or(worth_telling, |before| before != updated);
        if news {
            connection.peer.notify(TRUST_UPDATED, json!(updated)).await;
        }
        now.insert(folder, updated);
    }
    *told = now;
}

/// Where a folder stands, and whether there is something in it that trust is about. Of a folder that
/// is not trusted only names are looked at.
fn stands(trust: &Trust, folder: &Path) -> (TrustUpdated, bool) {
    let files = trust::project_files(folder).len();
    let (state, pending, something) = match trust.of(folder) {
        Standing::Untrusted(_) => (State::Untrusted, files, files > 0),
        Standing::Trusted(_) => match Shown::look(trust, folder) {
            Ok(shown) => (shown.state, shown.pending(), !shown.items.is_empty()),
            Err(_) => (State::Untrusted, files, files > 0),
        },
    };
    let updated =
        TrustUpdated { folder: folder.display().to_string(), state: state.name().to_owned(), pending };
    (updated, something)
}

/// Ask a client without a plugin, whose user ran the command. Nobody waits for the answer here.
fn ask(connection: &Connection, trust: Trust, shown: Shown) {
    const YES: &str = "Trust";
    let (peer, client) = (connection.peer.clone(), Arc::clone(&connection.capabilities));
    let state = connection.environment.state.clone();
    let (handle, settings_touched) = (connection.handle.clone(), Arc::clone(&connection.settings_touched));
    tokio::spawn(async move {
        let message = format!("Assent: Trust this folder?\n{}", trust::summary(&shown));
        let whole = plain::show_long(&peer, &client, &state, "trust", &message);
        let chosen = plain::request(&peer, &message, &[YES, "Don't trust"]).await;
        drop(whole);
        if chosen.as_deref() != Some(YES) {
            return;
        }
        let words = match blocking(move || trust.approve(&shown)).await {
            Ok(()) => "Assent: the folder is trusted. It counts with the next prompt.".to_owned(),
            Err(problem) => format!("Assent: {}", problem.message),
        };
        peer.notify("window/showMessage", json!({ "type": 3, "message": words })).await;
        handle.tools_changed().await;
        settings_touched.notify_one();
    });
}

/// The folder that a client names, which must be one of the workspace.
fn named(connection: &Connection, folder: Option<String>) -> Result<PathBuf, RpcError> {
    let folders = connection.folders.lock().clone();
    let Some(name) = folder else {
        let first = folders.into_iter().next();
        return first.ok_or_else(|| RpcError::invalid_request("No folder is open. Open one and try again."));
    };
    let path = DocumentUri::new(&name).to_path().unwrap_or_else(|| PathBuf::from(&name));
    let same = |folder: &PathBuf| *folder == path || folder.canonicalize().is_ok_and(|folder| folder == path);
    folders.into_iter().find(same).ok_or_else(|| {
        RpcError::invalid_params(format!("{} is no folder of this workspace.", path.display()))
    })
}

async fn look(trust: &Trust, folder: &Path) -> Result<Shown, RpcError> {
    let (trust, folder) = (trust.clone(), folder.to_owned());
    blocking(move || {
        Shown::look(&trust, &folder)
            .map_err(|error| format!("{} can't be looked at: {error}.", folder.display()))
    })
    .await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, RpcError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err("The look at the workspace failed by a fault of Assent's own.".into()))
        .map_err(RpcError::failed)
}

fn wire(shown: &Shown) -> TrustShown {
    let items = shown.items.iter().map(|item| TrustItem {
        kind: item.kind.name().to_owned(),
        name: item.name.clone(),
        path: item.path.display().to_string(),
        detail: item.detail.clone(),
        state: item.state.name().to_owned(),
    });
    TrustShown {
        folder: shown.folder.display().to_string(),
        state: shown.state.name().to_owned(),
        items: items.collect(),
        summary: trust::summary(shown),
        digest: shown.digest(),
    }
}
