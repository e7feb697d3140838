//! The gate. Every call, from whatever dialect, goes through [`Gate::check`], the only maker of a
//! [`Granted`]: the policy decides (`base::policy`), perhaps the user is asked, and whatever is
//! unclear is a no.

mod binding;
mod confinement;
mod grants;
mod listed;
mod saved;
mod shown;

pub use grants::SessionGrants;
pub use listed::{ListedRule, list_rules, remove_rule};

use crate::documents::DocumentsReader;
use crate::editor::{Answer, Approval, Editor, ToolIdentity};
use crate::event::SessionId;
use crate::process::Processes;
use crate::process::sandbox::Profile;
use assent_base::clip::{make_visible, visible_line};
use assent_base::manifest::{Agent, Settings};
use assent_base::path::{DocumentUri, ResolvedPath};
use assent_base::policy::{self, Access, Decision, Memory, Mode, Remembered, ResolvedCall, Span, Verdict};
use assent_base::tool::Exec;
use async_trait::async_trait;
use binding::{Eye, Question, World};
use confinement::Confinement;
use parking_lot::Mutex;
use saved::Saved;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// The right to run exactly one resolved call. Only the gate can make one.
#[derive(Debug)]
pub struct Granted {
    call: ResolvedCall,
    auto_accept: bool,
    sandbox: Option<Arc<Profile>>,
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

    /// The sandbox that it was judged and shown with; a process of the call starts in it.
    pub fn sandbox(&self) -> Option<Arc<Profile>> {
        self.sandbox.clone()
    }

    /// A grant without a gate, for the tests of tools.
    #[cfg(test)]
    pub(crate) fn for_tests(call: ResolvedCall, auto_accept: bool) -> Self {
        Self { call, auto_accept, sandbox: None }
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
    /// Calls are explained, and neither asked about nor run.
    pub explain: Option<Explain>,
    /// The user's message that the turn works on.
    pub prompt: String,
    /// Knows which sandboxes there are.
    pub processes: Processes,
    /// The temporary folder of what runs in one.
    pub scratch: PathBuf,
}

/// Says in words what a decision about a call comes from.
pub type Explain = fn(&ResolvedCall, &Decision) -> String;

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

    /// Judge a call of a tool:
    /// 1. the policy decides, over rules, remembered rules, mode and class;
    /// 2. a deny is told to the model and never asked about;
    /// 3. the sandbox is settled; where one is demanded and there is none, that is a deny;
    /// 4. an ask goes to the user, if there is one; no answer is a no;
    /// 5. what the answer was about must still be so, and still not be forbidden;
    /// 6. what was remembered is saved.
    pub async fn check(&self, call: ResolvedCall, tool: &ToolIdentity) -> Result<Granted, Refusal> {
        let decision = self.decide(&call).await;
        if let Some(explain) = self.setup.explain {
            return Err(refusal(explain(&call, &decision)));
        }
        if decision.verdict == Verdict::Deny {
            return Err(refusal(decision.reason_for_model));
        }
        let confinement = self.confinement(&call).await?;
        if decision.verdict == Verdict::Allow {
            let auto_accept = !decision.as_review;
            return Ok(Granted { call, auto_accept, sandbox: confinement.into_profile() });
        }
        if let Some(answer) = self.answered_by_itself(&call) {
            return match answer {
                Answer::Reject { feedback, stop } => Err(rejected(&call, feedback, stop)),
                _ => Ok(Granted { call, auto_accept: false, sandbox: confinement.into_profile() }),
            };
        }
        let unsaved = self.unsaved(&call);
        let asked = self.question(&call, &decision, tool, unsaved.clone(), &confinement).await?;
        let Asked { approval, world, policy } = asked;
        let question = Question {
            session: &self.setup.session.0,
            request: &approval.id.clone(),
            tool,
            policy: &policy,
            sandbox: approval.sandbox.as_ref().map(|sandbox| sandbox.words.clone()),
        };
        let digest = approval.digest.clone();
        let answer = self.setup.asker.ask(approval).await;
        if let Answer::Reject { feedback, stop } = answer {
            return Err(rejected(&call, feedback, stop));
        }
        let now = self.look(&call).await?;
        if now.digest(&question, &call) != digest {
            let what = now.difference(&world).unwrap_or_else(|| "something it was about has changed".into());
            return Err(stale(&what));
        }
        let again = self.decide(&call).await;
        if again.verdict == Verdict::Deny {
            return Err(refusal(again.reason_for_model));
        }
        match answer {
            Answer::SaveThenAllow => self.save_documents(unsaved).await?,
            Answer::Remember { span, rule } => self.remember(&call, decision.remember, span, rule).await?,
            Answer::AllowOnce | Answer::Reject { .. } => {}
        }
        if decision.once_a_session {
            self.setup.grants.remember_artifacts(&call.tool);
        }
        // The question was whether the place may be touched; what is written there is seen and
        // accepted hunk by hunk, like every edit.
        Ok(Granted { call, auto_accept: false, sandbox: confinement.into_profile() })
    }

    /// Judge a call again that was granted before the server ended and whose edit stood in review.
    /// A deny of today counts. What would be asked was answered then, and whatever is still to be
    /// written the user accepts hunk by hunk.
    pub async fn check_again(&self, call: ResolvedCall) -> Result<Granted, Refusal> {
        let decision = self.decide(&call).await;
        match decision.verdict {
            Verdict::Deny => Err(refusal(decision.reason_for_model)),
            Verdict::Allow | Verdict::Ask => Ok(Granted { call, auto_accept: false, sandbox: None }),
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

    /// What becomes of a call. Saved rules can only spare a question, so they are looked up only
    /// where there is one.
    async fn decide(&self, call: &ResolvedCall) -> Decision {
        let mut memory = self.setup.grants.memory();
        let decision = self.decide_with(call, &memory);
        if decision.verdict != Verdict::Ask {
            return decision;
        }
        self.saved.add_to(&mut memory).await;
        self.decide_with(call, &memory)
    }

    fn decide_with(&self, call: &ResolvedCall, memory: &Memory) -> Decision {
        let setup = &self.setup;
        let allowed_once = setup.grants.artifacts();
        let gate = policy::Gate {
            mode: *setup.mode.lock(),
            tools: &setup.agent.tools,
            disabled: &BTreeSet::new(),
            policy: &setup.settings.policy,
            declared: None,
            memory,
            confined: true,
            roots: &setup.folders,
            readable: &setup.readable,
            allowed_once: &allowed_once,
            home: setup.home.as_deref(),
        };
        policy::decide(&gate, call)
    }

    /// What `--yes` and an empty chair answer.
    fn answered_by_itself(&self, call: &ResolvedCall) -> Option<Answer> {
        let setup = &self.setup;
        match (setup.approve, setup.interactive) {
            (true, _) if !is_hard(call) => Some(Answer::AllowOnce),
            (false, true) => None,
            _ => Some(Answer::Reject { feedback: Some(UNANSWERED.into()), stop: false }),
        }
    }

    /// Everything that the user is asked, bound to how things stand now.
    async fn question(
        &self,
        call: &ResolvedCall,
        decision: &Decision,
        tool: &ToolIdentity,
        unsaved: Vec<DocumentUri>,
        confinement: &Confinement,
    ) -> Result<Asked, Refusal> {
        let setup = &self.setup;
        let (id, policy) = (uuid::Uuid::now_v7().to_string(), setup.settings.policy.fingerprint());
        let world = self.look(call).await?;
        let sandbox = confinement.shown();
        let question = Question {
            session: &setup.session.0,
            request: &id,
            tool,
            policy: &policy,
            sandbox: sandbox.as_ref().map(|sandbox| sandbox.words.clone()),
        };
        let digest = world.digest(&question, call);
        let mut facts = shown::facts(call, decision, tool, &world, &setup.folders, &setup.prompt);
        if sandbox.as_ref().is_some_and(|sandbox| !sandbox.network) {
            facts.network = "none".into();
        }
        let approval = Approval {
            id,
            session: setup.session.clone(),
            title: shown::title(call).to_owned(),
            call: call.clone(),
            shown_subject: make_visible(&call.subject).0,
            rule: visible_line(&decision.rule),
            remember: decision.remember.as_ref().map(|rule| visible_line(&rule.to_string())),
            warnings: shown::warnings(call),
            agent_path: setup.agent_path.clone(),
            can_save: setup.editor.abilities().saves,
            unsaved,
            sandbox,
            digest,
            facts,
        };
        Ok(Asked { approval, world, policy })
    }

    /// How the things stand that the call depends on.
    async fn look(&self, call: &ResolvedCall) -> Result<World, Refusal> {
        let setup = &self.setup;
        let (folders, own) = (Arc::clone(&setup.folders), Arc::clone(&setup.own));
        let (eye, call) = (Eye { folders, own, documents: setup.documents.clone() }, call.clone());
        let looked = tokio::task::spawn_blocking(move || eye.look(&call)).await;
        looked.map_err(|_| refusal("What the call touches could not be looked at. Nothing was done.".into()))
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

    /// Keeps the rule that the user allowed with, as it was shown or as the user changed it. One that
    /// does not cover the call itself is not what the user meant, and then nothing is run.
    async fn remember(
        &self,
        call: &ResolvedCall,
        shown: Option<Remembered>,
        span: Span,
        written: Option<String>,
    ) -> Result<(), Refusal> {
        let not_kept = |rule: &str, problem: &str| {
            refusal(format!(
                "The user allowed it with the rule `{rule}`, which can't be kept: {problem}. Nothing was run."
            ))
        };
        let Some(shown) = shown else {
            return Err(not_kept("", "no rule may be saved for this call"));
        };
        let as_shown = visible_line(&shown.to_string());
        let mut rule = match written.filter(|written| *written != as_shown) {
            None => shown,
            Some(written) => shown.edited(&written).map_err(|problem| not_kept(&written, &problem))?,
        };
        if span == Span::Always && call.runs() {
            rule = rule.anywhere();
        }
        let mut memory = Memory::default();
        memory.remember(rule.clone(), span);
        if self.decide_with(call, &memory).verdict != Verdict::Allow {
            return Err(not_kept(&rule.to_string(), "it does not cover the call that was asked about"));
        }
        if span == Span::Session {
            self.setup.grants.remember(rule);
            return Ok(());
        }
        let text = rule.to_string();
        self.saved.save(rule, span).await.map_err(|problem| not_kept(&text, &problem.to_string()))
    }
}

/// A question on its way to the user, and what it was made from.
struct Asked {
    approval: Approval,
    world: World,
    policy: String,
}

const UNANSWERED: &str = "nobody is here to be asked, and what would be asked is refused";

/// What `--yes` never answers: it is asked about each time, by a person.
fn is_hard(call: &ResolvedCall) -> bool {
    let protected = |(access, path): &(Access, ResolvedPath)| access.writes() && path.protected.is_some();
    call.effects.exec == Exec::Untrusted || call.unsandboxed || call.paths.iter().any(protected)
}

fn refusal(words: String) -> Refusal {
    Refusal { words, stop: false }
}

/// The answer was about something that is no more.
fn stale(what: &str) -> Refusal {
    refusal(format!(
        "stale_approval: {what}, so the answer does not count and nothing was done. Look at it as it is now; if \
         the call is still wanted, make it again."
    ))
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
