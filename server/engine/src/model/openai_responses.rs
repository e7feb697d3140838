//! OpenAI's Responses, without state on the server: the whole conversation goes with each request,
//! thinking as the encrypted items that came.

mod request;
mod stream;

use crate::model::answer::read;
use crate::model::endpoint::{Endpoint, KeyHeader};
use crate::model::spec::ModelSpec;
use crate::model::surroundings::Surroundings;
use crate::model::{Answer, Delta, Model, ModelError, Request};
use async_trait::async_trait;
use tokio::sync::mpsc;

/// A model behind a Responses server.
pub(crate) struct OpenAiResponses {
    spec: ModelSpec,
    name: String,
    endpoint: Endpoint,
}

impl OpenAiResponses {
    pub(crate) fn new(spec: ModelSpec, surroundings: Surroundings) -> Self {
        Self { name: spec.name(), endpoint: Endpoint::new(&spec, surroundings), spec }
    }
}

#[async_trait]
impl Model for OpenAiResponses {
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
        let response = self.endpoint.post("/responses", KeyHeader::Bearer, &[], &body).await?;
        read(&self.endpoint, response, stream::ResponsesDecoder::new(request), deltas).await
    }
}

#[cfg(test)]
mod tests;
