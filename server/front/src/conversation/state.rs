//! What a client is shown of a session, and what the agent says of itself.

use crate::protocol::{ServerAcp, ServerAssent};
use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1::{self as acp, AvailableCommand as Offered};
use assent_base::policy::Mode;
use assent_engine::commands::{self, SlashCommand};
use assent_engine::session::{SessionOption, SessionState, SessionSummary};

/// The config options' ids.
const MODE: &str = "mode";
const MODEL: &str = "model";
const AGENT: &str = "agent";
const EFFORT: &str = "effort";

const MODES: [(Mode, &str, &str, &str); 3] = [
    (Mode::Ask, "ask", "Ask", "Ask before anything beyond reading the project; review every edit."),
    (
        Mode::AcceptEdits,
        "accept-edits",
        "Accept edits",
        "Apply edits of project files at once; ask for all else.",
    ),
    (Mode::Plan, "plan", "Plan", "Read and plan; write nothing."),
];

/// Thought levels offered; the first leaves it to the model.
const EFFORTS: [(&str, &str); 4] =
    [("default", "Default"), ("low", "Low"), ("medium", "Medium"), ("high", "High")];

/// A mode's id on the wire.
pub fn mode_id(mode: Mode) -> &'static str {
    MODES.iter().find(|(other, ..)| *other == mode).map_or("ask", |(_, id, ..)| id)
}

/// The mode of an id.
pub fn mode(id: &str) -> Option<Mode> {
    MODES.iter().find(|(_, other, ..)| *other == id).map(|(mode, ..)| *mode)
}

/// What a config option's new value sets; an error says what there is.
pub fn option(id: &str, value: &str) -> Result<SessionOption, String> {
    match id {
        MODE => mode(value).map(SessionOption::Mode).ok_or_else(|| {
            let ids = MODES.map(|(_, id, ..)| id).join(", ");
            format!("There is no mode `{value}`. The modes are {ids}.")
        }),
        MODEL => Ok(SessionOption::Model(value.to_owned())),
        AGENT => Ok(SessionOption::Agent(value.to_owned())),
        EFFORT => Ok(SessionOption::Effort(value.to_owned())),
        _ => Err(format!("There is no option `{id}`. The options are {MODE}, {MODEL}, {AGENT}, {EFFORT}.")),
    }
}

/// The session's mode and those there are.
pub fn modes(state: &SessionState) -> acp::SessionModeState {
    let modes = MODES
        .iter()
        .map(|(_, id, name, description)| acp::SessionMode::new(*id, *name).description(*description))
        .collect();
    acp::SessionModeState::new(mode_id(state.mode), modes)
}

/// Everything a session can be set to.
pub fn config_options(state: &SessionState) -> Vec<acp::SessionConfigOption> {
    let modes =
        MODES.iter().map(|(_, id, name, description)| choice(id, name).description(*description)).collect();
    let mut options =
        vec![select(MODE, "Mode", mode_id(state.mode), modes, acp::SessionConfigOptionCategory::Mode)];
    let model = state.model.as_deref();
    let models = with_current(&state.models, model);
    if !models.is_empty() {
        let category = acp::SessionConfigOptionCategory::Model;
        options.push(select(MODEL, "Model", model.unwrap_or_default(), models, category));
    }
    let agents = with_current(&state.agents, Some(&state.agent));
    let category = acp::SessionConfigOptionCategory::Other("_agent".into());
    options.push(select(AGENT, "Agent", &state.agent, agents, category));
    let effort = state.effort.as_deref().unwrap_or(EFFORTS[0].0);
    let efforts = EFFORTS.iter().map(|(id, name)| choice(id, name)).collect();
    let category = acp::SessionConfigOptionCategory::ThoughtLevel;
    options.push(select(EFFORT, "Thought level", effort, efforts, category));
    options
}

/// A row of the session list.
pub fn summary(summary: &SessionSummary) -> acp::SessionInfo {
    acp::SessionInfo::new(summary.id.0.clone(), summary.folder.clone().unwrap_or_default())
        .title(summary.title.clone())
        .updated_at(summary.updated.clone())
}

/// The slash commands: those that are words for the model, then those of tools.
pub fn available_commands(of_tools: &[SlashCommand]) -> acp::AvailableCommandsUpdate {
    let offered = |command: SlashCommand| {
        let offered = Offered::new(command.name, command.description);
        match command.hint.is_empty() {
            true => offered,
            false => offered.input(acp::AvailableCommandInput::Unstructured(
                acp::UnstructuredCommandInput::new(command.hint),
            )),
        }
    };
    let all = commands::shipped().into_iter().chain(of_tools.iter().cloned());
    acp::AvailableCommandsUpdate::new(all.map(offered).collect())
}

/// What the agent can do.
pub fn agent_capabilities() -> acp::AgentCapabilities {
    acp::AgentCapabilities::new()
        .load_session(true)
        .prompt_capabilities(acp::PromptCapabilities::new().image(true).embedded_context(true))
        .session_capabilities(
            acp::SessionCapabilities::new()
                .list(acp::SessionListCapabilities::new())
                .delete(acp::SessionDeleteCapabilities::new())
                .resume(acp::SessionResumeCapabilities::new())
                .close(acp::SessionCloseCapabilities::new()),
        )
}

/// The answer to ACP's `initialize`.
pub fn initialized() -> acp::InitializeResponse {
    acp::InitializeResponse::new(ProtocolVersion::V1)
        .agent_capabilities(agent_capabilities())
        .agent_info(acp::Implementation::new("assent", env!("CARGO_PKG_VERSION")).title("Assent"))
}

/// The same for `capabilities.experimental.assent` of LSP's `initialize`.
pub fn server_assent() -> ServerAssent {
    ServerAssent {
        version: env!("CARGO_PKG_VERSION").into(),
        acp: ServerAcp { protocol_version: ProtocolVersion::V1, agent_capabilities: agent_capabilities() },
    }
}

fn select(
    id: &'static str,
    name: &str,
    current: &str,
    options: Vec<acp::SessionConfigSelectOption>,
    category: acp::SessionConfigOptionCategory,
) -> acp::SessionConfigOption {
    acp::SessionConfigOption::select(id, name, current.to_owned(), options).category(category)
}

fn choice(id: &str, name: &str) -> acp::SessionConfigSelectOption {
    acp::SessionConfigSelectOption::new(id.to_owned(), name)
}

/// The choices, the current one among them even where it is not offered.
fn with_current(offered: &[String], current: Option<&str>) -> Vec<acp::SessionConfigSelectOption> {
    let missing = current.filter(|current| !offered.iter().any(|offer| offer == current));
    missing.into_iter().chain(offered.iter().map(String::as_str)).map(|name| choice(name, name)).collect()
}
