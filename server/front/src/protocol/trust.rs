//! Trust in a workspace, on the wire.

use serde::{Deserialize, Serialize};

/// Server → client, notification: where a workspace folder stands. [`TrustUpdated`].
pub const TRUST_UPDATED: &str = "_assent/trust/updated";
/// Client → server, notification: the editor's own word on the workspace changed. [`TrustClient`].
pub const TRUST_CLIENT: &str = "_assent/trust/client";

/// Where a workspace folder stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustUpdated {
    /// The folder's path.
    pub folder: String,
    /// `untrusted`, `trusted`, or `pending`: trusted, with something in it that nobody looked at.
    pub state: String,
    /// How many things wait for a look; of a folder that is not trusted, how many files.
    pub pending: usize,
}

/// The editor's own word on the workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustClient {
    /// False: the workspace counts as not trusted, whatever the user said to us.
    pub trusted: bool,
}

/// A workspace folder, looked through: the answer to `assent.trustWorkspace`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustShown {
    /// The folder's path, with links resolved.
    pub folder: String,
    /// As in [`TrustUpdated`].
    pub state: String,
    /// What would count.
    pub items: Vec<TrustItem>,
    /// All of it in words, as `assent trust` prints it.
    pub summary: String,
    /// What a yes to exactly this names.
    pub digest: String,
}

/// One thing that would count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustItem {
    /// `settings`, `tool`, `mcp` or `module`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The file that it stands in.
    pub path: String,
    /// What it would do, in words.
    pub detail: String,
    /// `new`, `changed` or `approved`.
    pub state: String,
}
