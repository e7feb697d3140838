use super::*;
use crate::process::Processes;
use crate::tools::Registry;
use assent_base::policy::{Decision, Gate, Memory, Mode, Policy, ProgramCall, ResolvedCall, Verdict, decide};
use assent_base::tool::{AgentTools, Definition, Handler, Reads, parse_tool_file};
use serde_json::Map;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[test]
fn every_shipped_file_is_sound_and_none_is_forgotten() {
    for (name, text) in FILES {
        let file = parse_tool_file(name, text).unwrap();
        assert!(!file.requires_file.is_empty(), "{name} would be offered in every workspace");
        let Some(Handler::Exec(handler)) = &file.handler else { panic!("{name}") };
        assert!(handler.filter.is_closed(), "{name} says nothing of some arguments");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools");
    let there = std::fs::read_dir(folder).unwrap().filter(|entry| {
        let path = entry.as_ref().unwrap().path();
        path.extension().is_some_and(|ext| ext == "json")
            && std::fs::read_to_string(path).unwrap().contains("\"handler\"")
    });
    assert_eq!(there.count(), FILES.len());
}

/// What the gate says of a call without arguments.
fn decision(file: &ToolFile, mode: Mode) -> Decision {
    let Some(Handler::Exec(handler)) = &file.handler else { panic!() };
    let program = PathBuf::from("/usr/bin").join(&handler.bin);
    let call = ResolvedCall {
        call_id: "c".into(),
        tool: file.definition.name.clone(),
        subject: handler.bin.clone(),
        effects: file.definition.effects,
        paths: Vec::new(),
        command: None,
        program: Some(ProgramCall {
            real: program.clone(),
            program,
            arguments: handler.subcommand.clone(),
            directory: "/ws".into(),
            environment: handler.env.clone(),
        }),
        arguments: Map::new(),
        notes: Vec::new(),
        unsandboxed: false,
    };
    let gate = Gate {
        mode,
        tools: &AgentTools::All,
        disabled: &BTreeSet::new(),
        policy: &Policy::default(),
        declared: None,
        memory: &Memory::default(),
        confined: true,
        roots: &["/ws".into()],
        readable: &[],
        allowed_once: &BTreeSet::new(),
        home: None,
    };
    decide(&gate, &call)
}

/// B07: nothing that runs code of the project runs without a question, and the question says so.
#[test]
fn b07_what_runs_project_code_asks_with_that_reason() {
    for (_, file) in files(false) {
        let name = &file.definition.name;
        let said = decision(&file, Mode::Ask);
        let expected = match file.definition.effects.exec {
            Exec::Project => "runs code from this project",
            Exec::Untrusted => "it can run code that is not the project's",
            Exec::None if name == "ruff" => {
                assert_eq!(said.verdict, Verdict::Allow, "ruff reads, and runs nothing of the project");
                continue;
            }
            Exec::None if file.definition.effects.reads == Reads::Network => "reads from the network",
            Exec::None => "reads a path that ignore rules exclude",
            Exec::Undeclared => panic!("{name} declares nothing"),
        };
        assert_eq!(said.verdict, Verdict::Ask, "{name}");
        assert!(said.rule.contains(expected), "{name}: {}", said.rule);
        let writes = file.definition.effects.writes != Writes::None;
        assert_eq!(decision(&file, Mode::Plan).verdict == Verdict::Deny, writes, "{name} in mode plan");
    }
}

#[test]
fn b03_git_may_look_without_a_question_only_where_the_workspace_is_trusted() {
    for (name, file) in files(true).filter(|(name, _)| name.starts_with("tools/git_")) {
        let looks = file.definition.effects.writes == Writes::None;
        assert_eq!(decision(&file, Mode::Ask).verdict == Verdict::Allow, looks, "{name}");
    }
}

/// B03: git runs nothing that a repository configures for looking at it, but for filters.
#[test]
fn b03_git_is_kept_from_helpers() {
    for (name, file) in files(false).filter(|(name, _)| name.starts_with("tools/git_")) {
        let Some(Handler::Exec(handler)) = &file.handler else { panic!() };
        let fixed = handler.subcommand.join(" ");
        assert!(fixed.contains("--no-pager") && fixed.contains("-c core.fsmonitor=false"), "{name}: {fixed}");
        if file.definition.effects.writes == Writes::None {
            assert!(fixed.contains("-c core.hooksPath=/dev/null"), "{name}: {fixed}");
            assert!(handler.env.contains(&("GIT_OPTIONAL_LOCKS".into(), "0".into())), "{name}");
        }
        if ["diff", "log", "show"].iter().any(|command| handler.subcommand.contains(&(*command).to_owned())) {
            assert!(fixed.contains("--no-ext-diff --no-textconv"), "{name}: {fixed}");
        }
    }
}

/// B01, B02, B06, B08: options that redirect, or run something, are in no list.
#[test]
fn b02_dangerous_options_are_in_no_list() {
    let strange = |tool: &str, arguments: &[&str]| {
        let (_, file) = files(false).find(|(_, file)| file.definition.name == tool).unwrap();
        let Some(Handler::Exec(handler)) = file.handler else { panic!() };
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        match handler.filter.judge(&arguments) {
            Ok(judged) => !judged.doubts.is_empty(),
            Err(_) => true,
        }
    };
    for (tool, arguments) in [
        ("gitDiff", &["--output=M"][..]),
        ("gitDiff", &["--outpu=M"]),
        ("gitDiff", &["--no-index", "/etc/hostname", "x"]),
        ("gitDiff", &["--ext-diff"]),
        ("gitDiff", &["--textconv"]),
        ("gitLog", &["--output", "M"]),
        ("gitShow", &["--textconv"]),
        ("gitBlame", &["--contents", "/etc/hostname"]),
        ("gitBranches", &["-D", "main"]),
        ("gitCommit", &["-F", "/etc/hostname"]),
        ("gitAdd", &["--pathspec-from-file=x"]),
        ("goTest", &["-exec", "x"]),
        ("goTest", &["--exec=x"]),
        ("goTest", &["-toolexec=x"]),
        ("goTest", &["-overlay=x"]),
        ("goTest", &["-c", "-o", "x"]),
        ("goTest", &["-cpuprofile=x"]),
        ("goBuild", &["-pgo=/etc/x"]),
        ("goVet", &["-vettool=x"]),
        ("cargoTest", &["--config", "x"]),
        ("cargoBuild", &["-Zunstable"]),
        ("cargoCheck", &["--target-dir=/x"]),
        ("pytest", &["-pplugin"]),
        ("pytest", &["-c", "x"]),
        ("pytest", &["--rootdir=/"]),
        ("ruff", &["--fix"]),
        ("ruff", &["--config=x"]),
        ("eslint", &["--fix"]),
        ("eslint", &["--rulesdir=x"]),
        ("tsc", &["--outDir", "x"]),
        ("mypy", &["--config-file=x"]),
        ("make", &["--eval=x"]),
        ("mavenTest", &["-f/x/pom.xml"]),
        ("gradleTest", &["--init-script", "x"]),
        ("ghPrView", &["--web"]),
        ("dockerComposePs", &["--file=x"]),
    ] {
        assert!(strange(tool, arguments), "{tool} {arguments:?}");
    }
    for (tool, arguments) in [
        ("gitDiff", &["--cached", "-U3", "HEAD~1", "--", "src"][..]),
        ("gitLog", &["-n", "5", "--oneline", "--author=me"]),
        ("goTest", &["-run", "TestA", "-count=1", "./..."]),
        ("cargoTest", &["-p", "a", "name", "--", "--nocapture"]),
        ("pytest", &["-vv", "-k", "a and b", "tests"]),
    ] {
        assert!(!strange(tool, arguments), "{tool} {arguments:?}");
    }
}

/// The goal for a first request is 16 kB with all of our own tools. What a workspace adds is small,
/// and a workspace without a toolchain that we know adds nothing.
#[test]
fn what_a_workspace_adds_to_the_first_request_is_small() {
    let offered = |files: &[&str]| {
        let folder = tempfile::TempDir::new().unwrap();
        let bin = tempfile::TempDir::new().unwrap();
        for (_, file) in super::files(false) {
            let Some(Handler::Exec(handler)) = file.handler else { panic!() };
            program(&bin.path().join(&handler.bin));
        }
        files.iter().for_each(|name| std::fs::write(folder.path().join(name), "").unwrap());
        let path = bin.path().display().to_string();
        let processes = Processes::new(&|name| (name == "PATH").then(|| path.clone()));
        let folders: Arc<[PathBuf]> = [folder.path().canonicalize().unwrap()].into();
        let all = Registry::built_in().with_catalogue(&processes, &folders, false).offered(|_| true);
        let ours = Registry::built_in().offered(|_| true).len();
        all[ours..].to_vec()
    };
    let names =
        |tools: &[Arc<Definition>]| tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>().join(" ");
    assert_eq!(names(&offered(&[])), "");
    assert_eq!(names(&offered(&["Cargo.toml"])), "cargoBuild cargoCheck cargoTest cargoClippy cargoFmt");
    assert_eq!(names(&offered(&["a.csproj"])), "dotnetTest");
    assert_eq!(names(&offered(&["yarn.lock", "tsconfig.json"])), "yarnTest yarnRun tsc");
    let large = offered(&[".git", "Cargo.toml", "go.mod", "pnpm-lock.yaml", "pyproject.toml", "Makefile"]);
    let bytes: usize =
        large.iter().map(|tool| tool.description.len() + tool.parameters.to_string().len()).sum();
    assert!(bytes < 4_500, "{} tools, {bytes} bytes", large.len());
}

#[cfg(unix)]
fn program(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
fn program(path: &Path) {
    std::fs::write(path.with_extension("exe"), "").unwrap();
}

/// `tools/README.md` has a table of these files.
#[test]
fn the_readme_lists_the_files() {
    let word = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let row = |file: ToolFile| {
        let Some(Handler::Exec(handler)) = &file.handler else { panic!() };
        let effects = file.definition.effects;
        format!(
            "| `{}` | `{}` | {} | {} | {} | {} |\n",
            file.definition.name,
            handler.bin,
            file.requires_file.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
            word(serde_json::to_value(effects.reads).unwrap()),
            word(serde_json::to_value(effects.writes).unwrap()),
            word(serde_json::to_value(effects.exec).unwrap()),
        )
    };
    let rows: String = files(false).map(|(_, file)| row(file)).collect();
    let table = format!(
        "| tool | runs | offered beside | reads | writes | exec |\n|---|---|---|---|---|---|\n{rows}"
    );
    let readme = include_str!("../../../../../tools/README.md");
    assert!(readme.contains(&table), "tools/README.md should have this table:\n{table}");
}
