//! What a model adapter needs of the world besides the network. It comes in as a value, so that a
//! test decides what the clock says, what the environment holds and how the dice fall.

use crate::model::keys::Keys;
use jiff::Timestamp;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

/// Looks an environment variable up.
pub type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;
/// Says what time it is.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
/// Gives a number from 0 to below 1.
pub type Chance = Arc<dyn Fn() -> f64 + Send + Sync>;

/// Time, environment and chance.
#[derive(Clone)]
pub struct Surroundings {
    /// Where keys are found.
    pub environment: Environment,
    /// Keys that are not there.
    pub keys: Arc<Keys>,
    /// What a date in `Retry-After` is held against.
    pub clock: Clock,
    /// Spreads retries of many clients.
    pub chance: Chance,
}

impl Surroundings {
    /// The process's own environment, the system's clock, real chance.
    pub fn real() -> Self {
        Self {
            environment: Arc::new(|name| std::env::var(name).ok()),
            keys: Arc::default(),
            clock: Arc::new(Timestamp::now),
            chance: Arc::new(|| {
                // The standard library seeds each hasher state from the system's randomness.
                let bits = RandomState::new().build_hasher().finish() >> 11;
                bits as f64 / (1u64 << 53) as f64
            }),
        }
    }

    /// An environment variable; a blank one counts as absent.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        (self.environment)(name).filter(|value| !value.trim().is_empty())
    }
}
