//! Anthropic's Messages. Its cache is told where the unchanging prefix ends, and its thinking goes
//! back block by block, exactly as it came.

mod request;
mod stream;

use crate::model::answer::read;
use crate::model::endpoint::{Endpoint, KeyHeader};
use crate::model::spec::ModelSpec;
use crate::model::surroundings::Surroundings;
use crate::model::{Answer, Delta, Model, ModelError, Request};
use async_trait::async_trait;
use tokio::sync::mpsc;

/// A model behind Anthropic's Messages.
pub(crate) struct Anthropic {
    spec: ModelSpec,
    name: String,
    endpoint: Endpoint,
}

impl Anthropic {
    pub(crate) fn new(spec: ModelSpec, surroundings: Surroundings) -> Self {
        Self { name: spec.name(), endpoint: Endpoint::new(&spec, surroundings), spec }
    }
}

#[async_trait]
impl Model for Anthropic {
    fn name(&self) -> &str {
        &self.name
    }

    fn window(&self) -> Option<u64> {
        self.spec.window
    }

    fn takes_images(&self) -> bool {
        self.spec.images
    }

    async fn run(&self, request: &Request, deltas: &mpsc::Sender<Delta>) -> Result<Answer, ModelError> {
        let body = request::body(&self.spec, request);
        let mut extra = vec![("anthropic-version", "2023-06-01")];
        if body.thinks_by_budget() {
            // Lets the older models think between calls too; the newer ones do so anyway.
            extra.push(("anthropic-beta", "interleaved-thinking-2025-05-14"));
        }
        let response = self.endpoint.post("/v1/messages", KeyHeader::XApiKey, &extra, &body).await?;
        read(&self.endpoint, response, stream::MessagesDecoder::new(request), deltas).await
    }
}

#[cfg(test)]
mod tests;
