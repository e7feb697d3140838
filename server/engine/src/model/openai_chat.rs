//! OpenAI's Chat Completions, and the many servers that speak it. Where they differ is data
//! ([`Dialect`](crate::model::spec::Dialect)), not code per provider.

mod request;
mod stream;

use crate::model::answer::read;
use crate::model::endpoint::{Endpoint, KeyHeader};
use crate::model::spec::ModelSpec;
use crate::model::surroundings::Surroundings;
use crate::model::{Answer, Delta, Model, ModelError, Request};
use async_trait::async_trait;
use tokio::sync::mpsc;

/// A model behind a Chat Completions server.
pub(crate) struct OpenAiChat {
    spec: ModelSpec,
    name: String,
    endpoint: Endpoint,
}

impl OpenAiChat {
    pub(crate) fn new(spec: ModelSpec, surroundings: Surroundings) -> Self {
        Self { name: spec.name(), endpoint: Endpoint::new(&spec, surroundings), spec }
    }
}

#[async_trait]
impl Model for OpenAiChat {
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
        let response = self.endpoint.post("/chat/completions", KeyHeader::Bearer, &[], &body).await?;
        let decoder = stream::ChatDecoder::new(&self.spec.provider, request);
        read(&self.endpoint, response, decoder, deltas).await
    }
}

#[cfg(test)]
mod tests;
