//! Where a provider's key comes from, beside the environment: a command of the user's, or what
//! `assent login` stored. A stored key belongs to the host that it was stored for.

use crate::limits;
use crate::model::secret::Secret;
use crate::private;
use crate::process::helper;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The file in the state folder.
const FILE: &str = "keys.json";

/// Keys that are not in the environment.
#[derive(Default)]
pub struct Keys {
    /// None: nothing can be stored here.
    file: Option<PathBuf>,
    /// The hosts that keys are stored for, by provider, as they were looked up last.
    known: Mutex<BTreeMap<String, String>>,
    /// What commands answered, until a provider refuses it.
    answered: Mutex<HashMap<Vec<String>, Secret>>,
}

/// One stored key.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    host: String,
    key: String,
}

type File = BTreeMap<String, Stored>;

impl Keys {
    /// The keys of a state folder.
    pub fn of(state: &Path) -> Self {
        Self { file: Some(state.join(FILE)), ..Self::default() }
    }

    /// The file that keys are stored in.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Look up which keys are stored. Blocks.
    pub fn look(&self) {
        let stored = self.file.as_deref().map(read);
        *self.known.lock() = match stored {
            Some(Ok(file)) => file.into_iter().map(|(name, stored)| (name, stored.host)).collect(),
            // Whoever needs one of them is told what is wrong.
            Some(Err(_)) | None => BTreeMap::new(),
        };
    }

    /// Whether a key of the provider was stored for this host, as it was looked up last.
    pub fn has(&self, provider: &str, host: &str) -> bool {
        self.known.lock().get(provider).is_some_and(|known| known == host)
    }

    /// The key that was stored for a provider at a host. Blocks.
    ///
    /// # Errors
    /// In words for the user: the file can't be read or is not private, or the key was stored for
    /// another host.
    pub(crate) fn stored(&self, provider: &str, host: &str) -> Result<Option<Secret>, String> {
        let Some(path) = &self.file else { return Ok(None) };
        let mut file = read(path).map_err(|problem| unreadable(path, &problem))?;
        match file.remove(provider) {
            None => Ok(None),
            Some(stored) if stored.host == host => Ok(Some(Secret::new(&stored.key))),
            Some(stored) => Err(format!(
                "The key of {provider} was stored for {}, and the requests would go to {host}. Run `assent login \
                 {provider}` if that is meant.",
                stored.host
            )),
        }
    }

    /// Store a key. Blocks.
    pub fn store(&self, provider: &str, host: &str, key: &str) -> io::Result<()> {
        let stored = Stored { host: host.to_owned(), key: key.trim().to_owned() };
        self.change(|file| drop(file.insert(provider.to_owned(), stored)))
    }

    /// Forget a stored key; gives whether there was one. Blocks.
    pub fn remove(&self, provider: &str) -> io::Result<bool> {
        let mut there = false;
        self.change(|file| there = file.remove(provider).is_some())?;
        Ok(there)
    }

    /// The providers with a stored key and the hosts they belong to. Blocks.
    pub fn list(&self) -> io::Result<Vec<(String, String)>> {
        let Some(path) = &self.file else { return Ok(Vec::new()) };
        Ok(read(path)?.into_iter().map(|(name, stored)| (name, stored.host)).collect())
    }

    /// What a command of the user's answers; asked once, until the answer is refused.
    pub(crate) async fn answer_of(&self, command: &[String]) -> Result<Secret, String> {
        if let Some(known) = self.answered.lock().get(command) {
            return Ok(known.clone());
        }
        let answer = helper::answer(command, limits::KEY_COMMAND_TIME, limits::KEY_BYTES).await;
        let answer = answer.map_err(|problem| format!("`keyCommand` failed: {problem}"))?;
        let key = answer.lines().next().unwrap_or_default().trim();
        if key.is_empty() {
            return Err(format!("`keyCommand` ({}) answered nothing.", command.join(" ")));
        }
        let key = Secret::new(key);
        self.answered.lock().insert(command.to_vec(), key.clone());
        Ok(key)
    }

    /// The provider refused the key.
    pub(crate) fn refused(&self, command: Option<&[String]>) {
        if let Some(command) = command {
            self.answered.lock().remove(command);
        }
    }

    fn change(&self, change: impl FnOnce(&mut File)) -> io::Result<()> {
        let path = self.file.as_deref().ok_or_else(|| io::Error::other("there is no state folder"))?;
        let mut file = read(path)?;
        change(&mut file);
        private::replace(path, &serde_json::to_vec_pretty(&file)?)
    }
}

fn unreadable(path: &Path, problem: &io::Error) -> String {
    format!("The stored keys in {} can't be used: {problem}.", path.display())
}

/// The file as it is; one that is not there holds nothing. What others can read or change is not used.
fn read(path: &Path) -> io::Result<File> {
    let mut file = match private::open(path) {
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => return Ok(File::new()),
        opened => opened?,
    };
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    serde_json::from_str(&text).map_err(|problem| io::Error::other(problem.to_string()))
}

#[cfg(test)]
mod tests;
