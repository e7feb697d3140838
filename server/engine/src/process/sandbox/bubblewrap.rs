//! The arguments of `bwrap`: a file system that can be read and not written, the writable folders
//! in it, what is protected in them covered again; its own processes, and no network.

use super::guarded::Guarded;
use super::{Command, Launcher, Profile, Rights, launcher};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The temporary folder inside.
pub(super) const TMP: &str = "/tmp";

/// Everything behind `bwrap`.
pub(super) fn arguments(
    profile: &Profile,
    own: &Launcher,
    command: &Command,
    base: &[(String, String)],
    guarded: &Guarded,
) -> Vec<OsString> {
    let mut line = Line::default();
    line.words(&["--die-with-parent", "--unshare-user-try", "--unshare-ipc", "--unshare-pid"]);
    line.words(&["--unshare-cgroup-try", "--cap-drop", "ALL"]);
    if !profile.network {
        line.words(&["--unshare-net"]);
    }
    line.words(&["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]);
    line.mount("--bind", &profile.scratch, Path::new(TMP));
    line.mount("--bind", &profile.scratch, Path::new("/var/tmp"));
    for path in below_tmp(own, command, base) {
        line.mount("--ro-bind-try", &path, &path);
    }
    for folder in &profile.writable {
        line.mount("--bind-try", folder, folder);
    }
    for path in &guarded.existing {
        line.mount("--ro-bind-try", path, path);
    }
    for path in &guarded.missing {
        line.mount("--ro-bind-try", path, path);
    }
    line.words(&["--chdir"]);
    line.0.push(command.directory.clone().into());
    line.words(&["--"]);
    let mut write = profile.writable.clone();
    write.extend([PathBuf::from(TMP), PathBuf::from("/var/tmp"), PathBuf::from("/proc")]);
    let rights = Rights { write, network: profile.network, alone: false };
    line.0.extend(launcher::arguments(own, &rights, command));
    line.0
}

/// What the command needs and the temporary folder inside would hide.
fn below_tmp(own: &Launcher, command: &Command, base: &[(String, String)]) -> Vec<PathBuf> {
    let values = base.iter().flat_map(|(_, value)| std::env::split_paths(value));
    let all = [own.0.clone(), command.program.clone(), command.directory.clone()].into_iter().chain(values);
    all.filter(|path| path.starts_with(TMP) && path.components().count() > 2).collect()
}

#[derive(Default)]
struct Line(Vec<OsString>);

impl Line {
    fn words(&mut self, words: &[&str]) {
        self.0.extend(words.iter().map(OsString::from));
    }

    fn mount(&mut self, how: &str, from: &Path, to: &Path) {
        self.0.extend([how.into(), from.into(), to.into()]);
    }
}
