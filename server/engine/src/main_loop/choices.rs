//! What can be chosen in a session: models, agents, and the modes that go with them. It stands in
//! the files of the settings, so it is looked up off the loop, and each session keeps what was
//! found last. What is set counts at once, by that; only an agent that is not in it yet waits for
//! another look, and a prompt behind it waits too.

use super::running::Running;
use super::sessions::{Session, no_session};
use super::state::{State, answer};
use super::{Refused, Reply, Setup, Work};
use crate::commands::SlashCommand;
use crate::event::{EventKind, SessionId};
use crate::session::{Ledger, SessionOption, SessionState};
use crate::settings::{self, DEFAULT_AGENT};
use crate::trust::{self, Trust};
use assent_base::manifest::Agent;
use assent_base::policy::Mode;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What can be chosen in a session, for the front's pickers.
#[derive(Default)]
pub(super) struct Choices {
    pub(super) model: Option<String>,
    pub(super) models: Vec<String>,
    pub(super) agents: Vec<String>,
    /// The mode that each agent's sessions start in, where one is set; the default agent's falls
    /// back to the settings' own.
    pub(super) modes: BTreeMap<String, Mode>,
    /// The tools that can be called by a slash command.
    pub(super) commands: Vec<SlashCommand>,
    /// What of the project does not count.
    pub(super) notice: Option<String>,
}

/// Choices that were looked up, and what for.
pub struct LookedUp {
    choices: Choices,
    wanted: Wanted,
}

type StateReply = Reply<Result<SessionState, Refused>>;

enum Wanted {
    Begin {
        folder: Option<PathBuf>,
        reply: StateReply,
    },
    State {
        id: SessionId,
        reply: StateReply,
    },
    Agent {
        id: SessionId,
        agent: String,
        /// The session takes no prompt meanwhile.
        held: bool,
        reply: StateReply,
    },
}

impl State {
    pub(super) fn new_session(&mut self, folder: Option<PathBuf>, reply: StateReply) {
        let folder = folder.or_else(|| self.folders.first().cloned());
        self.look_up(folder.clone(), Wanted::Begin { folder, reply });
    }

    /// Answer with what a session is like, and what it can be set to as the files stand now.
    pub(super) fn answer_with_state(&mut self, id: SessionId, reply: StateReply) {
        match self.sessions.get(&id) {
            Some(session) => self.look_up(session.folder.clone(), Wanted::State { id, reply }),
            None => answer(reply, Err(no_session(&id))),
        }
    }

    pub(super) fn set_option(&mut self, id: SessionId, option: SessionOption, reply: StateReply) {
        let Some(session) = self.sessions.get_mut(&id) else { return answer(reply, Err(no_session(&id))) };
        if let SessionOption::Agent(agent) = &option
            && !session.choices.agents.contains(agent)
        {
            let held = session.running.is_none();
            if held {
                session.running = Some(Running::ending());
            }
            let folder = session.folder.clone();
            return self.look_up(folder, Wanted::Agent { id, agent: agent.clone(), held, reply });
        }
        self.set(&id, option);
        self.answer_with_state(id, reply);
    }

    fn look_up(&self, folder: Option<PathBuf>, wanted: Wanted) {
        let (setup, editor, trust) = (self.setup.clone(), Arc::clone(&self.settings), self.trust.clone());
        let commands = self.commands_of(folder.clone());
        self.work(async move {
            let look = move || choices(&setup, &editor, folder.as_deref(), &trust, commands);
            // A fault of ours there costs the pickers, not the session.
            let choices = tokio::task::spawn_blocking(look).await.unwrap_or_default();
            Work::LookedUp(Box::new(LookedUp { choices, wanted }))
        });
    }

    /// What looks up, off the loop, the tools that a session in this folder can call by a slash command.
    /// It takes the built-in tools whose names a project's may have.
    fn commands_of(
        &self,
        folder: Option<PathBuf>,
    ) -> impl FnOnce(&BTreeSet<String>) -> Vec<SlashCommand> + Send + use<> {
        let folders = session_folders(folder.as_ref(), &self.folders);
        let (toolbox, processes) = (Arc::clone(&self.toolbox), self.processes.clone());
        let trust = self.trust.clone();
        move |may_replace| toolbox.commands(&processes, &folders, &trust, may_replace)
    }

    /// The same where the settings are not looked up besides.
    fn commands_now(&self, folder: Option<PathBuf>) -> impl FnOnce() -> Vec<SlashCommand> + Send + use<> {
        let (setup, editor, trust) = (self.setup.clone(), Arc::clone(&self.settings), self.trust.clone());
        let commands = self.commands_of(folder.clone());
        move || {
            let config = &setup.environment.config;
            let loaded = settings::load(config, folder.as_deref(), &editor, &trust);
            commands(&loaded.settings.project_may_replace)
        }
    }

    /// A tool file changed, or may have: every session's commands are looked up again.
    pub(super) fn tools_changed(&self) {
        for (id, session) in &self.sessions {
            let (id, look) = (id.clone(), self.commands_now(session.folder.clone()));
            self.work(async move {
                let commands = tokio::task::spawn_blocking(look).await.unwrap_or_default();
                Work::Commands { session: id, commands }
            });
        }
    }

    pub(super) fn tell_commands(&mut self, id: &SessionId, commands: Vec<SlashCommand>) {
        if self.sessions.contains_key(id) {
            self.tell(id, EventKind::Commands(commands));
        }
    }

    /// The commands of the workspace, for whoever has no session.
    pub(super) fn list_commands(&self, reply: Reply<Vec<SlashCommand>>) {
        let look = self.commands_now(self.folders.first().cloned());
        tokio::spawn(async move {
            answer(reply, tokio::task::spawn_blocking(look).await.unwrap_or_default());
        });
    }

    pub(super) fn looked_up(&mut self, found: LookedUp) {
        let choices = Arc::new(found.choices);
        match found.wanted {
            Wanted::Begin { folder, reply } => answer(reply, self.begin_session(folder, choices)),
            Wanted::State { id, reply } => {
                if let Some(session) = self.sessions.get_mut(&id) {
                    session.choices = choices;
                }
                answer(reply, self.session_state(&id));
            }
            Wanted::Agent { id, agent, held, reply } => {
                if let Some(session) = self.sessions.get_mut(&id) {
                    session.choices = Arc::clone(&choices);
                    if held {
                        session.running = None;
                    }
                }
                let known = choices.agents.contains(&agent);
                if known {
                    self.set(&id, SessionOption::Agent(agent.clone()));
                }
                answer(reply, if known { self.session_state(&id) } else { Err(no_agent(&agent, &choices)) });
                if held {
                    self.go_on(&id);
                }
            }
        }
    }

    fn begin_session(
        &mut self,
        folder: Option<PathBuf>,
        choices: Arc<Choices>,
    ) -> Result<SessionState, Refused> {
        let id = SessionId(uuid::Uuid::now_v7().to_string().into());
        let ledger = Ledger::new(id.clone(), folder.clone(), self.store.clone());
        let mut session = Session::new(folder, ledger);
        if let Some(mode) = self.setup.mode.or(choices.modes.get(DEFAULT_AGENT).copied()) {
            *session.mode.lock() = mode;
        }
        session.model.clone_from(&self.setup.model);
        session.choices = choices;
        self.sessions.insert(id.clone(), session);
        self.session_state(&id)
    }
}

fn no_agent(agent: &str, choices: &Choices) -> Refused {
    let known = choices.agents.join(", ");
    Refused::Unknown(format!("There is no agent {agent}. There are: {known}."))
}

/// The choices as the files stand now; files that are broken are reported when a turn begins.
fn choices(
    setup: &Setup,
    editor: &serde_json::Value,
    folder: Option<&Path>,
    trust: &Trust,
    commands: impl FnOnce(&BTreeSet<String>) -> Vec<SlashCommand>,
) -> Choices {
    let settings = settings::load(&setup.environment.config, folder, editor, trust).settings;
    let providers = settings::providers(&settings);
    let others = settings.agents.keys().filter(|agent| *agent != DEFAULT_AGENT).cloned();
    let agents = std::iter::once(DEFAULT_AGENT.to_owned()).chain(others).collect();
    let of_agent = |(name, agent): (&String, &Agent)| Some((name.clone(), agent.mode.or(settings.mode)?));
    let mut modes: BTreeMap<String, Mode> = settings.agents.iter().filter_map(of_agent).collect();
    if let Some(mode) = settings.mode {
        modes.entry(DEFAULT_AGENT.into()).or_insert(mode);
    }
    Choices {
        commands: commands(&settings.project_may_replace),
        modes,
        notice: folder.and_then(|folder| trust::notice(trust, folder)),
        model: setup.model.clone().or(settings.model),
        models: settings::catalogue(&setup.environment.variable, &setup.environment.state)
            .known_models(&providers)
            .map(|offers| offers.into_iter().map(|offer| offer.name).collect())
            .unwrap_or_default(),
        agents,
    }
}

/// The folders of a session: its own, then those of the workspace.
pub(super) fn session_folders(own: Option<&PathBuf>, workspace: &[PathBuf]) -> Vec<PathBuf> {
    own.into_iter().chain(workspace.iter().filter(|folder| Some(*folder) != own)).cloned().collect()
}
