//! Tries a request again where that may help: after a network error, a server that is busy, a
//! stream that broke. Everything else is the user's to decide.

use crate::limits;
use crate::model::surroundings::Chance;
use crate::model::{Answer, Delta, Model, ModelError, Request};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// The first pause that we choose ourselves; it doubles with each try.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// A model whose transient failures are tried again. Dropping its future ends a pause as well.
pub struct Retrying {
    inner: Arc<dyn Model>,
    chance: Chance,
}

impl Retrying {
    /// Wraps `inner`; `chance` spreads the tries of many clients.
    pub fn new(inner: Arc<dyn Model>, chance: Chance) -> Self {
        Self { inner, chance }
    }

    /// The pause before the next try: at least what the server asked for, else longer each time.
    fn pause(&self, tries: u32, asked: Option<Duration>) -> Duration {
        let chance = (self.chance)();
        match asked {
            Some(asked) => asked + FIRST_PAUSE.mul_f64(chance),
            None => {
                let full =
                    FIRST_PAUSE.saturating_mul(1 << (tries - 1).min(16)).min(limits::MODEL_BACKOFF_MAX);
                full.mul_f64(0.5 + chance / 2.0)
            }
        }
    }
}

#[async_trait]
impl Model for Retrying {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn window(&self) -> Option<u64> {
        self.inner.window()
    }

    fn takes_images(&self) -> bool {
        self.inner.takes_images()
    }

    async fn run(&self, request: &Request, deltas: &mpsc::Sender<Delta>) -> Result<Answer, ModelError> {
        let mut tries = 1;
        loop {
            let (message, retry_after) = match self.inner.run(request, deltas).await {
                Err(ModelError::Transient { message, retry_after }) => (message, retry_after),
                outcome => return outcome,
            };
            if let Some(asked) = retry_after.filter(|asked| *asked > limits::RETRY_AFTER_MAX) {
                let message = format!(
                    "{message} It asks to wait {}, so this was not tried again. Wait, or choose another model.",
                    in_words(asked)
                );
                return Err(ModelError::Transient { message, retry_after });
            }
            if tries >= limits::MODEL_TRIES {
                let message = format!("{message} Tried {tries} times.");
                return Err(ModelError::Transient { message, retry_after });
            }
            let after = self.pause(tries, retry_after);
            tracing::info!(model = self.name(), tries, ?after, reason = message, "trying again");
            // Whoever stopped listening still gets the answer.
            let _ = deltas.send(Delta::Retry { after, reason: message }).await;
            tokio::time::sleep(after).await;
            tries += 1;
        }
    }
}

/// A long pause as people say it.
fn in_words(pause: Duration) -> String {
    let minutes = pause.as_secs().div_ceil(60);
    match minutes {
        0..=119 => format!("{minutes} minutes"),
        _ => format!("{} hours", minutes.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests;
