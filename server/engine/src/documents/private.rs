//! Files of our own that only the user may read: long outputs of a session.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Keep a text in a new file of mode 0600, in a folder of mode 0700.
pub async fn keep_private(path: PathBuf, text: String) -> io::Result<()> {
    tokio::task::spawn_blocking(move || keep(&path, &text)).await.map_err(io::Error::other)?
}

fn keep(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(text.as_bytes())
}
