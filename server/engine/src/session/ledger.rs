//! A session's conversation and its log, which never disagree: an entry is in the log before it
//! counts. The running turn owns the ledger; if the turn dies, it is read back from the log.

use super::Interrupted;
use crate::documents::Digest;
use crate::event::{SessionId, Todo, Usage};
use crate::store::{Entry, Header, Journal, OpenError, Restored, Store, VERSION};
use assent_base::chat::{Record, Transcript};
use assent_base::path::DocumentUri;
use assent_base::policy::Mode;
use assent_base::tool::CallResult;
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::path::PathBuf;

/// Conversation and log of one session.
#[derive(Debug)]
pub struct Ledger {
    id: SessionId,
    folder: Option<PathBuf>,
    store: Store,
    transcript: Mutex<Transcript>,
    journal: Journal,
    /// What was set before the first prompt; it goes into the log with it.
    early: Vec<Entry>,
    /// Whether there is to be a log.
    kept: bool,
}

/// What a log says of a session, beside its conversation.
#[derive(Debug, Default, Clone)]
pub struct Remembered {
    /// Its title.
    pub title: Option<String>,
    /// Its mode.
    pub mode: Option<Mode>,
    /// Its model.
    pub model: Option<String>,
    /// Its agent.
    pub agent: Option<String>,
    /// Its thought level.
    pub effort: Option<String>,
    /// Its todo list.
    pub todos: Vec<Todo>,
    /// Tokens of the last request and of all.
    pub usage: (Usage, Usage),
    /// What was wrong with the log.
    pub notice: Option<String>,
    /// The documents that the model has read.
    pub seen: HashMap<DocumentUri, Digest>,
    /// What became of the calls that have no result.
    pub interrupted: Interrupted,
}

impl Ledger {
    /// A new session. Its log begins with its first prompt, so that a session nobody used leaves
    /// nothing behind.
    pub fn new(id: SessionId, folder: Option<PathBuf>, store: Store) -> Self {
        Self {
            id,
            folder,
            store,
            transcript: Mutex::default(),
            journal: Journal::default(),
            early: Vec::new(),
            kept: true,
        }
    }

    /// A conversation of which nothing is kept: that of an agent within a call of the session.
    pub fn unkept(id: SessionId, store: Store) -> Self {
        let mut ledger = Self::new(id, None, store);
        ledger.kept = false;
        ledger
    }

    /// A session from its log. It may have calls without a result.
    pub async fn load(id: SessionId, store: Store) -> Result<(Self, Remembered), OpenError> {
        let (log, restored) = store.open(&id).await?;
        let folder = restored.header.folder.clone();
        let (transcript, remembered) = from_log(restored);
        let journal = Journal::default();
        journal.open(log);
        let transcript = Mutex::new(transcript);
        Ok((Self { id, folder, store, transcript, journal, early: Vec::new(), kept: true }, remembered))
    }

    /// The session's folder.
    pub fn folder(&self) -> Option<&PathBuf> {
        self.folder.as_ref()
    }

    /// The conversation.
    pub fn transcript(&self) -> MutexGuard<'_, Transcript> {
        self.transcript.lock()
    }

    /// The way into the log for whoever has something of their own to note.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Whether anything was said yet.
    pub fn is_new(&self) -> bool {
        !self.journal.is_open()
    }

    /// Add a step of the conversation: to the log first, then to the transcript.
    pub async fn say(&mut self, record: Record) -> Result<(), String> {
        self.say_with(Vec::new(), record).await
    }

    /// The same, and facts that go with it, in one write.
    pub async fn say_with(&mut self, mut facts: Vec<Entry>, record: Record) -> Result<(), String> {
        facts.push(Entry::Chat(record.clone()));
        self.write(&facts).await?;
        self.transcript.get_mut().apply(record);
        Ok(())
    }

    /// Add the result of a call, while others still run, and facts that go with it, in one write.
    pub async fn answer(&self, result: CallResult, facts: Vec<Entry>) -> Result<(), String> {
        let record = Record::Result(result);
        let mut entries = vec![Entry::Chat(record.clone())];
        entries.extend(facts);
        self.journal.note_all(&entries).await?;
        self.transcript.lock().apply(record);
        Ok(())
    }

    /// Add a fact about the session.
    pub async fn note(&mut self, entry: Entry) -> Result<(), String> {
        if !self.kept {
            return Ok(());
        }
        if self.is_new() && !matches!(entry, Entry::Chat(_) | Entry::Title(_)) {
            self.early.push(entry);
            return Ok(());
        }
        self.write(&[entry]).await
    }

    /// Give every call without a result one with these words.
    pub async fn close_open_calls(&mut self, words: &str) -> Result<(), String> {
        let closing = self.transcript.get_mut().closing(words);
        for record in closing {
            self.say(record).await?;
        }
        Ok(())
    }

    /// Take out a prompt of the user's and all that came after it. The log keeps it, with an entry
    /// that says so. Gives the todo list as it stood before that prompt.
    pub async fn rewind(&mut self, prompt: usize) -> Result<Vec<Todo>, String> {
        let mut log = self.store.read(&self.id).await.map_err(|problem| problem.to_string())?;
        log.entries.push(Entry::Rewind(prompt));
        let todos = from_log(log).1.todos;
        self.write(&[Entry::Rewind(prompt)]).await?;
        self.transcript.get_mut().rewind(prompt);
        Ok(todos)
    }

    /// Force the log to the disk.
    pub async fn sync(&self) {
        self.journal.sync().await;
    }

    async fn write(&mut self, entries: &[Entry]) -> Result<(), String> {
        if !self.kept {
            return Ok(());
        }
        if self.is_new() {
            let header = Header {
                version: VERSION,
                id: self.id.to_string(),
                folder: self.folder.clone(),
                created: jiff::Timestamp::now().to_string(),
            };
            let log = self.store.create(header).await.map_err(|problem| problem.to_string())?;
            self.journal.open(log);
            self.journal.note_all(&std::mem::take(&mut self.early)).await?;
        }
        self.journal.note_all(entries).await
    }
}

/// With the conversation goes the lock on its log, whoever else still has the journal.
impl Drop for Ledger {
    fn drop(&mut self) {
        self.journal.close();
    }
}

/// The conversation and the facts that a log's entries add up to.
pub fn from_log(restored: Restored) -> (Transcript, Remembered) {
    let mut transcript = Transcript::default();
    let mut remembered = Remembered { notice: restored.notice, ..Remembered::default() };
    // The todo list as it stood before each prompt.
    let mut todos_before: Vec<Vec<Todo>> = Vec::new();
    for entry in restored.entries {
        remembered.interrupted.note(&entry);
        match entry {
            Entry::Chat(record) => {
                transcript.apply(record);
                todos_before.resize(transcript.prompts(), remembered.todos.clone());
            }
            Entry::Rewind(prompt) => {
                transcript.rewind(prompt);
                // The model may have read files in what is gone.
                remembered.seen.clear();
                if let Some(todos) = todos_before.drain(transcript.prompts()..).next() {
                    remembered.todos = todos;
                }
            }
            Entry::Title(title) => remembered.title = Some(title),
            Entry::Mode(mode) => remembered.mode = Some(mode),
            Entry::Model(model) => remembered.model = Some(model),
            Entry::Agent(agent) => remembered.agent = Some(agent),
            Entry::Effort(effort) => remembered.effort = (effort != "default").then_some(effort),
            Entry::Todos(todos) => remembered.todos = todos,
            Entry::Usage(usage) => {
                remembered.usage.0 = usage;
                remembered.usage.1 = remembered.usage.1.plus(usage);
            }
            Entry::Seen(documents) => remembered.seen.extend(documents),
            Entry::Asked(_) | Entry::Granted(_) | Entry::Proposed(_) | Entry::Decided(_) => {}
        }
    }
    (transcript, remembered)
}
