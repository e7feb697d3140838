//! One log file, locked while it is open.

use super::{Entry, Header, OpenError, Restored, VERSION};
use crate::event::SessionId;
use parking_lot::Mutex;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open log. The lock is the operating system's, so a killed process leaves none behind; it
/// is held until the last clone is gone.
#[derive(Debug, Clone)]
pub struct Log {
    file: Arc<File>,
    /// Held while a line is written, so that lines stay whole.
    writing: Arc<Mutex<()>>,
    path: PathBuf,
}

impl Log {
    pub(super) fn create(path: &Path, id: SessionId, header: &Header) -> Result<Self, OpenError> {
        let disk = |source| OpenError::Disk { path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        options.create_new(true).append(true);
        let log = Self::locked(options, path, id)?;
        log.write(&line(header).map_err(disk)?).map_err(disk)?;
        Ok(log)
    }

    pub(super) fn open(path: &Path, id: SessionId) -> Result<(Self, Restored), OpenError> {
        let disk = |source| OpenError::Disk { path: path.to_owned(), source };
        if !path.is_file() {
            return Err(OpenError::Unknown(id));
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        let log = Self::locked(options, path, id)?;
        let mut bytes = Vec::new();
        (&*log.file).read_to_end(&mut bytes).map_err(disk)?;
        let (restored, whole) = parse(path, &bytes)?;
        if whole < bytes.len() {
            log.file.set_len(whole as u64).map_err(disk)?;
            (&*log.file).seek(SeekFrom::End(0)).map_err(disk)?;
        }
        Ok((log, restored))
    }

    fn locked(mut options: OpenOptions, path: &Path, id: SessionId) -> Result<Self, OpenError> {
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let disk = |source| OpenError::Disk { path: path.to_owned(), source };
        let file = options.open(path).map_err(disk)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file: Arc::new(file), writing: Arc::default(), path: path.to_owned() }),
            Err(TryLockError::WouldBlock) => Err(OpenError::InUse(id)),
            Err(TryLockError::Error(source)) => Err(disk(source)),
        }
    }

    /// Append one entry; it has reached the operating system when this returns.
    pub async fn append(&self, entry: &Entry) -> io::Result<()> {
        self.append_all(std::slice::from_ref(entry)).await
    }

    /// Append what belongs together in one write.
    pub async fn append_all(&self, entries: &[Entry]) -> io::Result<()> {
        let mut lines = Vec::new();
        for entry in entries {
            lines.extend(line(entry)?);
        }
        let log = self.clone();
        super::blocking(move || log.write(&lines)).await
    }

    /// The same without waiting: for something small that must be in the log before the caller
    /// goes on.
    pub fn append_now(&self, entry: &Entry) -> io::Result<()> {
        self.write(&line(entry)?)
    }

    fn write(&self, line: &[u8]) -> io::Result<()> {
        let _whole = self.writing.lock();
        (&*self.file).write_all(line)
    }

    /// Force what was appended to the disk; at the end of a turn.
    pub async fn sync(&self) -> io::Result<()> {
        let file = Arc::clone(&self.file);
        super::blocking(move || file.sync_data()).await
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Append an entry beside whoever has the log open in this process; where nobody has, open it for
/// this entry alone. The system puts what is written in one piece behind all else.
pub(super) fn append_aside(
    path: &Path,
    id: SessionId,
    open_here: bool,
    entry: &Entry,
) -> Result<(), OpenError> {
    let disk = |source| OpenError::Disk { path: path.to_owned(), source };
    if !open_here {
        return Log::open(path, id)?.0.append_now(entry).map_err(disk);
    }
    match OpenOptions::new().append(true).open(path) {
        Ok(mut file) => line(entry).and_then(|line| file.write_all(&line)).map_err(disk),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(OpenError::Unknown(id)),
        Err(error) => Err(disk(error)),
    }
}

/// Read a log that somebody else may be writing; a torn tail is passed over.
pub(super) fn read(path: &Path, id: &SessionId) -> Result<Restored, OpenError> {
    if !path.is_file() {
        return Err(OpenError::Unknown(id.clone()));
    }
    let bytes = std::fs::read(path).map_err(|source| OpenError::Disk { path: path.to_owned(), source })?;
    Ok(parse(path, &bytes)?.0)
}

/// The entries, and how many bytes at the front are whole lines.
fn parse(path: &Path, bytes: &[u8]) -> Result<(Restored, usize), OpenError> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut lines = bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let broken = |reason: String| OpenError::Broken { path: path.to_owned(), reason };
    let first = lines.next().ok_or_else(|| broken("it is empty".into()))?;
    let header: Header = serde_json::from_slice(first).map_err(|e| broken(format!("its first line: {e}")))?;
    if header.version > VERSION {
        return Err(broken(format!("it was written by a newer Assent (format {})", header.version)));
    }
    let mut entries = Vec::new();
    let mut unreadable = 0;
    for line in lines {
        match serde_json::from_slice(line) {
            Ok(entry) => entries.push(entry),
            Err(_) => unreadable += 1,
        }
    }
    let notice = notice(path, whole < bytes.len(), unreadable);
    Ok((Restored { header, entries, notice }, whole))
}

fn notice(path: &Path, torn: bool, unreadable: usize) -> Option<String> {
    let what = match (torn, unreadable) {
        (false, 0) => return None,
        (true, 0) => "its last line was cut off, probably by a crash".to_owned(),
        (_, n) => format!("{n} of its lines can't be read"),
    };
    Some(format!(
        "The log of this session is damaged: {what}. Everything else was restored ({}).",
        path.display()
    ))
}

fn line(value: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}
