//! A throw-away workspace: a project folder, and beside it a home, a configuration and a state
//! folder, so that nothing of the machine's user is read or written.

use crate::model_server::{Dialect, KEY, ModelServer};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The folders of one test.
pub struct Workspace {
    folder: TempDir,
    root: PathBuf,
    variables: RefCell<Vec<(String, String)>>,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workspace {
    /// An empty project.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("assent-test-").tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        for name in ["ws", "home", "config", "state"] {
            std::fs::create_dir(base.join(name)).unwrap();
        }
        Self { root: base.join("ws"), folder, variables: RefCell::default() }
    }

    /// A project with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let workspace = Self::new();
        for (path, text) in files {
            workspace.write(path, text);
        }
        workspace
    }

    /// A project with these files, and `assent.yaml` of the user pointing at a model server.
    pub fn with_model(model: &ModelServer, files: &[(&str, &str)]) -> Self {
        let workspace = Self::with(files);
        workspace.use_model(model, Dialect::Chat);
        workspace
    }

    /// Write a file of the project, with its folders.
    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
        self
    }

    /// Make a symbolic link in the project.
    #[cfg(unix)]
    pub fn link(&self, path: &str, target: &str) -> &Self {
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
        self
    }

    /// Set the mode bits of a file.
    #[cfg(unix)]
    pub fn mode(&self, path: &str, mode: u32) -> &Self {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(self.path(path), std::fs::Permissions::from_mode(mode)).unwrap();
        self
    }

    /// The project folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder around the project, home, configuration and state.
    pub fn outside(&self) -> &Path {
        self.root.parent().unwrap_or(self.folder.path())
    }

    /// A path of the project; an absolute one stays as it is.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// The URI of a path of the project.
    pub fn uri(&self, path: &str) -> String {
        uri(&self.path(path))
    }

    /// The bytes of a file.
    #[track_caller]
    pub fn bytes(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The text of a file.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }

    /// Whether a path exists; a dangling link does.
    pub fn exists(&self, path: &str) -> bool {
        self.path(path).symlink_metadata().is_ok()
    }

    /// The user's configuration folder.
    pub fn config_folder(&self) -> PathBuf {
        self.outside().join("config")
    }

    /// The state folder: sessions, logs, trust.
    pub fn state_folder(&self) -> PathBuf {
        self.outside().join("state")
    }

    /// The user's `assent.yaml`, whole.
    pub fn user_config(&self, yaml: &str) -> &Self {
        std::fs::write(self.config_folder().join("assent.yaml"), yaml).unwrap();
        self
    }

    /// Point the user's `assent.yaml` at a model server, speaking one of its dialects.
    pub fn use_model(&self, model: &ModelServer, dialect: Dialect) -> &Self {
        self.use_model_and(model, dialect, "")
    }

    /// The same, with more settings behind.
    pub fn use_model_and(&self, model: &ModelServer, dialect: Dialect, yaml: &str) -> &Self {
        let url = match dialect {
            Dialect::Chat | Dialect::Responses => model.base_url(),
            Dialect::Anthropic => model.origin(),
        };
        self.user_config(&format!(
            "model: mock/test-model\nproviders:\n  mock: {{ api: {}, baseUrl: \"{url}\", apiKeyEnv: MOCK_KEY, images: true }}\n{yaml}",
            dialect.api()
        ))
    }

    /// The whole environment of a server: nothing of the machine's but the search path.
    pub fn environment(&self) -> Vec<(String, String)> {
        let folder = |name: &str| self.outside().join(name).to_string_lossy().into_owned();
        let mut variables = vec![
            ("HOME".to_owned(), folder("home")),
            ("ASSENT_CONFIG_DIR".to_owned(), folder("config")),
            ("ASSENT_STATE_DIR".to_owned(), folder("state")),
            ("MOCK_KEY".to_owned(), KEY.to_owned()),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
        ];
        for name in ["PATH", "SYSTEMROOT", "TMPDIR"] {
            if let Ok(value) = std::env::var(name) {
                variables.push((name.to_owned(), value));
            }
        }
        let own = self.variables.borrow();
        variables.retain(|(name, _)| own.iter().all(|(other, _)| other != name));
        variables.extend(own.iter().cloned());
        variables
    }

    /// Start the server with a variable more, or another value.
    pub fn variable(&self, name: &str, value: &str) -> &Self {
        self.variables.borrow_mut().push((name.to_owned(), value.to_owned()));
        self
    }
}

/// The `file:` URI of an absolute path.
pub fn uri(path: &Path) -> String {
    let mut uri = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}
