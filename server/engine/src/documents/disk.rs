//! The text of any document, open or not, and the one way in which a file is written.
//!
//! What a file is, its bytes say, never its name. Only regular files are opened, so a pipe or a
//! device can't hang a tool. All of it runs off the async threads.

use super::{DocumentsReader, Snapshot};
use crate::editor::Editor;
use crate::event::SessionId;
use crate::limits;
use assent_base::path::DocumentUri;
use assent_base::text::{self, Decoded, Format, NotText};
use ropey::Rope;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An image file, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// By its first bytes: `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub media_type: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What a path holds.
#[derive(Debug, Clone)]
pub enum Loaded {
    /// A text.
    Text(Arc<Snapshot>),
    /// An image.
    Image(Image),
}

/// Why there is no text, in words for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// Nothing there.
    #[error("{0} does not exist.")]
    NotFound(String),
    /// A directory.
    #[error("{0} is a directory. Use ls to list it.")]
    Directory(String),
    /// A pipe, a socket, a device.
    #[error("{0} is not a regular file, so it can't be read.")]
    NotRegular(String),
    /// Over the limit.
    #[error(
        "{path} has {bytes} bytes, more than the limit of {}. Use grep or a command to look at parts of it.",
        limits::FILE_BYTES
    )]
    TooLarge {
        /// Which.
        path: String,
        /// Its size.
        bytes: u64,
    },
    /// Neither text nor, where one is wanted, an image.
    #[error("{0} holds binary data, not text.")]
    Binary(String),
    /// An open document with a URI that is no file is not open any more.
    #[error("{0} is not open in the editor and is no file.")]
    NotOpen(String),
    /// Anything else.
    #[error("{path} can't be read: {reason}.")]
    Io {
        /// Which.
        path: String,
        /// Why.
        reason: String,
    },
}

/// The text at an absolute path: the open document's, whatever spelling or link leads to it; else
/// what the editor tells; else the disk's.
pub async fn load(
    reader: &DocumentsReader,
    editor: &dyn Editor,
    session: &SessionId,
    path: &Path,
) -> Result<Arc<Snapshot>, LoadError> {
    match load_any(reader, editor, session, path).await? {
        Loaded::Text(snapshot) => Ok(snapshot),
        Loaded::Image(_) => Err(LoadError::Binary(path.display().to_string())),
    }
}

/// The text of a document, open or a file.
pub async fn load_uri(
    reader: &DocumentsReader,
    editor: &dyn Editor,
    session: &SessionId,
    uri: &DocumentUri,
) -> Result<Arc<Snapshot>, LoadError> {
    if let Some(snapshot) = reader.get(uri) {
        return Ok(snapshot);
    }
    match uri.to_path() {
        Some(path) => load(reader, editor, session, &path).await,
        None => Err(LoadError::NotOpen(uri.as_str().to_owned())),
    }
}

/// The same as [`load`], and images too.
pub async fn load_any(
    reader: &DocumentsReader,
    editor: &dyn Editor,
    session: &SessionId,
    path: &Path,
) -> Result<Loaded, LoadError> {
    let uri = DocumentUri::from_path(path);
    if let Some(snapshot) = reader.get(&uri) {
        return Ok(Loaded::Text(snapshot));
    }
    let (open, wanted) = (reader.all(), path.to_owned());
    let found = blocking(path, move || find_on_disk(&open, &wanted)).await?;
    let (bytes, on_disk) = match found {
        Found::Open(snapshot) => return Ok(Loaded::Text(snapshot)),
        Found::Image(image) => return Ok(Loaded::Image(image)),
        Found::Text(text, format) => (Some((text, format)), None),
        Found::Not(error) => (None, Some(error)),
    };
    // A client that keeps files itself (ACP) may know a newer text, or one that no disk has.
    let told = editor.read(session, &uri).await;
    let (text, format, dirty) = match (told, bytes) {
        (Some(told), Some((text, format))) => {
            let dirty = told != text;
            (told, format, dirty)
        }
        (Some(told), None) => {
            let format = Format::of_text(&told);
            (told, format, true)
        }
        (None, Some((text, format))) => (text, format, false),
        (None, None) => {
            return Err(on_disk.unwrap_or_else(|| LoadError::NotFound(path.display().to_string())));
        }
    };
    let text = Rope::from(text);
    Ok(Loaded::Text(Arc::new(Snapshot { uri, language: "".into(), version: None, text, dirty, format })))
}

/// The text that the disk has at a path, whoever has it open.
pub async fn load_disk(path: &Path) -> Result<Arc<Snapshot>, LoadError> {
    let wanted = path.to_owned();
    match blocking(path, move || find_on_disk(&[], &wanted)).await? {
        Found::Text(text, format) => {
            let (uri, text) = (DocumentUri::from_path(path), Rope::from(text));
            Ok(Arc::new(Snapshot { uri, language: "".into(), version: None, text, dirty: false, format }))
        }
        Found::Open(snapshot) => Ok(snapshot),
        Found::Image(_) => Err(LoadError::Binary(path.display().to_string())),
        Found::Not(problem) => Err(problem),
    }
}

/// A range of the bytes that the disk has at a path, and how many there are in all.
pub async fn load_part(path: &Path, offset: u64, most: u64) -> Result<(Vec<u8>, u64), LoadError> {
    let wanted = path.to_owned();
    blocking(path, move || read_part(&wanted, offset, most)).await
}

/// Whether an open document's text differs from what the disk has. A document may have been
/// unsaved before it was opened here, and an undo may have brought it back to the saved text, so
/// only looking tells.
pub async fn has_unsaved_changes(snapshot: &Snapshot) -> bool {
    let Some(path) = snapshot.uri.to_path() else { return true };
    let shown = path.clone();
    match blocking(&shown, move || read_bytes(&path)).await {
        Ok(bytes) => !text::decode(&bytes).is_ok_and(|on_disk| snapshot.text == on_disk.text),
        Err(_) => true,
    }
}

/// Write a file in one step: a new file beside it takes its place, so that whoever reads sees the
/// old bytes or the new ones, and a full disk leaves the old ones. Goes through links to what
/// they point at; keeps the mode and, with `format`, byte order mark and charset. Folders that
/// are missing are made. Line ends are written as the text has them.
pub async fn write_atomic(path: &Path, text: &Rope, format: &Format) -> io::Result<()> {
    let (path, text, format) = (path.to_owned(), text.clone(), *format);
    tokio::task::spawn_blocking(move || {
        let bytes = text::encode(&text.to_string(), &format)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
        replace_file(&path, &bytes).map_err(|error| explain_write(&path, &error))
    })
    .await
    .map_err(io::Error::other)?
}

enum Found {
    Open(Arc<Snapshot>),
    Image(Image),
    Text(String, Format),
    /// Nothing there, which another source may make up for.
    Not(LoadError),
}

fn find_on_disk(open: &[Arc<Snapshot>], path: &Path) -> Result<Found, LoadError> {
    let canonical = canonical(path);
    let same = open.iter().find(|snapshot| {
        snapshot.uri.to_path().is_some_and(|open| open == path || self::canonical(&open) == canonical)
    });
    if let Some(snapshot) = same {
        return Ok(Found::Open(snapshot.clone()));
    }
    let bytes = match read_bytes(path) {
        Ok(bytes) => bytes,
        Err(error @ LoadError::NotFound(_)) => return Ok(Found::Not(error)),
        Err(error) => return Err(error),
    };
    if let Some(media_type) = image_type(&bytes) {
        return Ok(Found::Image(Image { media_type, bytes }));
    }
    match text::decode(&bytes) {
        Ok(Decoded { text, format }) => Ok(Found::Text(text, format)),
        Err(NotText::Binary) => Err(LoadError::Binary(path.display().to_string())),
        Err(problem @ NotText::UnknownEncoding) => {
            Err(LoadError::Io { path: path.display().to_string(), reason: problem.to_string() })
        }
    }
}

fn canonical(path: &Path) -> PathBuf {
    soft_canonicalize::soft_canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The bytes of a regular file within the size limit.
fn read_bytes(path: &Path) -> Result<Vec<u8>, LoadError> {
    let shown = || path.display().to_string();
    let failed = |error: io::Error| failed(path, &error);
    check_regular(&std::fs::metadata(path).map_err(failed)?, &shown())?;
    let mut file = open_without_waiting(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    check_regular(&metadata, &shown())?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    // The size may lie (`/proc`) or change while we read, so the limit is held while reading too.
    (&mut file).take(limits::FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limits::FILE_BYTES {
        return Err(LoadError::TooLarge { path: shown(), bytes: bytes.len() as u64 });
    }
    Ok(bytes)
}

/// Unlike a whole file, a part may be of one of any size.
fn read_part(path: &Path, offset: u64, most: u64) -> Result<(Vec<u8>, u64), LoadError> {
    let failed = |error: io::Error| failed(path, &error);
    let shown = path.display().to_string();
    let mut file = open_without_waiting(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    match check_regular(&metadata, &shown) {
        Ok(()) | Err(LoadError::TooLarge { .. }) => {}
        Err(problem) => return Err(problem),
    }
    file.seek(io::SeekFrom::Start(offset)).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    Ok((bytes, metadata.len()))
}

fn failed(path: &Path, error: &io::Error) -> LoadError {
    let shown = path.display().to_string();
    match error.kind() {
        // A component that is a file: there is nothing below it either.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => LoadError::NotFound(shown),
        _ => LoadError::Io { path: shown, reason: error.to_string() },
    }
}

fn check_regular(metadata: &Metadata, shown: &str) -> Result<(), LoadError> {
    if metadata.is_dir() {
        Err(LoadError::Directory(shown.to_owned()))
    } else if !metadata.is_file() {
        Err(LoadError::NotRegular(shown.to_owned()))
    } else if metadata.len() > limits::FILE_BYTES {
        Err(LoadError::TooLarge { path: shown.to_owned(), bytes: metadata.len() })
    } else {
        Ok(())
    }
}

/// A path that became a pipe since it was looked at must not hang us.
fn open_without_waiting(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}

/// The media type that the first bytes tell.
fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = soft_canonicalize::soft_canonicalize(path)?;
    let old = match std::fs::metadata(&target) {
        Ok(metadata) if !metadata.is_file() => return Err(io::Error::other("it is not a regular file")),
        Ok(metadata) if metadata.permissions().readonly() => {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
        }
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let folder = target.parent().ok_or_else(|| io::Error::other("it has no folder"))?;
    std::fs::create_dir_all(folder)?;
    // Dropped, it is deleted: no path out of here leaves a temporary file.
    let mut file = temporary_file(folder)?;
    file.write_all(bytes)?;
    if let Some(old) = old {
        keep_owner(file.as_file(), &old);
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// Made with the mode that any new file gets, instead of a private one.
fn temporary_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".assent-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Only root may give a file away; for everybody else the file is theirs already.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::MetadataExt;
    let (user, group) = (rustix::fs::Uid::from_raw(old.uid()), rustix::fs::Gid::from_raw(old.gid()));
    let _ = rustix::fs::fchown(file, Some(user), Some(group));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

fn explain_write(path: &Path, error: &io::Error) -> io::Error {
    let reason = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "the disk is full; the file is as it was before".to_owned()
        }
        _ => error.to_string(),
    };
    io::Error::new(error.kind(), format!("{} can't be written: {reason}.", path.display()))
}

async fn blocking<T: Send + 'static>(
    path: &Path,
    work: impl FnOnce() -> Result<T, LoadError> + Send + 'static,
) -> Result<T, LoadError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(LoadError::Io { path: path.display().to_string(), reason: error.to_string() }),
    }
}
