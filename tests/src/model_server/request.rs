//! A recorded request, with its conversation in one form for all three dialects, so that tests
//! and invariants need to be written once.

use super::dialect::Dialect;
use serde_json::Value;

/// One thing in a request's conversation, in the order the model sees it.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// The user's words.
    User {
        /// All text blocks, joined by line feeds.
        text: String,
        /// Images beside them.
        images: usize,
    },
    /// The model's words.
    Assistant {
        /// The text of one block.
        text: String,
    },
    /// Thinking sent back, as it stood on the wire.
    Reasoning {
        /// The provider's block.
        block: Value,
    },
    /// A call the model made.
    Call {
        /// Its id.
        id: String,
        /// The tool.
        name: String,
        /// The arguments as text.
        arguments: String,
    },
    /// What became of a call.
    Result {
        /// The call's id.
        id: String,
        /// The text, blocks joined by line feeds.
        text: String,
        /// Images beside it.
        images: usize,
        /// Whether it says that it is an error, where the dialect can say so.
        is_error: bool,
    },
}

/// A tool as the request offers it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    /// The name.
    pub name: String,
    /// The description.
    pub description: String,
    /// The JSON Schema of the arguments.
    pub parameters: Value,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    /// The wire format.
    pub dialect: Dialect,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as it came.
    pub body: Value,
    /// The system prompt.
    pub system: String,
    /// The tools offered.
    pub tools: Vec<OfferedTool>,
    /// The conversation.
    pub items: Vec<Item>,
}

impl Request {
    pub(super) fn read(dialect: Dialect, headers: Vec<(String, String)>, body: Value) -> Self {
        let (system, tools, items) = dialect.read(&body);
        Self { dialect, headers, body, system, tools, items }
    }

    /// The text of the result of a call.
    ///
    /// # Panics
    /// When the request has no result for it.
    #[track_caller]
    pub fn result(&self, call: &str) -> &str {
        let found = self.items.iter().rev().find_map(|item| match item {
            Item::Result { id, text, .. } if id == call => Some(text.as_str()),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("no result for call {call:?} in {:#?}", self.items))
    }

    /// The last user message.
    ///
    /// # Panics
    /// When there is none.
    #[track_caller]
    pub fn user(&self) -> &str {
        let found = self.items.iter().rev().find_map(|item| match item {
            Item::User { text, .. } => Some(text.as_str()),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("no user message in {:#?}", self.items))
    }

    /// What the model has not seen yet: everything behind its own last words or calls.
    pub fn news(&self) -> String {
        let own =
            |item: &Item| matches!(item, Item::Assistant { .. } | Item::Call { .. } | Item::Reasoning { .. });
        let start = self.items.iter().rposition(own).map_or(0, |at| at + 1);
        let texts = self.items[start..].iter().map(|item| match item {
            Item::User { text, .. } | Item::Result { text, .. } | Item::Assistant { text } => text.as_str(),
            Item::Reasoning { .. } | Item::Call { .. } => "",
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Whether a tool of that name is offered.
    pub fn offers(&self, tool: &str) -> bool {
        self.tools.iter().any(|offered| offered.name == tool)
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Text and number of images of a content value: a string, or a list of blocks.
pub(super) fn content(value: &Value) -> (String, usize) {
    let Some(blocks) = value.as_array() else {
        return (value.as_str().unwrap_or_default().to_owned(), 0);
    };
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    let images =
        blocks.iter().filter(|block| block["type"].as_str().is_some_and(|kind| kind.contains("image")));
    (texts.join("\n"), images.count())
}
