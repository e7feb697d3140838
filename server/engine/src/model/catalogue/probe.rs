//! Asks a server which models it has.

use crate::limits;
use crate::model::endpoint::{client, read_bounded};
use async_trait::async_trait;
use reqwest::Url;
use serde_json::Value;

/// Asks a server without a key which models it has.
#[async_trait]
pub trait Probe: Send + Sync {
    /// The models, in the server's order; `None` when it does not answer like a model server.
    async fn models(&self, base_url: &str) -> Option<Vec<String>>;
}

/// Asks over HTTP, within a short time.
#[derive(Debug, Clone, Copy)]
pub struct HttpProbe;

#[async_trait]
impl Probe for HttpProbe {
    async fn models(&self, base_url: &str) -> Option<Vec<String>> {
        tokio::time::timeout(limits::MODEL_PROBE_TIME, ask(base_url)).await.ok()?
    }
}

async fn ask(base_url: &str) -> Option<Vec<String>> {
    let url = Url::parse(&format!("{}/models", base_url.trim_end_matches('/'))).ok()?;
    let response =
        client(&url).ok()?.get(url).send().await.ok().filter(|response| response.status().is_success())?;
    let body = read_bounded(response, limits::MODEL_ERROR_BYTES * 16).await;
    models_in(&serde_json::from_str(&body).ok()?)
}

/// The names in OpenAI's form, `{"data": [{"id": …}]}`.
fn models_in(answer: &Value) -> Option<Vec<String>> {
    let list = answer.get("data")?;
    // Ollama without any model answers null.
    let models = list.as_array().map(Vec::as_slice).unwrap_or_default();
    Some(models.iter().filter_map(|model| model.get("id")?.as_str()).map(str::to_owned).collect())
}
