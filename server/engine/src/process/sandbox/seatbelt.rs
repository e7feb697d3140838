//! The profile of macOS's `sandbox-exec`: everything may be read, the writable folders written,
//! what is protected in them neither written nor moved away.

use super::guarded::Guarded;
use super::{Command, Profile};
use std::ffi::OsString;
use std::path::Path;

/// Where macOS has it.
#[cfg_attr(not(target_os = "macos"), allow(dead_code))]
pub(super) const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// Everything behind `sandbox-exec`.
#[cfg_attr(not(target_os = "macos"), allow(dead_code))]
pub(super) fn arguments(profile: &Profile, command: &Command, guarded: &Guarded) -> Vec<OsString> {
    let mut words = vec!["-p".into(), rules(profile, guarded).into(), command.program.clone().into()];
    words.extend(command.arguments.iter().map(OsString::from));
    words
}

/// The rules; of several that match, the last counts.
pub(super) fn rules(profile: &Profile, guarded: &Guarded) -> String {
    let mut rules = String::from("(version 1)\n(allow default)\n(deny file-write*)\n");
    for device in ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"] {
        rules.push_str(&format!("(allow file-write* (literal {}))\n", quoted(Path::new(device))));
    }
    for folder in profile.writable.iter().chain([&profile.scratch]) {
        rules.push_str(&format!("(allow file-write* (subpath {}))\n", quoted(folder)));
    }
    for path in guarded.existing.iter().chain(&guarded.missing) {
        rules.push_str(&format!("(deny file-write* (subpath {}))\n", quoted(path)));
        // A folder above it that is moved away would take it along.
        let above = path.ancestors().skip(1);
        for folder in above.take_while(|folder| profile.writable.iter().any(|root| folder.starts_with(root)))
        {
            rules.push_str(&format!("(deny file-write-unlink (literal {}))\n", quoted(folder)));
        }
    }
    if !profile.network {
        rules.push_str("(deny network*)\n");
    }
    rules.push_str("(deny process-info* (target others))\n(deny signal (target others))\n");
    rules.push_str("(allow signal (target same-sandbox))\n");
    rules
}

fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\""))
}
