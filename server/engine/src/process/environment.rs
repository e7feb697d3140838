//! What a child gets to know of our environment: an allow list, so that no key and no variable
//! that makes a program run another one ever gets through. The user may let more pass by name
//! (`commands.env`), but never what turns a program into another one.

/// Names that pass as they are. Places of toolchains are among them; nothing that holds a secret
/// or that a program takes code or options from.
const ALLOWED: &[&str] = &[
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TMPDIR",
    "TZ",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_ADDRESS",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_IDENTIFICATION",
    "LC_MEASUREMENT",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NAME",
    "LC_NUMERIC",
    "LC_PAPER",
    "LC_TELEPHONE",
    "LC_TIME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_DIRS",
    "XDG_DATA_DIRS",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "GOPATH",
    "GOROOT",
    "GOCACHE",
    "JAVA_HOME",
    "ANDROID_HOME",
    "NVM_DIR",
    "VOLTA_HOME",
    "PNPM_HOME",
    "BUN_INSTALL",
    "DENO_DIR",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    // Windows programs do not start without these.
    "SystemRoot",
    "SystemDrive",
    "ComSpec",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "USERNAME",
    "APPDATA",
    "LOCALAPPDATA",
    "ProgramData",
    "ProgramFiles",
    "NUMBER_OF_PROCESSORS",
];

/// The variables a child starts with.
pub(super) fn allowed(variable: &dyn Fn(&str) -> Option<String>) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        ALLOWED.iter().filter_map(|name| variable(name).map(|value| ((*name).to_owned(), value))).collect();
    if let Some(path) = variable("PATH") {
        all.push(("PATH".to_owned(), absolute_entries(&path)));
    }
    // There is no terminal: programs need not try to colour or to page.
    all.push(("TERM".to_owned(), "dumb".to_owned()));
    all
}

/// A relative entry would let the project's folder provide programs, and an empty one is one.
fn absolute_entries(path: &str) -> String {
    let absolute = std::env::split_paths(path).filter(|entry| entry.is_absolute());
    std::env::join_paths(absolute).map(|joined| joined.to_string_lossy().into_owned()).unwrap_or_default()
}
