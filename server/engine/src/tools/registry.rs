//! Registry (placeholder until the tools land).
use super::{Tool, ToolOutput};
use assent_base::tool::{Call, Definition};
use serde_json::{Map, Value};
use std::sync::Arc;

/// All tools.
pub struct Registry {
    tools: Vec<Arc<dyn Tool>>,
}
impl Registry {
    /// b
    pub fn built_in() -> Self {
        Self { tools: Vec::new() }
    }
    /// g
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.tools.iter().find(|t| t.definition().name == name)
    }
    /// c
    pub fn check(&self, call: &Call) -> Result<(Arc<dyn Tool>, Map<String, Value>), ToolOutput> {
        Err(ToolOutput::error(format!("no tool {}", call.name)))
    }
    /// o
    pub fn offered(&self, allows: impl Fn(&str) -> bool) -> Vec<Arc<Definition>> {
        self.tools.iter().map(|t| t.definition().clone()).filter(|d| allows(&d.name)).collect()
    }
}
