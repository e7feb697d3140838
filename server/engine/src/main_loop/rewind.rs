//! What a user changes about a conversation itself: its title, and where it goes on from.
//!
//! Both write to the log, so both are done in the background. While a conversation is rewound its
//! session counts as one whose turn is ending: a prompt that comes meanwhile waits for it.

use super::running::Running;
use super::sessions::no_session;
use super::state::{State, answer};
use super::{Refused, Reply, Work};
use crate::event::{EventKind, SessionId, Todo};
use crate::limits;
use crate::session::Ledger;
use crate::store::{Entry, OpenError};

/// A title on its way into the log.
pub(super) struct Renaming {
    title: String,
    reply: Reply<Result<(), Refused>>,
}

/// A title that was to be put into the log.
pub struct Renamed {
    id: SessionId,
    renaming: Renaming,
    result: Result<(), OpenError>,
}

/// A conversation that was rewound.
pub struct Rewound {
    id: SessionId,
    ledger: Ledger,
    prompt: usize,
    /// The todo list as it stood then.
    result: Result<Vec<Todo>, String>,
    reply: Reply<Result<(), Refused>>,
}

impl State {
    pub(super) fn rename_session(&mut self, id: SessionId, title: &str, reply: Reply<Result<(), Refused>>) {
        let title = one_line(title);
        if title.is_empty() {
            return answer(
                reply,
                Err(Refused::Unknown("The title is empty: give the session a name.".into())),
            );
        }
        self.write_title(id, Renaming { title, reply });
    }

    fn write_title(&mut self, id: SessionId, renaming: Renaming) {
        let session = self.sessions.get_mut(&id);
        let open_here = session.is_some();
        if let Some(session) = session
            && session.ledger.as_ref().is_some_and(Ledger::is_new)
        {
            // Nothing was said yet, so there is no log: the title goes into it with the first prompt.
            session.unlogged.push(Entry::Title(renaming.title.clone()));
            return self.named(&id, renaming);
        }
        let store = self.store.clone();
        self.work(async move {
            let result = store.rename(&id, renaming.title.clone(), open_here).await;
            Work::Renamed(Box::new(Renamed { id, renaming, result }))
        });
    }

    pub(super) fn renamed(&mut self, renamed: Renamed) {
        let Renamed { id, renaming, result } = renamed;
        match result {
            Ok(()) => self.named(&id, renaming),
            Err(OpenError::Unknown(_)) if self.sessions.contains_key(&id) => {
                // The first prompt is about to make the log.
                let Some(session) = self.sessions.get_mut(&id) else { return };
                match session.running {
                    Some(_) => session.renaming.push(renaming),
                    None => self.write_title(id, renaming),
                }
            }
            Err(problem) => answer(renaming.reply, Err(problem.into())),
        }
    }

    /// Put into the log what could not be put there before the turn that ended.
    pub(super) fn name_again(&mut self, id: &SessionId) {
        let waiting = self.sessions.get_mut(id).map(|session| std::mem::take(&mut session.renaming));
        for renaming in waiting.unwrap_or_default() {
            self.write_title(id.clone(), renaming);
        }
    }

    fn named(&mut self, id: &SessionId, renaming: Renaming) {
        if let Some(session) = self.sessions.get_mut(id) {
            session.title = Some(renaming.title.clone());
            self.tell(id, EventKind::Title(renaming.title));
        }
        answer(renaming.reply, Ok(()));
    }

    pub(super) fn rewind(&mut self, id: SessionId, prompt: usize, reply: Reply<Result<(), Refused>>) {
        let Some(session) = self.sessions.get_mut(&id) else { return answer(reply, Err(no_session(&id))) };
        let free = session.running.is_none();
        let there = |ledger: &mut Ledger| free && prompt < ledger.transcript().prompts();
        let Some(mut ledger) = session.ledger.take_if(there) else {
            let refused = match &session.ledger {
                Some(ledger) if free => no_prompt(prompt, ledger.transcript().prompts()),
                _ => Refused::Busy("A turn is running. Cancel it before going back.".into()),
            };
            return answer(reply, Err(refused));
        };
        session.running = Some(Running::ending());
        self.work(async move {
            let result = ledger.rewind(prompt).await;
            Work::Rewound(Box::new(Rewound { id, ledger, prompt, result, reply }))
        });
    }

    pub(super) fn rewound(&mut self, rewound: Rewound) {
        let Rewound { id, ledger, prompt, result, reply } = rewound;
        let Some(session) = self.sessions.get_mut(&id) else { return };
        session.ledger = Some(ledger);
        session.running = None;
        let rewound = result.map(|todos| {
            session.forget_from(prompt);
            let before = std::mem::replace(&mut *session.todos.lock(), todos.clone());
            (before != todos).then_some(todos)
        });
        if let Ok(Some(todos)) = &rewound {
            self.tell(&id, EventKind::Plan(todos.clone()));
        }
        answer(reply, rewound.map(drop).map_err(Refused::Failed));
        self.go_on(&id);
    }
}

impl From<OpenError> for Refused {
    fn from(problem: OpenError) -> Self {
        let words = problem.to_string();
        match problem {
            OpenError::Unknown(_) => Self::Unknown(words),
            OpenError::InUse(_) => Self::Busy(words),
            OpenError::Disk { .. } | OpenError::Broken { .. } => Self::Failed(words),
        }
    }
}

fn no_prompt(prompt: usize, count: usize) -> Refused {
    Refused::Unknown(format!(
        "There is no prompt {prompt} in this session: it has {count}, counted from 0. Load it to see them."
    ))
}

/// A title as the list can show it.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    assent_base::clip::clip_line(&words.join(" "), limits::TITLE_CHARS).0
}
