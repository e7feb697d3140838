//! The script file.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The answers of a scripted model.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    pub(super) answers: Vec<Vec<Step>>,
}

/// One step of an answer. The fields carry the steps' names, since each is an object with that key.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Say { say: String, pace: Option<u64> },
    Think { think: String },
    Call { call: String, with: Map<String, Value> },
    Pause { pause: u64 },
    Hang { hang: bool },
    Stop { stop: Ending },
    Expect { expect: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ending {
    OutputLimit,
    Refusal,
}

/// A step as it is written: exactly one of the names, with what belongs to it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStep {
    say: Option<String>,
    pace: Option<u64>,
    think: Option<String>,
    call: Option<String>,
    with: Option<Map<String, Value>>,
    pause: Option<u64>,
    hang: Option<bool>,
    stop: Option<Ending>,
    expect: Option<String>,
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let step = WrittenStep::deserialize(deserializer)?;
        let (pace, with) = (step.pace, step.with);
        let plain = pace.is_none() && with.is_none();
        let mut found = Vec::new();
        found.extend(step.say.filter(|_| with.is_none()).map(|say| Self::Say { say, pace }));
        found.extend(
            step.call
                .filter(|_| pace.is_none())
                .map(|call| Self::Call { call, with: with.unwrap_or_default() }),
        );
        if plain {
            found.extend(step.think.map(|think| Self::Think { think }));
            found.extend(step.pause.map(|pause| Self::Pause { pause }));
            found.extend(step.hang.map(|hang| Self::Hang { hang }));
            found.extend(step.stop.map(|stop| Self::Stop { stop }));
            found.extend(step.expect.map(|expect| Self::Expect { expect }));
        }
        match <[Self; 1]>::try_from(found) {
            Ok([step]) => Ok(step),
            Err(_) => Err(serde::de::Error::custom(
                "a step has exactly one of `say` (with `pace`), `think`, `call` (with `with`), `pause`, `hang`, `stop`, `expect`",
            )),
        }
    }
}

impl Script {
    /// Reads a script; the error names the place and what is wrong there.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}
