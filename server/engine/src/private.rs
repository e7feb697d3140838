//! Files and folders that only the user may read or change.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Make a folder, and those above it, that only the user can look into.
pub fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Keep a text in a new file of mode 0600, in a folder of mode 0700.
pub async fn keep_private(path: PathBuf, text: String) -> io::Result<()> {
    let keep = move || {
        path.parent().map_or(Ok(()), private_folder)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)?.write_all(text.as_bytes())
    };
    tokio::task::spawn_blocking(keep).await.map_err(io::Error::other)?
}

/// Put a file of mode 0600 in the place of another in one step.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().ok_or_else(|| io::Error::other("there is no folder for it"))?;
    private_folder(folder)?;
    // A temporary file of this kind is made 0600.
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.persist(path)?;
    Ok(())
}

/// Open a file that has to be the user's alone: no link, no other owner, nobody else's to read.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NOFOLLOW.bits().try_into().unwrap_or_default(),
    );
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let data = file.metadata()?;
        if data.uid() != rustix::process::geteuid().as_raw() {
            return Err(io::Error::other("it belongs to another user"));
        }
        if data.mode() & 0o077 != 0 {
            return Err(io::Error::other(
                "other users can read it; `chmod 600` it, and change what is in it",
            ));
        }
    }
    Ok(file)
}
