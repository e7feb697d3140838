//! Carrying an edit out. An open document is changed by the editor alone. A closed file goes
//! through the editor too where it can save; where it can't, the server writes the file itself,
//! in one atomic step, and only over the text that was reviewed.

use crate::documents::{self, DocumentsReader, Snapshot};
use crate::editor::{Applied, DocumentChange, DocumentEdit, Editor};
use crate::event::SessionId;
use crate::limits;
use assent_base::text::{Charset, Format};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::time::timeout;

/// Carry one edit out and report what is known of it. For a closed file `Applied::Yes` means
/// that the disk was looked at and agrees.
///
/// `place` is where the file was when the call was judged: a path that leads elsewhere by now, by a
/// link that was put there meanwhile, is not what was reviewed.
pub async fn apply(
    editor: Arc<dyn Editor>,
    documents: DocumentsReader,
    edit: DocumentEdit,
    place: Option<PathBuf>,
) -> Applied {
    if let (Some(path), Some(place)) = (edit.uri.to_path(), place)
        && documents::real_path(&path).await.as_ref() != Some(&place)
    {
        let reason = "the path leads elsewhere than when the edit was judged".to_owned();
        return Applied::No { reason: Some(reason) };
    }
    if let Some(open) = documents.get(&edit.uri) {
        return match &edit.change {
            DocumentChange::Delete { old_text } if open.text != *old_text => {
                Applied::No { reason: Some("its text changed after the proposal was made".into()) }
            }
            DocumentChange::Delete { .. } => delete_open(&*editor, edit).await,
            _ => ask_editor(&*editor, edit).await,
        };
    }
    let abilities = editor.abilities();
    let Some(path) = edit.uri.to_path() else { return ask_editor(&*editor, edit).await };
    let before = match unchanged(&documents, &*editor, &edit.session, &path, &edit.change).await {
        Ok(before) => before,
        Err(reason) => return Applied::No { reason: Some(reason) },
    };
    // An editor may guess another encoding than the one the file is in; we know it.
    let plain = before.as_ref().is_none_or(|file| !file.format.bom && file.format.charset == Charset::UTF_8);
    let able = match &edit.change {
        DocumentChange::Delete { .. } => abilities.deletes,
        _ => abilities.saves,
    };
    if abilities.applies_edits && able && plain {
        through_editor(&*editor, &documents, edit, &path).await
    } else {
        write(&path, &edit.change, before.as_deref()).await
    }
}

async fn ask_editor(editor: &dyn Editor, edit: DocumentEdit) -> Applied {
    timeout(limits::APPLY_TIME, editor.apply(edit)).await.unwrap_or(Applied::Silent)
}

/// The file as it is, if it still is what was reviewed.
async fn unchanged(
    documents: &DocumentsReader,
    editor: &dyn Editor,
    session: &SessionId,
    path: &Path,
    change: &DocumentChange,
) -> Result<Option<Arc<Snapshot>>, String> {
    match change {
        DocumentChange::Create { .. } if tokio::fs::symlink_metadata(path).await.is_ok() => {
            Err("a file of that name appeared meanwhile".into())
        }
        DocumentChange::Create { .. } => Ok(None),
        DocumentChange::Edit { old_text, .. } | DocumentChange::Delete { old_text } => {
            let now = documents::load(documents, editor, session, path)
                .await
                .map_err(|problem| problem.to_string())?;
            if now.text == *old_text {
                Ok(Some(now))
            } else {
                Err("the file changed on disk after the proposal was made".into())
            }
        }
        DocumentChange::Rename { .. } => documents::load(documents, editor, session, path)
            .await
            .map(Some)
            .map_err(|problem| problem.to_string()),
    }
}

/// An open document is its buffer, so its editor deletes it; that the file is gone, the disk says.
async fn delete_open(editor: &dyn Editor, edit: DocumentEdit) -> Applied {
    let path = edit.uri.to_path();
    let claimed = ask_editor(editor, edit).await;
    let still_there = match path {
        Some(path) => tokio::fs::symlink_metadata(path).await.is_ok(),
        None => false,
    };
    match claimed {
        Applied::Yes if still_there => {
            Applied::Failed("the editor said yes, but the file is still there".into())
        }
        claimed => claimed,
    }
}

async fn through_editor(
    editor: &dyn Editor,
    documents: &DocumentsReader,
    edit: DocumentEdit,
    path: &Path,
) -> Applied {
    let (session, uri, change) = (edit.session.clone(), edit.uri.clone(), edit.change.clone());
    let claimed = ask_editor(editor, edit).await;
    if claimed != Applied::Yes {
        return claimed;
    }
    // Not told apart from "could not": the disk is looked at in either case.
    if !matches!(change, DocumentChange::Delete { .. }) {
        let _ = timeout(limits::APPLY_TIME, editor.save(vec![uri.clone()])).await;
    }
    match as_expected(editor, documents, &session, path, &change).await {
        true => Applied::Yes,
        false => Applied::Failed("the editor said yes, but the file is not as it should be".into()),
    }
}

/// Whether the file, or the document that the editor has for it, is as it should be.
async fn as_expected(
    editor: &dyn Editor,
    documents: &DocumentsReader,
    session: &SessionId,
    path: &Path,
    change: &DocumentChange,
) -> bool {
    let expected = match change {
        DocumentChange::Create { text } => ropey::Rope::from_str(text),
        DocumentChange::Edit { edits, old_text } => {
            let mut text = old_text.clone();
            match assent_base::edit::EditSet::new(old_text.len_bytes(), edits.clone()) {
                Ok(set) if set.apply_rope(&mut text).is_ok() => text,
                _ => return false,
            }
        }
        DocumentChange::Delete { .. } => return tokio::fs::symlink_metadata(path).await.is_err(),
        DocumentChange::Rename { to } => {
            return match to.to_path() {
                Some(to) => tokio::fs::symlink_metadata(to).await.is_ok(),
                None => false,
            };
        }
    };
    if documents::load_disk(path).await.is_ok_and(|disk| disk.text == expected) {
        return true;
    }
    // The editor may have opened it for the edit, or keep the text for its user to save.
    documents::load(documents, editor, session, path).await.is_ok_and(|kept| kept.text == expected)
}

async fn write(path: &Path, change: &DocumentChange, before: Option<&Snapshot>) -> Applied {
    let done = match change {
        DocumentChange::Create { text } => create(path, text).await,
        DocumentChange::Edit { edits, old_text } => {
            let Some(before) = before else { return Applied::Failed("the file is gone".into()) };
            let mut text = old_text.clone();
            match assent_base::edit::EditSet::new(old_text.len_bytes(), edits.clone()) {
                Ok(set) if set.apply_rope(&mut text).is_ok() => {}
                _ => return Applied::Failed("the edit does not fit the text it was made for".into()),
            }
            documents::write_atomic(path, &text, &before.format).await
        }
        DocumentChange::Delete { .. } => remove(path.to_owned()).await,
        DocumentChange::Rename { to } => match to.to_path() {
            Some(to) => rename(path.to_owned(), to).await,
            None => return Applied::Failed("the new name is no file".into()),
        },
    };
    match done {
        Ok(()) => Applied::Yes,
        Err(problem) => Applied::Failed(format!("{}: {problem}", path.display())),
    }
}

/// Never over an existing file.
async fn create(path: &Path, text: &str) -> std::io::Result<()> {
    if tokio::fs::symlink_metadata(path).await.is_ok() {
        return Err(std::io::Error::new(std::io::ErrorKind::AlreadyExists, "a file of that name is there"));
    }
    documents::write_atomic(path, &ropey::Rope::from_str(text), &Format::of_text(text)).await
}

async fn remove(path: PathBuf) -> std::io::Result<()> {
    tokio::fs::remove_file(path).await
}

/// Never over an existing file.
async fn rename(from: PathBuf, to: PathBuf) -> std::io::Result<()> {
    if tokio::fs::symlink_metadata(&to).await.is_ok() {
        return Err(std::io::Error::new(std::io::ErrorKind::AlreadyExists, "a file of that name is there"));
    }
    tokio::fs::rename(from, to).await
}
