//! Who else could have written a file.

use std::fs::Metadata;

/// Whether a file or folder of the user's own configuration is the user's: not another user's (but
/// for root's), and not writable by others. A group of the user's alone, which many systems give
/// to each user by the user's own number, is no other.
pub fn nobody_else_can_write(data: &Metadata) -> Result<(), String> {
    refuse(data, true)
}

/// The same for what we write ourselves, where no group has any business.
pub(super) fn only_ours(data: &Metadata) -> Result<(), String> {
    refuse(data, false)
}

#[cfg(unix)]
fn refuse(data: &Metadata, own_group: bool) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    let me = rustix::process::geteuid().as_raw();
    if data.uid() != me && !(own_group && data.uid() == 0) {
        let owner = data.uid();
        return Err(format!(
            "belongs to another user (number {owner}), who could change it; `chown` it to you"
        ));
    }
    let private_group = own_group && data.gid() == data.uid();
    let others = if private_group { 0o002 } else { 0o022 };
    // In a sticky folder nobody replaces what is another's.
    let sticky = data.is_dir() && data.mode() & 0o1000 != 0;
    if data.mode() & others != 0 && !sticky {
        let mode = data.mode() & 0o777;
        return Err(format!("can be changed by other users (mode {mode:03o}); `chmod go-w` it"));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse(_: &Metadata, _: bool) -> Result<(), String> {
    Ok(())
}
