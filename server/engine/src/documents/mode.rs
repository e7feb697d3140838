//! The mode bits of a file: looked at, and changed only from what was looked at, on the very file
//! that a path without links leads to.

use std::path::Path;

/// The bits of a regular file, or why there are none, in words for the model.
pub async fn mode_of(path: &Path) -> Result<u32, String> {
    let path = path.to_owned();
    blocking(move || open(&path).map(|(_, mode)| mode)).await
}

/// Set the bits of a regular file that has the bits `from`.
pub async fn change_mode(path: &Path, from: u32, to: u32) -> Result<(), String> {
    let path = path.to_owned();
    blocking(move || {
        let (file, now) = open(&path)?;
        if now != from {
            return Err(format!("{} has mode {now:04o} by now, not {from:04o}.", path.display()));
        }
        if soft_canonicalize::soft_canonicalize(&path).ok().as_ref() != Some(&path) {
            return Err(format!("{} leads elsewhere than when it was judged.", path.display()));
        }
        set(&file, to).map_err(|error| format!("The mode of {} can't be changed: {error}.", path.display()))
    })
    .await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let worked = tokio::task::spawn_blocking(work).await;
    worked.unwrap_or_else(|error| Err(format!("The mode could not be looked at: {error}.")))
}

/// The file itself and its bits; a link is not followed, a pipe not waited for.
#[cfg(unix)]
fn open(path: &Path) -> Result<(std::fs::File, u32), String> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let opened = std::fs::OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
    let file = opened.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("{} does not exist.", path.display()),
        _ => format!("{} can't be opened: {error}.", path.display()),
    })?;
    let data = file.metadata().map_err(|error| format!("{} can't be looked at: {error}.", path.display()))?;
    if !data.is_file() {
        return Err(format!("{} is not a regular file; only those get another mode.", path.display()));
    }
    Ok((file, data.permissions().mode() & 0o7777))
}

#[cfg(unix)]
fn set(file: &std::fs::File, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<(std::fs::File, u32), String> {
    Err(format!("{} has no mode bits: this system does not know them.", path.display()))
}

#[cfg(not(unix))]
fn set(_: &std::fs::File, _: u32) -> std::io::Result<()> {
    Ok(())
}
