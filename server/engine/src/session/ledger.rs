//! A session's conversation and its log, which never disagree: an entry is in the log before it
//! counts. The running turn owns the ledger; if the turn dies, it is read back from the log.

use crate::event::{SessionId, Todo, Usage};
use crate::store::{Entry, Header, Log, OpenError, Restored, Store, VERSION};
use assent_base::chat::{Record, Transcript};
use assent_base::policy::Mode;
use std::path::PathBuf;

/// Conversation and log of one session.
#[derive(Debug)]
pub struct Ledger {
    id: SessionId,
    folder: Option<PathBuf>,
    store: Store,
    transcript: Transcript,
    log: Option<Log>,
    /// What was set before the first prompt; it goes into the log with it.
    early: Vec<Entry>,
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
}

impl Ledger {
    /// A new session. Its log begins with its first prompt, so that a session nobody used leaves
    /// nothing behind.
    pub fn new(id: SessionId, folder: Option<PathBuf>, store: Store) -> Self {
        Self { id, folder, store, transcript: Transcript::default(), log: None, early: Vec::new() }
    }

    /// A session from its log. Calls without a result get one that says so.
    pub async fn load(id: SessionId, store: Store) -> Result<(Self, Remembered), OpenError> {
        let (log, restored) = store.open(&id).await?;
        let folder = restored.header.folder.clone();
        let (transcript, remembered) = from_log(restored);
        let ledger = Self { id, folder, store, transcript, log: Some(log), early: Vec::new() };
        Ok((ledger, remembered))
    }

    /// The session's folder.
    pub fn folder(&self) -> Option<&PathBuf> {
        self.folder.as_ref()
    }

    /// The conversation.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Whether anything was said yet.
    pub fn is_new(&self) -> bool {
        self.log.is_none()
    }

    /// Add a step of the conversation: to the log first, then to the transcript.
    pub async fn say(&mut self, record: Record) -> Result<(), String> {
        self.write(Entry::Chat(record.clone())).await?;
        self.transcript.apply(record);
        Ok(())
    }

    /// Add a fact about the session.
    pub async fn note(&mut self, entry: Entry) -> Result<(), String> {
        if self.log.is_none() && !matches!(entry, Entry::Chat(_) | Entry::Title(_)) {
            self.early.push(entry);
            return Ok(());
        }
        self.write(entry).await
    }

    /// Give every call without a result one with these words.
    pub async fn close_open_calls(&mut self, words: &str) -> Result<(), String> {
        for record in self.transcript.closing(words) {
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
        self.write(Entry::Rewind(prompt)).await?;
        self.transcript.rewind(prompt);
        Ok(todos)
    }

    /// Force the log to the disk.
    pub async fn sync(&self) {
        if let Some(log) = &self.log
            && let Err(problem) = log.sync().await
        {
            tracing::warn!(%problem, path = %log.path().display(), "session log not synced");
        }
    }

    async fn write(&mut self, entry: Entry) -> Result<(), String> {
        if self.log.is_none() {
            let header = Header {
                version: VERSION,
                id: self.id.to_string(),
                folder: self.folder.clone(),
                created: jiff::Timestamp::now().to_string(),
            };
            let log = self.store.create(header).await.map_err(|problem| problem.to_string())?;
            self.log = Some(log);
            for early in std::mem::take(&mut self.early) {
                self.append(&early).await?;
            }
        }
        self.append(&entry).await
    }

    async fn append(&self, entry: &Entry) -> Result<(), String> {
        let Some(log) = &self.log else { return Ok(()) };
        log.append(entry).await.map_err(|problem| {
            format!(
                "The session log {} can't be written: {problem}. Free some space or fix its permissions; \
                 nothing was done that is not in the log.",
                log.path().display()
            )
        })
    }
}

/// The conversation and the facts that a log's entries add up to.
pub fn from_log(restored: Restored) -> (Transcript, Remembered) {
    let mut transcript = Transcript::default();
    let mut remembered = Remembered { notice: restored.notice, ..Remembered::default() };
    // The todo list as it stood before each prompt.
    let mut todos_before: Vec<Vec<Todo>> = Vec::new();
    for entry in restored.entries {
        match entry {
            Entry::Chat(record) => {
                transcript.apply(record);
                todos_before.resize(transcript.prompts(), remembered.todos.clone());
            }
            Entry::Rewind(prompt) => {
                transcript.rewind(prompt);
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
        }
    }
    (transcript, remembered)
}
