use super::*;

fn problems(text: &str) -> Vec<String> {
    from_file("assent.yaml", text).unwrap_err().iter().map(ToString::to_string).collect()
}

fn only(problem: &str, text: &str) {
    let found = problems(text);
    assert!(found.iter().any(|found| found.contains(problem)), "{problem} is not in {found:#?}");
}

const WHOLE: &str = r#"
model: anthropic/claude-sonnet-4-5
providers:
  local: { api: openai-chat, baseUrl: "http://127.0.0.1:8080/v1", textCalls: true }
  work:  { api: anthropic, baseUrl: "https://llm.example.com", apiKeyEnv: WORK_KEY }
agents:
  assent:  { tools: all }
  plan:    { tools: [read, grep], mode: plan }
  a: { tools: none }
  b: { tools: { exclude: [bash] } }
  c: { tools: { bash: false, read: true } }
tools:
  web_search: assent:web_search
policy:
  default: ask
  bash: { allow: ["git status", "cargo test*"], deny: ['/^rm\s+-rf/'] }
mcp:
  files: { command: npx, args: ["-y", "some-server", "."] }
"#;

#[test]
fn the_documented_file_is_read_whole() {
    let (settings, ignored) =
        layer(vec![Layer { scope: Scope::User, written: from_file("assent.yaml", WHOLE).unwrap() }]);
    assert!(ignored.is_empty());
    assert_eq!(settings.model.as_deref(), Some("anthropic/claude-sonnet-4-5"));
    assert_eq!(settings.providers["local"].text_calls, Some(true));
    assert_eq!(settings.providers["work"].api_key_env.as_deref(), Some("WORK_KEY"));
    let may = |agent: &str, tool: &str| settings.agents[agent].tools.allows(tool);
    assert!(may("assent", "bash") && may("plan", "read") && !may("plan", "bash") && !may("a", "read"));
    assert!(!may("b", "bash") && may("b", "read") && !may("c", "bash") && may("c", "read"));
    assert_eq!(settings.agents["plan"].mode, Some(Mode::Plan));
    assert_eq!(settings.policy.rules.tools["bash"].allow.len(), 2);
}

/// cases.md G1.
#[test]
fn mistakes_have_file_line_and_key() {
    only("assent.yaml:1:1: `modle`: unknown key; did you mean `model`?", "modle: x\n");
    only("given twice", "policy:\n  bash: { allow: [\"a\"] }\n  bash: { deny: [\"a\"] }\n");
    only("assent.yaml:2", "policy:\n  *: deny\n");
    only("`model`: must be a text, not a number", "model: 3\n");
    only("`agents.a.tools`", "agents:\n  a: { tools: 7 }\n");
    only("`providers.x.api`", "providers:\n  x: { api: soap }\n");
    assert_eq!(problems("modle: x\npolicy:\n  bash: { alow: [] }\n").len(), 2);
    assert!(from_file("f", "\n").is_ok() && from_file("f", "# only a comment\n").is_ok());
}

/// security.md D02 and D04: a project may only narrow.
#[test]
fn a_project_may_only_narrow() {
    let user = from_file("user", "agents:\n  a: { tools: { exclude: [bash] } }\n").unwrap();
    let project = "model: local/x\nmode: accept-edits\nproviders:\n  evil: { baseUrl: \"http://evil\" }\n\
                   agents:\n  a: { tools: all }\npolicy:\n  bash: { allow: [\"*\"], deny: [\"rm *\"] }\n";
    let project = from_file("project", project).unwrap();
    let layers =
        vec![Layer { scope: Scope::User, written: user }, Layer { scope: Scope::Project, written: project }];
    let (settings, ignored) = layer(layers);
    let named: Vec<&str> = ignored.iter().map(|problem| problem.key.as_str()).collect();
    assert_eq!(named, ["mode", "providers.evil", "policy.bash.allow"]);
    assert!(settings.mode.is_none() && settings.providers.is_empty());
    assert!(!settings.agents["a"].tools.allows("bash"));
    assert!(settings.policy.rules.tools.is_empty());
    assert_eq!(settings.policy.narrowing.len(), 1);
    assert_eq!(settings.model.as_deref(), Some("local/x"));
}

/// security.md C05: what changed since the user looked narrows at once; it widens, names and says
/// nothing, and what it takes back still holds.
#[test]
fn a_changed_file_only_narrows() {
    let looked_at =
        "model: local/x\nagents:\n  mine: { prompt: good }\npolicy:\n  bash: { deny: [\"rm *\"] }\n";
    let changed = "model: local/y\nmode: plan\nagents:\n  mine: { prompt: evil, tools: [read] }\n  new: { prompt: evil }\n\
                   policy:\n  bash: { deny: [\"mv *\"] }\n";
    let layers = vec![
        Layer { scope: Scope::LookedAt, written: from_file("a", looked_at).unwrap() },
        Layer { scope: Scope::Changed, written: from_file("a", changed).unwrap() },
    ];
    let (settings, _) = layer(layers);
    assert_eq!((settings.model.as_deref(), settings.mode), (Some("local/x"), Some(Mode::Plan)));
    assert_eq!(settings.agents.keys().collect::<Vec<_>>(), ["mine"]);
    let mine = &settings.agents["mine"];
    assert_eq!(mine.prompt.as_deref(), Some("good"));
    assert!(mine.tools.allows("read") && !mine.tools.allows("bash"));
    assert_eq!(settings.policy.narrowing.len(), 2);
}

#[test]
fn an_overview_tells_what_a_file_would_do() {
    let overview = from_file("assent.yaml", WHOLE).unwrap().overview();
    assert_eq!((overview.rules, overview.agents.len()), (2, 5));
    let entries: Vec<_> = overview.entries.iter().map(|entry| (entry.kind, entry.name.as_str())).collect();
    assert_eq!(entries, [(EntryKind::Mcp, "files")], "`assent:web_search` is ours");
    let ignored: Vec<_> = overview.ignored.iter().map(|problem| problem.key.as_str()).collect();
    assert_eq!(ignored, ["providers.local", "providers.work", "policy.bash.allow"]);
    let modules = from_file("f", "tools:\n  x: tools/x.ts\n").unwrap().overview().entries;
    assert_eq!(modules[0].value, "tools/x.ts");
}

#[test]
fn the_editor_is_the_last_layer() {
    let editor = from_editor(&serde_json::json!({ "model": "a/b", "policy": { "bash": { "deny": ["x"] } } }));
    let layers = vec![
        Layer { scope: Scope::User, written: from_file("user", "model: c/d\n").unwrap() },
        Layer { scope: Scope::User, written: editor.unwrap() },
    ];
    let (settings, _) = layer(layers);
    assert_eq!(settings.model.as_deref(), Some("a/b"));
    assert!(from_editor(&serde_json::Value::Null).is_ok());
    assert!(from_editor(&serde_json::json!({ "nosuch": 1 })).is_err());
}

/// security.md D02: each loosening key is left out, and named with its file and line.
#[test]
fn what_a_project_may_not_set_is_told() {
    let text = "mode: accept-edits\nproviders:\n  x: { apiKeyEnv: K }\npolicy:\n  default: allow\n  bash:\n    allow: [ls]\n    default: allow\n  read: { deny: [x] }\nprojectMayReplace: [bash]\n";
    let written = from_file("ws/assent.yaml", text).unwrap();
    let (_, ignored) = layer(vec![Layer { scope: Scope::Project, written }]);
    let places: Vec<_> = ignored.iter().map(|problem| (problem.line, problem.key.as_str())).collect();
    let wanted = [
        (1, "mode"),
        (3, "providers.x"),
        (10, "projectMayReplace"),
        (5, "policy.default"),
        (7, "policy.bash.allow"),
        (8, "policy.bash.default"),
    ];
    assert_eq!(places, wanted);
    assert!(ignored.iter().all(|problem| problem.to_string().starts_with("ws/assent.yaml:")));
}

#[test]
fn a_project_may_make_modes_stricter() {
    let user = || from_file("user", "mode: accept-edits\nagents:\n  a: { mode: ask }\n").unwrap();
    let with = |project: &str| {
        let written = from_file("project", project).unwrap();
        let layers =
            [Layer { scope: Scope::User, written: user() }, Layer { scope: Scope::Project, written }];
        layer(layers.into()).0
    };
    assert_eq!(with("mode: plan\n").mode, Some(Mode::Plan));
    assert_eq!(with("mode: ask\n").mode, Some(Mode::Ask));
    assert_eq!(with("agents:\n  a: { mode: plan }\n").agents["a"].mode, Some(Mode::Plan));
    assert_eq!(
        with("agents:\n  a: { mode: accept-edits }\n  b: { mode: accept-edits }\n").agents["a"].mode,
        Some(Mode::Ask)
    );
    assert_eq!(with("agents:\n  b: { mode: accept-edits }\n").agents["b"].mode, None);
}

/// cases.md G1: also in sections that other parts read.
#[test]
fn no_key_is_given_twice_anywhere() {
    only("`mcp.files.command`: given twice", "mcp:\n  files:\n    command: a\n    command: b\n");
    only("`tools.x`: given twice", "tools:\n  x: a.ts\n  x: b.ts\n");
    only("`providers`: given twice", "providers:\nproviders:\n");
}

const AGENT_FILE: &str = "---\ndescription: Looks at changes\nmode: plan\ntools: [read, grep]\n---\n\nReview what changed.\nBe brief.\n";

#[test]
fn an_agent_can_be_a_markdown_file() {
    let agent = agent_from_file("review.md", AGENT_FILE).unwrap();
    assert_eq!(agent.description.as_deref(), Some("Looks at changes"));
    assert_eq!(agent.mode, Some(Mode::Plan));
    assert_eq!(agent.prompt.as_deref(), Some("Review what changed.\nBe brief."));
    assert!(agent.tools.is_some_and(|tools| tools.allows("grep") && !tools.allows("bash")));
    // The line ends of a Windows editor, a mark at its beginning, no front matter at all.
    let windows = format!("\u{feff}{}", AGENT_FILE.replace('\n', "\r\n"));
    assert_eq!(agent_from_file("review.md", &windows).unwrap().mode, Some(Mode::Plan));
    assert_eq!(agent_from_file("a.md", "Only words.").unwrap().tools, None);
}

#[test]
fn mistakes_in_an_agents_file_are_at_their_lines() {
    let problem = |text: &str| agent_from_file("a.md", text).unwrap_err().remove(0);
    let unknown = problem("---\ntools: all\ncolour: red\n---\nx\n");
    assert_eq!((unknown.line, unknown.key.as_str()), (3, "colour"));
    assert_eq!(problem("---\n\n\ntools: 7\n---\nx\n").line, 4);
    assert!(problem("---\ntools: all\n").message.contains("no end"));
    assert!(problem("---\ntools: all\n---\n \n").message.contains("no prompt"));
    assert_eq!(problem("---\nprompt: x\n---\ny\n").key, "prompt");
}

#[test]
fn an_entry_of_the_settings_changes_of_an_agent_what_it_says() {
    let files =
        || Written::of_agents([("review".to_owned(), agent_from_file("review.md", AGENT_FILE).unwrap())]);
    let with = |scope, text: &str| {
        let written = from_file("settings", text).unwrap();
        layer(vec![Layer { scope: Scope::User, written: files() }, Layer { scope, written }]).0
    };
    let user = with(Scope::User, "agents:\n  review: { tools: all, model: a/b }\n");
    let review = &user.agents["review"];
    assert!(review.tools.allows("bash"));
    assert_eq!(review.model.as_deref(), Some("a/b"));
    assert!(review.prompt.as_deref().is_some_and(|prompt| prompt.contains("Be brief")));
    // A project's can take tools away, and give none.
    let project = with(Scope::Project, "agents:\n  review: { tools: [bash, read], mode: ask }\n");
    let review = &project.agents["review"];
    assert!(review.tools.allows("read") && !review.tools.allows("grep") && !review.tools.allows("bash"));
    assert_eq!(review.mode, Some(Mode::Plan));
}

#[test]
fn the_sandbox_is_a_mode_or_an_object() {
    let read =
        |text: &str| layer(vec![Layer { scope: Scope::User, written: from_file("f", text).unwrap() }]).0;
    assert_eq!(read("").sandbox, Sandbox { mode: SandboxMode::Preferred, ..Sandbox::default() });
    assert_eq!(read("sandbox: off").sandbox.mode, SandboxMode::Off);
    let settings = read(
        "sandbox: { mode: required, network: true, kind: landlock, writable: [~/.cache, /opt/x] }\ncommands: { env: [DATABASE_URL] }",
    );
    let wanted = Sandbox {
        mode: SandboxMode::Required,
        network: true,
        writable: vec!["~/.cache".into(), "/opt/x".into()],
        kind: Some(SandboxKind::Landlock),
    };
    assert_eq!((settings.sandbox, settings.command_variables), (wanted, vec!["DATABASE_URL".to_owned()]));
    for (text, key) in [
        ("sandbox: on", "sandbox"),
        ("sandbox: { write: [/x] }", "sandbox.write"),
        ("sandbox: { writable: [cache] }", "sandbox.writable[0]"),
        ("commands: { env: ['A B'] }", "commands.env[0]"),
        ("commands: { env: [OK, ld_preload] }", "commands.env[1]"),
        ("commands: { env: [GIT_SSH_COMMAND] }", "commands.env[0]"),
    ] {
        let problems = from_file("f", text).unwrap_err();
        assert_eq!(problems[0].key, key, "{problems:?}");
    }
}

/// security.md D02: a project only tightens, and is told of what does not count.
#[test]
fn a_project_only_tightens_the_sandbox() {
    let add = |user: &str, project: &str| {
        let layers = [(Scope::User, user), (Scope::Project, project)];
        let layers = layers.map(|(scope, text)| Layer { scope, written: from_file("f", text).unwrap() });
        let (settings, ignored) = layer(layers.into());
        let keys: Vec<_> = ignored.into_iter().map(|problem| problem.key).collect();
        (settings, keys)
    };
    let (settings, ignored) = add("", "sandbox: { mode: required, network: false }");
    assert_eq!((settings.sandbox.mode, ignored), (SandboxMode::Required, Vec::<String>::new()));
    let (settings, _) = add("sandbox: { network: true }", "sandbox: { network: false }");
    assert!(!settings.sandbox.network);
    let loosening =
        "sandbox: { mode: off, network: true, writable: [/], kind: landlock }\ncommands: { env: [X] }";
    let (settings, ignored) = add("sandbox: preferred", loosening);
    assert_eq!(settings.sandbox, Sandbox::default());
    assert_eq!(settings.command_variables, Vec::<String>::new());
    let keys = ["sandbox.mode", "sandbox.network", "sandbox.writable", "sandbox.kind", "commands.env"];
    assert_eq!(ignored, keys);
}
