//! Tools of the user's own files that run a program.

use super::*;
use crate::tools::files::Found;
use assent_base::tool::{Exec, Reads, Writes, parse_tool_file};

/// A world with one such tool, `aTool`.
fn world(rest: &str) -> World {
    let mut world = World::new();
    let text = format!(
        r#"{{"schema":{{"type":"function","function":{{"name":"aTool","description":"d","parameters":
        {{"type":"object","properties":{{"args":{{"type":"array","items":{{"type":"string"}}}}}}}}}}}},{rest}}}"#
    );
    let file = parse_tool_file("a_tool.json", &text).unwrap();
    let found = Found { tools: vec![("a_tool.json".into(), Arc::new(file))], ..Found::default() };
    world.registry = world.registry.with_files(&found, &world.ctx.processes, &world.ctx.folders);
    world
}

fn args(args: &[&str]) -> Value {
    json!({ "args": args })
}

#[tokio::test]
async fn a_program_gets_its_arguments_as_they_are() {
    let world = world(
        r#""reads":"project","handler":{"type":"exec","bin":"printf","subcommand":"[%s]","env":{"A":"$(x)"}}"#,
    );
    let output = world.ok("aTool", args(&["a b", "$HOME", "*", "; touch pwned", ""])).await;
    assert_eq!(output, "[a b][$HOME][*][; touch pwned][]");
    assert!(!world.path("pwned").exists());
}

#[tokio::test]
async fn what_is_judged_and_shown_is_what_runs() {
    let world = world(r#""writes":"artifacts","handler":{"type":"exec","bin":"printf","subcommand":"%s"}"#);
    let (_, call) = world.resolve("aTool", args(&["a b"])).await.unwrap();
    assert_eq!(call.subject, "printf %s 'a b'");
    let program = call.program.clone().unwrap();
    assert!(program.program.is_absolute() && program.program.ends_with("printf"));
    assert_eq!(program.arguments, ["%s", "a b"]);
    assert_eq!(program.directory, world.ctx.folders[0]);
    assert_eq!(call.effects.writes, Writes::Artifacts);
    assert!(call.notes[0].contains("runs /"), "{:?}", call.notes);
}

#[tokio::test]
async fn a_refused_argument_is_told_to_the_model() {
    let world = world(r#""reads":"project","handler":{"type":"exec","bin":"printf","denyArgs":["-v"]}"#);
    let output = world.run("aTool", args(&["--v=x"])).await;
    assert!(output.is_error && text_of(&output).contains("`--v=x`"), "{}", text_of(&output));
}

#[cfg(unix)]
#[tokio::test]
async fn an_argument_never_loosens_the_class() {
    let open = world(r#""reads":"project","handler":{"type":"exec","bin":"printf"}"#);
    let link = open.path("notes.md");
    std::os::unix::fs::symlink("/etc/hostname", link).unwrap();
    for argument in [
        "/etc/hostname",
        "../x",
        "--file=/etc/hostname",
        "--file=../x",
        "-f/etc/hostname",
        "-f../x",
        "@/etc/hostname",
        "a:../x",
        "//etc/hostname",
        "~/x",
        "notes.md",
        "--file=notes.md",
    ] {
        let (_, call) = open.resolve("aTool", args(&[argument])).await.unwrap();
        assert_eq!(call.effects.reads, Reads::External, "{argument}");
    }
    for argument in ["src/a.rs", "-v", "--file=src/a.rs", "HEAD", "a b", ""] {
        let (_, call) = open.resolve("aTool", args(&[argument])).await.unwrap();
        assert_eq!(call.effects.reads, Reads::Project, "{argument}");
    }
    let (_, call) = open.resolve("aTool", args(&["--file=.env"])).await.unwrap();
    assert_eq!(call.effects.reads, Reads::ProjectDot);
    let writing = world(r#""writes":"artifacts","handler":{"type":"exec","bin":"printf"}"#);
    let (_, call) = writing.resolve("aTool", args(&["/etc/x"])).await.unwrap();
    assert_eq!(call.effects.writes, Writes::External);

    let closed = world(
        r#""reads":"project","handler":{"type":"exec","bin":"printf","operands":"path-in",
        "options":[{"name":"-o","value":"path-out"},{"name":"--from","value":"url"}]}"#,
    );
    let effects = async |given: &[&str]| closed.resolve("aTool", args(given)).await.unwrap().1.effects;
    assert_eq!(effects(&["a"]).await.reads, Reads::Project);
    assert_eq!(effects(&["/etc/hostname"]).await.reads, Reads::External);
    assert_eq!(effects(&["-o", "../out"]).await.writes, Writes::External);
    assert_eq!(effects(&["--from=http://h"]).await.reads, Reads::Network);
    // What the file calls a text may be a path all the same.
    let texts = world(
        r#""reads":"project","handler":{"type":"exec","bin":"printf","operands":"text",
        "options":[{"name":"--from","value":"text"}]}"#,
    );
    let reads = async |given: &[&str]| texts.resolve("aTool", args(given)).await.unwrap().1.effects.reads;
    for given in [&["--from=/etc/hostname"][..], &["--from", "../x"], &["../x/..."], &["~/x"], &["a:/etc/x"]]
    {
        assert_eq!(reads(given).await, Reads::External, "{given:?}");
    }
    for given in [&["./..."][..], &["--from=fix: a thing"], &["HEAD~1"], &["--from", "src/a.rs"]] {
        assert_eq!(reads(given).await, Reads::Project, "{given:?}");
    }
    assert_eq!(reads(&["--from=.env"]).await, Reads::ProjectDot);
    assert_eq!(effects(&["--unknown"]).await.exec, Exec::Undeclared);
    let (_, call) = closed.resolve("aTool", args(&["--unknown"])).await.unwrap();
    assert!(call.notes[0].contains("`--unknown`"), "{:?}", call.notes);
}

#[tokio::test]
async fn a_tool_without_its_program_is_not_offered() {
    for rest in [
        r#""handler":{"type":"exec","bin":"no-such-program-here"}"#,
        r#""handler":{"type":"exec","bin":"/no/such/program"}"#,
    ] {
        let world = world(rest);
        assert!(world.registry.offered(|name| name == "aTool").is_empty());
        let output = world.run("aTool", args(&[])).await;
        assert!(output.is_error && text_of(&output).contains("can't be used"), "{}", text_of(&output));
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_that_vanishes_takes_its_tool_along() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().unwrap();
    let program = dir.path().join("prog");
    fs::write(&program, "#!/bin/sh\necho here\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let world = world(&format!(r#""handler":{{"type":"exec","bin":"{}"}}"#, program.display()));
    assert_eq!(world.ok("aTool", args(&[])).await, "here\n");
    fs::remove_file(&program).unwrap();
    assert!(world.run("aTool", args(&[])).await.is_error);
    assert!(world.registry.offered(|name| name == "aTool").is_empty());
}

#[tokio::test]
async fn the_user_s_file_wins_by_name_and_says_what_it_replaces() {
    let mut world = World::new();
    let text = r#"{"schema":{"type":"function","function":{"name":"ls","description":"mine","parameters":
        {"type":"object"}}},"handler":{"type":"exec","bin":"true"}}"#;
    let file = parse_tool_file("ls.json", text).unwrap();
    let found = Found { tools: vec![("ls.json".into(), Arc::new(file))], ..Found::default() };
    world.registry = world.registry.with_files(&found, &world.ctx.processes, &world.ctx.folders);
    let listed = world.registry.list().into_iter().find(|tool| tool.name == "ls").unwrap();
    assert_eq!((listed.source.as_str(), listed.overrides.as_deref()), ("ls.json", Some("tools/ls.json")));
    let withheld = Found { withheld: true, ..Found::default() };
    let registry = world.registry.with_files(&withheld, &world.ctx.processes, &world.ctx.folders);
    assert!(registry.offered(|_| true).is_empty());
    let call = Call { id: "c".into(), name: "read".into(), arguments: Arguments::Object(Map::new()) };
    assert!(registry.check(&call).is_err_and(|output| text_of(&output).contains("mended")));
}
