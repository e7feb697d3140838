//! What real editors say in `initialize` (`tests/recordings`), so that the fake client claims
//! what they claim and nothing else.

use crate::Client;
use serde_json::Value;

/// An editor whose handshake was written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recording {
    /// Neovim 0.11.4 without our plugin.
    Neovim,
    /// VS Code 1.100 without our extension.
    VsCode,
}

impl Recording {
    /// The parameters as recorded, without folders and process id.
    pub fn params(self) -> Value {
        let text = match self {
            Self::Neovim => include_str!("../recordings/neovim-0.11.4.json"),
            Self::VsCode => include_str!("../recordings/vscode-1.100.json"),
        };
        serde_json::from_str(text).expect("recordings are JSON")
    }
}

impl Client {
    /// What an editor sends, with the folders of this test's workspace and, where `experimental`
    /// is no null, what our plugin for it announces.
    pub fn recorded_params(&self, recording: Recording, experimental: Value) -> Value {
        let mut params = recording.params();
        let own = self.initialize_params();
        for field in ["processId", "rootUri", "workspaceFolders"] {
            params[field] = own[field].clone();
        }
        params["capabilities"]["experimental"] = experimental;
        params
    }
}
