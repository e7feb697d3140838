//! The gate. Every call, from whatever dialect, goes through [`Gate::check`], the only maker of a
//! [`Granted`]: the policy decides (`base::policy`), perhaps the user is asked, and whatever is
//! unclear is a no.

mod grants;
pub use grants::{Saved, SessionGrants};

use crate::documents::{self, DocumentsReader};
use crate::editor::{Answer, Approval, Editor, ShownSandbox};
use crate::event::SessionId;
use assent_base::clip::make_visible;
use assent_base::manifest::{Agent, Settings};
use assent_base::path::{DocumentUri, PathClass, Places, ResolvedPath};
use assent_base::policy::{self, Access, Decision, Mode, ResolvedCall, Span, Verdict};
use assent_base::tool::Exec;
use async_trait::async_trait;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// The right to run exactly one resolved call. Only the gate can make one.
#[derive(Debug)]
pub struct Granted {
    call: ResolvedCall,
    auto_accept: bool,
}

impl Granted {
    /// The call that was judged and shown.
    pub fn call(&self) -> &ResolvedCall {
        &self.call
    }

    /// Whether its edits are accepted at once (mode `accept-edits`) instead of hunk by hunk.
    pub fn auto_accept(&self) -> bool {
        self.auto_accept
    }

    /// A grant without a gate, for the tests of tools.
    #[cfg(test)]
    pub(crate) fn for_tests(call: ResolvedCall, auto_accept: bool) -> Self {
        Self { call, auto_accept }
    }
}

/// Why a call does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// For the model: what happened and what it can do.
    pub words: String,
    /// The user wants the turn to end.
    pub stop: bool,
}

/// The way to the user. Dropping the future takes the approval away.
#[async_trait]
pub trait Asker: Send + Sync {
    /// Put an approval to the user.
    async fn ask(&self, approval: Approval) -> Answer;
}

/// What a gate is made from.
#[derive(Clone)]
pub struct GateSetup {
    /// The session.
    pub session: SessionId,
    /// The way to the user.
    pub asker: Arc<dyn Asker>,
    /// The settings, with the policy rules.
    pub settings: Arc<Settings>,
    /// The agent.
    pub agent: Agent,
    /// Its name, below those of the agents that have it do something.
    pub agent_path: Vec<String>,
    /// The session's mode, which the user may change while a turn runs.
    pub mode: Arc<Mutex<Mode>>,
    /// What the user remembered for this session.
    pub grants: Arc<SessionGrants>,
    /// The state folder, where workspace rules are.
    pub state: PathBuf,
    /// Our own config and state folders: writing there always asks.
    pub own: Arc<[PathBuf]>,
    /// Where the session keeps long outputs: read without a question.
    pub readable: Vec<PathBuf>,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// The workspace folders, canonical.
    pub folders: Arc<[PathBuf]>,
    /// Open documents, for the unsaved ones.
    pub documents: DocumentsReader,
    /// Saves them.
    pub editor: Arc<dyn Editor>,
    /// Somebody can answer.
    pub interactive: bool,
    /// `--yes`: what may be answered so is answered yes.
    pub approve: bool,
}

/// The gate of one turn.
pub struct Gate {
    setup: GateSetup,
    saved: Saved,
}

impl Gate {
    /// A gate for one turn.
    pub fn new(setup: GateSetup) -> Self {
        let saved = Saved::new(&setup.state, setup.folders.first());
        Self { setup, saved }
    }

    /// The gate of an agent that this one's has something done by: with the same user and the same
    /// rules, with the tools that both may use, and with a mode that is no looser.
    #[must_use]
    pub fn of_agent(&self, name: &str, agent: &Agent, asker: Arc<dyn Asker>) -> Self {
        let mut setup = self.setup.clone();
        let tools = setup.agent.tools.narrowed_by(&agent.tools);
        setup.agent = Agent { tools, ..agent.clone() };
        setup.agent_path.push(name.to_owned());
        setup.asker = asker;
        if let Some(own) = agent.mode
            && own.is_stricter_than(*self.setup.mode.lock())
        {
            setup.mode = Arc::new(Mutex::new(own));
        }
        Self::new(setup)
    }

    /// The agent.
    pub fn agent(&self) -> &Agent {
        &self.setup.agent
    }

    /// The mode as it is now.
    pub fn mode(&self) -> Mode {
        *self.setup.mode.lock()
    }

    /// The way to the user.
    pub fn asker(&self) -> &Arc<dyn Asker> {
        &self.setup.asker
    }

    /// The settings.
    pub fn settings(&self) -> &Arc<Settings> {
        &self.setup.settings
    }

    /// Judge a call:
    /// 1. the policy decides, over rules, remembered rules, mode and class;
    /// 2. a deny is told to the model and never asked about;
    /// 3. an ask goes to the user, if there is one; no answer is a no;
    /// 4. what was remembered is saved;
    /// 5. what the answer was about must still be so.
    pub async fn check(&self, call: ResolvedCall) -> Result<Granted, Refusal> {
        let decision = self.decide(&call).await;
        match decision.verdict {
            Verdict::Allow => {
                let auto_accept = !decision.as_review;
                return Ok(Granted { call, auto_accept });
            }
            Verdict::Deny => return Err(refusal(decision.reason_for_model)),
            Verdict::Ask => {}
        }
        let unsaved = self.unsaved(&call);
        match self.ask(&call, &decision, unsaved.clone()).await {
            Answer::AllowOnce => {}
            Answer::SaveThenAllow => self.save_documents(unsaved).await?,
            Answer::AllowSession => self.setup.grants.remember(decision.remember),
            Answer::AllowAlways => self.save(decision.remember).await?,
            Answer::Reject { feedback, stop } => return Err(rejected(&call, feedback, stop)),
        }
        if decision.once_a_session {
            self.setup.grants.remember_artifacts(&call.tool);
        }
        self.still_so(&call).await?;
        // The question was whether the place may be touched; what is written there is seen and
        // accepted hunk by hunk, like every edit.
        Ok(Granted { call, auto_accept: false })
    }

    /// Judge a call again that was granted before the server ended and whose edit stood in review.
    /// A deny of today counts. What would be asked was answered then, and whatever is still to be
    /// written the user accepts hunk by hunk.
    pub async fn check_again(&self, call: ResolvedCall) -> Result<Granted, Refusal> {
        let decision = self.decide(&call).await;
        match decision.verdict {
            Verdict::Deny => Err(refusal(decision.reason_for_model)),
            Verdict::Allow | Verdict::Ask => Ok(Granted { call, auto_accept: false }),
        }
    }

    /// The files that a command would see without the user's last changes.
    fn unsaved(&self, call: &ResolvedCall) -> Vec<DocumentUri> {
        if !call.runs() {
            return Vec::new();
        }
        // What is no file (a chat, an untitled text) no command could read anyway.
        let unsaved = self.setup.documents.unsaved();
        let files = unsaved.iter().filter(|open| open.uri.to_path().is_some());
        files.map(|open| open.uri.clone()).collect()
    }

    async fn decide(&self, call: &ResolvedCall) -> Decision {
        let setup = &self.setup;
        let mut memory = setup.grants.memory();
        for remembered in self.saved.rules().await {
            memory.remember(remembered.clone(), Span::Workspace);
        }
        let allowed_once = setup.grants.artifacts();
        let gate = policy::Gate {
            mode: *setup.mode.lock(),
            tools: &setup.agent.tools,
            disabled: &BTreeSet::new(),
            policy: &setup.settings.policy,
            declared: None,
            memory: &memory,
            confined: true,
            roots: &setup.folders,
            readable: &setup.readable,
            allowed_once: &allowed_once,
            home: setup.home.as_deref(),
        };
        policy::decide(&gate, call)
    }

    async fn ask(&self, call: &ResolvedCall, decision: &Decision, unsaved: Vec<DocumentUri>) -> Answer {
        let setup = &self.setup;
        if setup.approve && !is_hard(call) {
            return Answer::AllowOnce;
        }
        if setup.approve || !setup.interactive {
            return Answer::Reject { feedback: Some(UNANSWERED.into()), stop: false };
        }
        let (shown_subject, hidden) = make_visible(&call.subject);
        let mut warnings = warnings(call);
        warnings.extend(call.notes.iter().map(|note| make_visible(note).0));
        if hidden > 0 {
            warnings.push(format!("{hidden} hidden or control characters are shown as ⟨U+…⟩"));
        }
        let approval = Approval {
            id: uuid::Uuid::now_v7().to_string(),
            session: setup.session.clone(),
            title: title(call).to_owned(),
            call: call.clone(),
            shown_subject,
            rule: decision.rule.clone(),
            remember: decision.remember.as_ref().map(ToString::to_string),
            warnings,
            agent_path: setup.agent_path.clone(),
            can_save: setup.editor.abilities().saves,
            unsaved,
            sandbox: call.runs().then(|| ShownSandbox::none("there is no sandbox in this version")),
        };
        setup.asker.ask(approval).await
    }

    /// Save the documents that the approval named, and no others.
    async fn save_documents(&self, unsaved: Vec<DocumentUri>) -> Result<(), Refusal> {
        let saved = self.setup.editor.save(unsaved.clone()).await;
        match unsaved.iter().find(|uri| !saved.contains(uri)) {
            None => Ok(()),
            Some(uri) => {
                Err(refusal(format!("{} could not be saved first, so nothing was run.", uri.as_str())))
            }
        }
    }

    async fn save(&self, remember: Option<policy::Remembered>) -> Result<(), Refusal> {
        let Some(remember) = remember else { return Ok(()) };
        self.setup.grants.remember(Some(remember.clone()));
        self.saved.add(remember).await.map_err(|problem| {
            refusal(format!(
                "The user allowed it, but the rule could not be saved: {problem}. Nothing was run."
            ))
        })
    }

    /// Between the answer and the act the disk may have changed: a path that now leads elsewhere
    /// is not what was approved.
    async fn still_so(&self, call: &ResolvedCall) -> Result<(), Refusal> {
        let (folders, own, paths) =
            (Arc::clone(&self.setup.folders), Arc::clone(&self.setup.own), call.paths.clone());
        let moved = tokio::task::spawn_blocking(move || {
            let places = Places { roots: &folders, own: &own };
            let leads_elsewhere = |path: &ResolvedPath| {
                let now = documents::resolve_path(places, &path.given);
                now.ok().map(|now| now.canonical).as_ref() != Some(&path.canonical)
            };
            paths.into_iter().map(|(_, path)| path).find(leads_elsewhere)
        });
        match moved.await {
            Ok(None) => Ok(()),
            Ok(Some(path)) => Err(refusal(format!(
                "{} leads elsewhere than when the user was asked. Nothing was done.",
                path.given
            ))),
            Err(_) => Err(refusal("The paths could not be looked at again. Nothing was done.".into())),
        }
    }
}

const UNANSWERED: &str = "nobody is here to be asked, and what would be asked is refused";

/// What `--yes` never answers: it is asked about each time, by a person.
fn is_hard(call: &ResolvedCall) -> bool {
    let protected = |(access, path): &(Access, ResolvedPath)| access.writes() && path.protected.is_some();
    call.effects.exec == Exec::Untrusted || call.unsandboxed || call.paths.iter().any(protected)
}

/// Fixed words by what the call does; never a model's.
fn title(call: &ResolvedCall) -> &'static str {
    let writes = call.paths.iter().any(|(access, _)| access.writes());
    let mode = call.paths.iter().any(|(access, _)| *access == Access::Mode);
    let outside = call.paths.iter().any(|(_, path)| path.class == PathClass::External);
    match (call.runs(), writes, outside) {
        (true, _, _) => "Run a command",
        _ if mode => "Change a file's mode",
        (false, true, true) => "Change a file outside the workspace",
        (false, true, false) => "Change a protected, hidden or ignored file",
        (false, false, true) => "Read outside the workspace",
        (false, false, false) => "Use a tool",
    }
}

/// What the user should know before answering.
fn warnings(call: &ResolvedCall) -> Vec<String> {
    let mut warnings = Vec::new();
    for (_, path) in &call.paths {
        if path.canonical != path.absolute {
            warnings.push(format!("{} is a link to {}", path.given, path.canonical.display()));
        }
        if let Some(name) = &path.protected {
            warnings.push(format!("{} is protected ({name}): it can make programs run", path.given));
        }
    }
    let lines = call.subject.lines().count();
    if lines > 1 {
        warnings.push(format!("the command has {lines} lines and {} bytes", call.subject.len()));
    }
    warnings
}

fn refusal(words: String) -> Refusal {
    Refusal { words, stop: false }
}

fn rejected(call: &ResolvedCall, feedback: Option<String>, stop: bool) -> Refusal {
    let reason = match feedback {
        Some(reason) => format!("The user did not allow it: {reason}."),
        None => "The user did not allow it.".to_owned(),
    };
    let words = format!(
        "{} was not run. {} Do not try the same again or get around it; go another way or ask.",
        call.tool,
        reason.replace("..", ".")
    );
    Refusal { words, stop }
}

#[cfg(test)]
mod tests;
