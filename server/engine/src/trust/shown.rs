//! What would count and could run in a workspace: everything the user is shown before saying yes,
//! read once, so that what is approved is what was shown.

use super::files::{self, whole};
use super::{Approved, Kind, Reason, Standing, Trust, digest};
use crate::limits;
use assent_base::clip::make_visible;
use assent_base::manifest::{self, EntryKind, Overview, Problem, agent_from_file};
use assent_base::policy::command_line;
use assent_base::tool::{Handler, ToolFile, parse_tool_file};
use serde_json::Value;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A workspace folder, looked through.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The folder that is covered, canonical.
    pub folder: PathBuf,
    /// Where it stands.
    pub state: State,
    /// Why nothing counts, where that is more than that nobody said so.
    pub reason: Option<Reason>,
    /// What would count.
    pub items: Vec<Item>,
    /// What would not count, trusted or not.
    pub ignored: Vec<Problem>,
    /// Mistakes, with which nothing would run.
    pub mistakes: Vec<Problem>,
    /// The settings file, name and text, to be kept as looked at.
    pub(super) settings: Option<(String, String)>,
}

/// Where a workspace stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing of the project counts.
    Untrusted,
    /// All of it counts.
    Trusted,
    /// What was looked at counts, something else is there.
    Pending,
}

/// One thing that would count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its name; with the kind unique in its folder.
    pub name: String,
    /// The file that it stands in.
    pub path: PathBuf,
    /// What it would do, in words; hidden characters are made visible.
    pub detail: String,
    /// Whether it was looked at.
    pub state: ItemState,
    /// Of its content; none of what is there no more.
    pub(super) digest: Option<String>,
}

/// Whether the user looked at something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemState {
    /// Never.
    New,
    /// At another content of it.
    Changed,
    /// At exactly this.
    Approved,
}

impl State {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Untrusted => "untrusted",
            Self::Trusted => "trusted",
            Self::Pending => "pending",
        }
    }
}

impl ItemState {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Approved => "approved",
        }
    }
}

impl Shown {
    /// Look through a folder. Blocks.
    pub fn look(trust: &Trust, folder: &Path) -> io::Result<Self> {
        let folder = std::fs::canonicalize(folder)?;
        let standing = trust.of(&folder);
        let nothing = Approved::default();
        let mut look = Look {
            approved: standing.approved().map_or(&nothing, |approved| approved),
            shown: Self {
                state: State::Untrusted,
                reason: match &standing {
                    Standing::Untrusted(reason) if *reason != Reason::NotYet => Some(reason.clone()),
                    _ => None,
                },
                items: Vec::new(),
                ignored: Vec::new(),
                mistakes: Vec::new(),
                settings: None,
                folder,
            },
        };
        look.settings();
        look.agents();
        look.tools();
        let mut shown = look.shown;
        if standing.approved().is_some() {
            let all = shown.items.iter().all(|item| item.state == ItemState::Approved);
            shown.state = if all { State::Trusted } else { State::Pending };
        }
        Ok(shown)
    }

    /// What binds a yes to all of this.
    pub fn digest(&self) -> String {
        let mut text = format!("{:?}\n", self.folder);
        for item in &self.items {
            text.push_str(&format!("{:?}\n", (item.kind, &item.name, &item.path, &item.digest)));
        }
        digest(text.as_bytes())
    }

    /// How many things wait to be looked at.
    pub fn pending(&self) -> usize {
        self.items.iter().filter(|item| item.state != ItemState::Approved).count()
    }
}

/// A look under way.
struct Look<'a> {
    approved: &'a Approved,
    shown: Shown,
}

impl Look<'_> {
    fn add(&mut self, kind: Kind, name: &str, path: &Path, detail: &str, digest: Option<String>) {
        let state = match (self.approved.digest(kind, name), &digest) {
            (Some(before), Some(now)) if before == now => ItemState::Approved,
            (None, Some(_)) => ItemState::New,
            _ => ItemState::Changed,
        };
        let detail = make_visible(detail).0;
        self.shown.items.push(Item {
            kind,
            name: name.to_owned(),
            path: path.to_owned(),
            detail,
            state,
            digest,
        });
    }

    fn settings(&mut self) {
        let Some(path) = files::settings_file(&self.shown.folder) else { return self.settings_gone() };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = match read(&path, limits::PROJECT_SETTINGS) {
            Ok(text) => text,
            Err(problem) => return self.mistake(Kind::Settings, &name, &path, &[], vec![problem]),
        };
        let overview = match manifest::from_file(&path.display().to_string(), &text) {
            Ok(written) => written.overview(),
            Err(problems) => return self.mistake(Kind::Settings, &name, &path, text.as_bytes(), problems),
        };
        self.add(Kind::Settings, &name, &path, &settings_in_words(&overview), Some(digest(text.as_bytes())));
        self.shown.settings = Some((name, text));
        for entry in &overview.entries {
            let (kind, detail) = match entry.kind {
                EntryKind::Mcp => {
                    (Kind::Mcp, format!("{} (this version starts no MCP server)", command(&entry.value)))
                }
                EntryKind::Module => {
                    (Kind::Module, format!("{} (this version runs no module)", plain(&entry.value)))
                }
            };
            let of = self.entry_digest(kind, &entry.value);
            self.add(kind, &entry.name, &path, &detail, Some(of));
        }
        self.shown.ignored.extend(overview.ignored);
    }

    /// Settings that were looked at and are there no more: what they narrow holds until that was
    /// looked at too.
    fn settings_gone(&mut self) {
        let Some((name, _)) = self.approved.settings() else { return };
        let (name, path) = (name.to_owned(), self.shown.folder.join(name));
        self.add(Kind::Settings, &name, &path, "is there no more; what it set still holds", None);
    }

    /// What an entry says; of a module also what is in its file.
    fn entry_digest(&self, kind: Kind, value: &Value) -> String {
        let mut content = value.to_string().into_bytes();
        if let (Kind::Module, Some(file)) = (kind, value.as_str()) {
            content.push(0);
            content
                .extend(read(&self.shown.folder.join(file), limits::TOOL_FILE).unwrap_or_default().bytes());
        }
        digest(&content)
    }

    fn agents(&mut self) {
        let files = match files::agent_files(&self.shown.folder) {
            Ok(files) => files,
            Err(problem) => return self.shown.mistakes.push(problem),
        };
        for path in files {
            let name = tool_name(&self.shown.folder, &path);
            let text = match read(&path, limits::AGENT_FILE) {
                Ok(text) => text,
                Err(problem) => {
                    self.mistake(Kind::Agent, &name, &path, &[], vec![problem]);
                    continue;
                }
            };
            match agent_from_file(&path.display().to_string(), &text) {
                Ok(agent) => {
                    // All of it is an instruction to the model, so all of it is shown.
                    let detail = agent.prompt.as_deref().unwrap_or_default();
                    self.add(Kind::Agent, &name, &path, detail, Some(digest(text.as_bytes())));
                }
                Err(problems) => self.mistake(Kind::Agent, &name, &path, text.as_bytes(), problems),
            }
        }
    }

    fn tools(&mut self) {
        let files = match files::tool_files(&self.shown.folder) {
            Ok(files) => files,
            Err(problem) => return self.shown.mistakes.push(problem),
        };
        for path in files {
            let name = tool_name(&self.shown.folder, &path);
            let text = match read(&path, limits::TOOL_FILE) {
                Ok(text) => text,
                Err(problem) => {
                    self.mistake(Kind::Tool, &name, &path, &[], vec![problem]);
                    continue;
                }
            };
            match parse_tool_file(&path.display().to_string(), &text) {
                Ok(tool) => {
                    let detail = tool_in_words(&tool, &text);
                    self.add(Kind::Tool, &name, &path, &detail, Some(digest(text.as_bytes())));
                }
                Err(problems) => self.mistake(Kind::Tool, &name, &path, text.as_bytes(), problems),
            }
        }
    }

    fn mistake(&mut self, kind: Kind, name: &str, path: &Path, bytes: &[u8], problems: Vec<Problem>) {
        self.add(kind, name, path, "has mistakes", Some(digest(bytes)));
        self.shown.mistakes.extend(problems);
    }
}

/// Under which name a tool file is approved: its place in the project.
pub fn tool_name(folder: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(folder).unwrap_or(path);
    let parts: Vec<_> = inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// A file's text.
fn read(path: &Path, most: u64) -> Result<String, Problem> {
    files::may_be_read(path, most)?;
    let mut text = String::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(most).read_to_string(&mut text));
    read.map_err(|error| whole(path, format!("can't be read: {error}")))?;
    Ok(text)
}

fn settings_in_words(overview: &Overview) -> String {
    let mut words = Vec::new();
    words.extend(overview.model.iter().map(|model| format!("model {model}")));
    words.extend(overview.mode.iter().map(|mode| format!("mode {mode:?}").to_lowercase()));
    if !overview.agents.is_empty() {
        words.push(format!("agents {}", overview.agents.join(", ")));
    }
    words.push(match overview.rules {
        0 => "no rules".to_owned(),
        1 => "1 rule that asks or refuses".to_owned(),
        rules => format!("{rules} rules that ask or refuse"),
    });
    words.join("; ")
}

/// The command line, the class and the variables of a tool; only the kind of one of our own
/// operations.
fn tool_in_words(tool: &ToolFile, text: &str) -> String {
    let effects = tool.definition.effects;
    let class = |value: Value| value.as_str().unwrap_or_default().to_owned();
    let class = format!(
        "reads {}, writes {}, exec {}",
        class(serde_json::json!(effects.reads)),
        class(serde_json::json!(effects.writes)),
        class(serde_json::json!(effects.exec))
    );
    let what = match &tool.handler {
        Some(Handler::Exec(exec)) => {
            let words = std::iter::once(&exec.bin).chain(&exec.subcommand).map(String::as_str);
            let env = exec.env.iter().map(|(name, value)| format!(" {name}={value}"));
            let env: String = env.collect();
            let with = if env.is_empty() { String::new() } else { format!(" with{env}") };
            format!("runs {} …{with}", command_line(words))
        }
        Some(Handler::BuiltIn(_)) | None => {
            let file: Value = serde_json::from_str(text).unwrap_or_default();
            format!("{} of Assent's own", plain(&file["handler"]["type"]))
        }
    };
    format!("{}: {what}; {class}", tool.definition.name)
}

/// The command line of an MCP entry; all of it where it has none.
fn command(value: &Value) -> String {
    let Some(program) = value["command"].as_str() else { return value.to_string() };
    let arguments: Vec<String> = value["args"].as_array().into_iter().flatten().map(plain).collect();
    let words = std::iter::once(program).chain(arguments.iter().map(String::as_str));
    let mut line = format!("runs {}", command_line(words));
    if let Some(env) = value.get("env") {
        line.push_str(&format!(" with {env}"));
    }
    line
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
