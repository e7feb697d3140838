//! What a tool is: its definition, a call of it, the result; the JSON format definitions are
//! written in; and the check of a call's arguments.

mod arguments;
mod definition;
mod fields;
mod filter;
mod handler;
mod selection;
mod slash;
mod summary;

#[cfg(test)]
mod tests;

pub use arguments::ToolSchema;
pub use definition::{parse_definition, parse_tool_file, shipped_definition, shipped_tool_file};
pub use fields::{Offer, tool_file_about, tool_file_offers, tool_file_schema};
pub use filter::{ArgumentFilter, Judged, Value as ArgumentValue, ValueKind};
pub use handler::{BuiltInHandler, BuiltInKind, ExecHandler, Handler, Scope, Summary};
pub use selection::AgentTools;
pub use slash::{slash_arguments, slash_hint};
pub use summary::Told;

use crate::written::Place;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a tool reads (`seeds/opair-tools.txt`, permissions), from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reads {
    /// Nothing.
    #[default]
    None,
    /// Project files.
    Project,
    /// Paths with a component that begins with a dot.
    ProjectDot,
    /// Paths that ignore rules exclude.
    ProjectIgnore,
    /// Outside the workspace folders.
    External,
    /// The network.
    Network,
}

/// What a tool writes, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Writes {
    /// Nothing.
    #[default]
    None,
    /// Caches and build output.
    Artifacts,
    /// Project files.
    Project,
    /// Paths with a component that begins with a dot.
    ProjectDot,
    /// Paths that ignore rules exclude.
    ProjectIgnore,
    /// Outside the workspace folders.
    External,
    /// Something on another machine.
    Remote,
}

/// Whether and what a tool executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exec {
    /// Runs no program, or one whose classes are declared.
    #[default]
    None,
    /// Runs code that the project provides: its build, its tests, its hooks and filters.
    Project,
    /// Runs a program whose effects nobody declared (`bash`).
    Undeclared,
    /// Inputs can drive code that is not part of the project: asks every time.
    Untrusted,
}

/// The permission class of a tool or of one call: both sides count, the stricter decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Effects {
    /// What is read.
    #[serde(default)]
    pub reads: Reads,
    /// What is written.
    #[serde(default)]
    pub writes: Writes,
    /// What is executed.
    #[serde(default)]
    pub exec: Exec,
}

/// A tool as the model and the gate see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The name the model calls.
    pub name: String,
    /// What the model reads to decide when to call it.
    pub description: String,
    /// JSON Schema of the arguments, `type: object` at the root.
    pub parameters: Value,
    /// Passed through to providers that know strict schemas.
    pub strict: bool,
    /// The class declared or derived; a call may have a narrower one.
    pub effects: Effects,
    /// Withheld from the model.
    pub internal: bool,
    /// The slash command that calls it, without the slash.
    pub slash_command: Option<String>,
}

/// A tool that is wholly described by its file.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolFile {
    /// What the model and the gate see.
    pub definition: Definition,
    /// How it runs; `None` only for built-in tools.
    pub handler: Option<Handler>,
    /// Where its slash command stands.
    pub slash_place: Option<Place>,
    /// A program it depends on beside its own.
    pub requires_bin: Option<String>,
    /// Names of files of which a workspace folder must have one; none: it is for every workspace.
    pub requires_file: Vec<String>,
}

/// What the model asked for. `id` pairs the call with its one result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The provider's id, or one made up where it sent none.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments.
    pub arguments: Arguments,
}

/// Arguments as they came: an object, or text that is none, with the reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Arguments {
    /// A JSON object; empty text counts as `{}`.
    Object(serde_json::Map<String, Value>),
    /// Not an object: malformed, or cut off by the output limit. Never run.
    Invalid {
        /// The text as it came.
        text: String,
        /// Why it can't be used, in words for the model.
        reason: String,
    },
}

/// A piece of a message or of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Content {
    /// Text.
    Text(String),
    /// An image.
    Image {
        /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
        media_type: String,
        /// Base64.
        data: String,
    },
    /// Text for the model that stands for something shorter, which is what the user is shown.
    Expanded {
        /// For the model.
        text: String,
        /// What it stands for.
        of: Origin,
    },
}

/// What an expanded text stands for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// What the user typed: a slash command.
    Command(String),
    /// A document that the user attached.
    Document {
        /// Which.
        uri: String,
        /// The first and the last line of a part of it, from 1.
        lines: Option<(u32, u32)>,
    },
    /// Nothing of the user's: a word of ours to the model, or a document that the words name.
    Note,
}

impl Content {
    /// The text that the model gets.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Expanded { text, .. } => Some(text),
            Self::Image { .. } => None,
        }
    }

    /// A word of ours to the model, which the user is not shown.
    pub fn note(text: impl Into<String>) -> Self {
        Self::Expanded { text: text.into(), of: Origin::Note }
    }
}

/// The one result of a call, for the model. A failure is a value, not an error of ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallResult {
    /// The id of the call.
    pub call_id: String,
    /// What the model gets; never empty.
    pub content: Vec<Content>,
    /// Whether the call failed.
    pub is_error: bool,
}
