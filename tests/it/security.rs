//! The security table from outside: a scripted model tries, an approver refuses whatever it is asked,
//! and nothing may have happened. Each test is named after its row; what is a matter of one decision
//! is held by `server/base/src/policy/tests`.

use crate::scene::Scene;
use assent_tests::model_server::Dialect;
use assent_tests::{ModelServer, Workspace};
use serde_json::{Value, json};

/// The rules of the published cases.
const RULES: &str = "policy:\n  bash:\n    allow: [\"git status\", \"git diff\", \"git diff *\", \"cargo test*\", \"echo *\", \"cat *\", ls, \"ls *\"]\n    deny: ['/^rm\\s+-rf/']\n";

/// What has to become of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ends {
    /// The user is asked, and refuses.
    Asked,
    /// It is refused without a question.
    Denied,
}

fn bash(command: &str) -> Value {
    json!({ "command": command, "description": "t" })
}

fn scene(files: &[(&str, &str)]) -> Scene {
    Scene::with_settings(files, Dialect::Chat, RULES)
}

/// Make a call, refuse it if it is asked about, and see that it failed.
#[track_caller]
fn refused(scene: &mut Scene, ends: Ends, tool: &str, arguments: Value) -> String {
    let (ids, prompt) = scene.start_calls(&[(tool, arguments.clone())]);
    if ends == Ends::Asked {
        let approval = scene.client.expect_approval();
        scene.client.reject(&approval, "", false);
    }
    let turn = scene.finish(prompt);
    assert_eq!(turn.statuses()[0].1, "failed", "{tool} {arguments}");
    let marker = ["M", "sub/M"].iter().any(|name| scene.ws.exists(name));
    assert!(!marker && !scene.ws.outside().join("M").exists(), "{tool} {arguments}");
    scene.last_request().result(&ids[0]).to_owned()
}

#[track_caller]
fn lines(scene: &mut Scene, ends: Ends, lines: &[&str]) {
    for line in lines {
        refused(scene, ends, "bash", bash(line));
    }
}

#[test]
fn a01_a02_operator_chaining_and_line_feeds() {
    let mut scene = scene(&[("sub/f", "")]);
    let asked = [
        "echo hi && touch M",
        "echo hi; touch M",
        "false || touch M",
        "echo hi | touch M",
        "echo hi & touch M",
        "echo hi |& touch M",
        "git status\ntouch M",
        "git status\rtouch M",
        "git sta\\\ntus; touch M",
    ];
    lines(&mut scene, Ends::Asked, &asked);
    lines(&mut scene, Ends::Denied, &["git status\nrm -rf sub", "echo hi && rm -rf sub"]);
    assert!(scene.ws.exists("sub/f"));
}

#[test]
fn a03_a04_substitution_and_expansion() {
    let mut scene = scene(&[]);
    let asked = [
        "echo $(touch M)",
        "echo `touch M`",
        "cat <(touch M)",
        "ls > >(touch M)",
        "echo \"$(touch M)\"",
        "echo ${a=\"$\"}${b=\"$a(touch M)\"}${b@P}",
        "echo $((a[$(touch M)]))",
        "[[ -v a[$(touch M)] ]]",
        "echo ${x:-$(touch M)}",
    ];
    lines(&mut scene, Ends::Asked, &asked);
}

#[test]
fn a05_environment_prefix() {
    let mut scene = scene(&[("x", "#!/bin/sh\ntouch M\n")]);
    let asked =
        ["PAGER=./x git diff a", "GIT_EXTERNAL_DIFF=./x git diff a", "LD_PRELOAD=./x ls", "PATH=. ls"];
    lines(&mut scene, Ends::Asked, &asked);
    lines(&mut scene, Ends::Denied, &["A=1 rm -rf x"]);
    assert!(scene.ws.exists("x"));
}

#[test]
fn a06_a07_here_documents_and_redirections() {
    let mut scene = scene(&[]);
    let outside = scene.ws.outside().join("M").display().to_string();
    let asked = [
        "cat <<E && touch M\nx\nE",
        "cat <<'E'\nx\nE\ntouch M",
        "cat <<< $(touch M)",
        "echo x > M",
        "echo x >| M",
        "ls &> M",
        "ls 3<> M",
        "> M git status",
        "git diff a >> sub/M",
        &format!("echo x > {outside}"),
    ];
    lines(&mut scene, Ends::Asked, &asked);
}

#[test]
fn a08_a10_a11_partial_parse_other_shells_and_built_up_names() {
    let mut scene = scene(&[]);
    let asked = [
        "echo 'abc; touch M",
        "git status && touch M \\",
        "ls *(e:'touch M':)",
        "/bin/t?uch M",
        "$'touch' M",
        "ls {a,b}; touch M",
        "echo hi ;; touch M",
    ];
    lines(&mut scene, Ends::Asked, &asked);
    let (_, prompt) = scene.start_calls(&[("bash", bash("printf %s \"$BASH_VERSION\" > version"))]);
    let approval = scene.client.expect_approval();
    scene.client.allow(&approval);
    scene.finish(prompt);
    assert!(!scene.ws.read("version").is_empty(), "always the shell whose grammar we read");
}

#[test]
fn a09_a13_wrappers_and_deletes() {
    let mut scene = scene(&[("sub/f", "")]);
    let denied = [
        "env rm -rf sub",
        "timeout 5 rm -rf sub",
        "sudo rm -rf sub",
        "bash -c 'rm -rf sub'",
        "rm -fr .",
        "rm -r -f ..",
        "rm --recursive --force \"$HOME\"",
        "rm -r .git/",
    ];
    lines(&mut scene, Ends::Denied, &denied);
    let asked = ["timeout 5 touch M", "env touch M", "find . -delete", "bash -c 'touch M'", "xargs touch M"];
    lines(&mut scene, Ends::Asked, &asked);
    assert!(scene.ws.exists("sub/f"));
}

#[test]
fn a14_a15_too_much_and_changes_of_directory() {
    let mut scene = scene(&[("sub/f", "")]);
    let many = format!("{}rm -rf /", "true;".repeat(60));
    lines(&mut scene, Ends::Denied, &[&many]);
    let deep = "$(".repeat(10_000);
    let asked = ["cd .git/hooks && echo x", "cd .. && cat f", "git -C .. status", "cd sub && touch M", &deep];
    lines(&mut scene, Ends::Asked, &asked);
}

#[test]
fn a17_a_deny_sends_no_question() {
    let rules =
        "policy:\n  bash: { allow: [\"git *\"], ask: [\"touch *\"], deny: [\"git push --force*\"] }\n";
    let mut scene = Scene::with_settings(&[], Dialect::Chat, rules);
    let result = refused(&mut scene, Ends::Denied, "bash", bash("git push --force origin"));
    assert!(result.contains("git push --force*"), "{result}");
    refused(&mut scene, Ends::Asked, "bash", bash("touch M"));
}

#[test]
fn b01_b02_b04_b06_programs_that_run_others() {
    let rules = "policy:\n  bash: { allow: [\"find *\", \"git *\", \"sed *\", \"awk *\", \"sort *\", \"tar *\", \"rg *\"] }\n";
    let mut scene = Scene::with_settings(&[("f", "a\n")], Dialect::Chat, rules);
    let asked = [
        "find . -exec touch M ';'",
        "find . -execdir touch M ';'",
        "find . -fprintf M x",
        "find . -fls M",
        "git -c core.fsmonitor='touch M' status",
        "git diff --output=M",
        "git log --output M",
        "git grep -O'touch M' a",
        "git diff --no-index /etc/hostname f",
        "sed 's/a/touch M/e' f",
        "sed -n 'w M' f",
        "sed '1e touch M' f",
        "awk 'BEGIN{system(\"touch M\")}'",
        "sort -o M f",
        "sort --compress-program='touch M' f",
        "tar cf x f --checkpoint=1 --checkpoint-action=exec='touch M'",
        "rg --pre 'touch M' a",
    ];
    lines(&mut scene, Ends::Asked, &asked);
}

#[test]
fn b03_git_of_a_hostile_repository_is_not_run_by_itself() {
    let config = "[core]\n\tfsmonitor = touch M\n\tpager = touch M\n\thooksPath = hooks\n[diff]\n\texternal = touch M\n[filter \"x\"]\n\tclean = touch M\n\tsmudge = touch M\n";
    let files = [
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/config", config),
        (".git/objects/x", ""),
        (".git/refs/x", ""),
        (".gitattributes", "* filter=x diff=x\n"),
        ("hooks/post-checkout", "#!/bin/sh\ntouch M\n"),
        ("bare/HEAD", "ref: refs/heads/main\n"),
        ("bare/config", config),
        ("a.rs", "a\n"),
    ];
    let mut scene = Scene::new(&files);
    scene.client.open("a.rs");
    for (tool, arguments) in [
        ("read", json!({ "filePath": "a.rs" })),
        ("grep", json!({ "pattern": "a" })),
        ("glob", json!({ "pattern": "**/*" })),
        ("ls", json!({})),
    ] {
        assert!(!scene.call(tool, arguments).failed, "{tool}");
        assert!(!scene.ws.exists("M"), "{tool}");
    }
    lines(&mut scene, Ends::Asked, &["git status", "git diff", "git -C bare status"]);
}

#[test]
fn b07_e06_what_runs_the_project_says_so_and_the_model_can_not_vouch_for_it() {
    let mut scene = Scene::new(&[]);
    for line in ["npm install", "npx x", "cargo test", "make", "pytest", "go test ./..."] {
        let (_, prompt) = scene.start_calls(&[("bash", bash(line))]);
        let approval = scene.client.expect_approval();
        let marks = &approval.meta()["command"]["parsed"][0]["marks"];
        assert!(marks.to_string().contains("runs project code"), "{line}: {marks}");
        scene.client.reject(&approval, "", false);
        scene.finish(prompt);
    }
    for claim in ["safe", "approved", "requires_approval", "readOnlyHint"] {
        let mut arguments = bash("touch M");
        arguments[claim] = json!(true);
        let result = refused(&mut scene, Ends::Denied, "bash", arguments);
        assert!(result.contains(claim), "an argument that is not known is no call: {result}");
    }
}

#[cfg(unix)]
#[test]
fn b09_a_planted_program_is_not_what_a_rule_means() {
    use std::os::unix::fs::PermissionsExt;
    let mut scene = scene(&[("git", "#!/bin/sh\ntouch M\n"), ("bin/git", "#!/bin/sh\ntouch M\n")]);
    for name in ["git", "bin/git"] {
        std::fs::set_permissions(scene.ws.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let absolute = format!("{} status", scene.ws.path("bin/git").display());
    for line in ["./git status", "bin/git status", absolute.as_str()] {
        let (_, prompt) = scene.start_calls(&[("bash", bash(line))]);
        let approval = scene.client.expect_approval();
        let part = &approval.meta()["command"]["parsed"][0];
        assert!(part["marks"].to_string().contains("project binary"), "{line}: {part}");
        scene.client.reject(&approval, "", false);
        scene.finish(prompt);
    }
    scene.call("bash", bash("git status"));
    assert!(!scene.ws.exists("M"));
}

#[test]
fn b11_searching_and_listing_never_reach_a_shell() {
    let mut scene = Scene::new(&[("a;touch M", "x\n"), ("sub/f", "x\n")]);
    for evil in [
        "\"; touch M; \"",
        "$(touch M)",
        "`touch M`",
        "x' || touch M || '",
        "-exec touch M ;",
        "--pre=touch M",
    ] {
        for (tool, name) in [("grep", "pattern"), ("glob", "pattern"), ("ls", "path"), ("read", "filePath")] {
            let (_, prompt) = scene.start_calls(&[(tool, json!({ name: evil }))]);
            scene.finish(prompt);
            assert!(!scene.ws.exists("M") && !scene.ws.exists("sub/M"), "{tool} {evil}");
        }
    }
}

#[cfg(unix)]
#[test]
fn c01_c02_c03_c16_no_tool_leaves_the_workspace() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[("in", "inside\n")]);
    let outside = ws.outside().to_path_buf();
    std::fs::create_dir_all(outside.join("ws-evil")).unwrap();
    std::fs::write(outside.join("ws-evil/x"), "secret\n").unwrap();
    std::fs::write(outside.join("s"), "secret\n").unwrap();
    ws.link("link", "../s").link("dir", "../ws-evil").link("new", "../M");
    let mut scene = Scene::on(model, ws);
    let evil = outside.join("ws-evil/x").display().to_string();
    for path in [
        "../s",
        "a/../../s",
        "./../s",
        "link",
        "dir/x",
        "/etc/hostname",
        "~/x",
        "//h/s",
        "/proc/self/environ",
        &evil,
    ] {
        for (tool, arguments) in [
            ("read", json!({ "filePath": path })),
            ("write", json!({ "filePath": path, "content": "x" })),
            ("edit", json!({ "filePath": path, "oldString": "secret", "newString": "x" })),
            ("ls", json!({ "path": path })),
            ("grep", json!({ "pattern": "secret", "path": path })),
            ("glob", json!({ "pattern": "*", "path": path })),
        ] {
            let result = refused(&mut scene, Ends::Denied, tool, arguments);
            assert!(!result.contains("secret\n"), "{tool} {path}: {result}");
        }
    }
    refused(&mut scene, Ends::Denied, "write", json!({ "filePath": "new", "content": "x" }));
    assert_eq!(std::fs::read_to_string(outside.join("s")).unwrap(), "secret\n");
    for workdir in ["..", "/", "dir", &outside.display().to_string()] {
        let (_, prompt) = scene.start_calls(&[(
            "bash",
            json!({ "command": "touch M", "workdir": workdir, "description": "t" }),
        )]);
        let approval = scene.client.expect_approval();
        assert_eq!(approval.meta()["cwd"]["inside"], false, "{workdir}");
        assert!(approval.option("allow_always").is_none(), "{workdir}");
        scene.client.reject(&approval, "", false);
        scene.finish(prompt);
        assert!(!outside.join("M").exists());
    }
}

#[test]
fn c04_to_c10_control_files_ask_whatever_is_allowed() {
    let rules = "policy:\n  default: allow\n  write: { allow: [\"*\", \"**\"], default: allow }\n";
    let mut scene = Scene::with_settings(&[], Dialect::Chat, rules);
    let session = scene.session.clone();
    scene.client.request("session/set_mode", json!({ "sessionId": session, "modeId": "accept-edits" }));
    for path in [
        ".GIT/Hooks/x",
        ".git/hooks/pre-commit",
        ".git/config",
        ".git",
        "sub/.git/config",
        ".gitmodules",
        ".gitattributes",
        ".VsCode/settings.json",
        ".vscode/tasks.json",
        "sub/.vscode/launch.json",
        "x.code-workspace",
        ".idea/workspace.xml",
        ".devcontainer/devcontainer.json",
        ".nvim.lua",
        ".exrc",
        ".lazy.lua",
        ".envrc",
        ".husky/x",
        ".ENV",
        "Agents.MD",
        "CLAUDE.md",
        ".cursorrules",
        ".cursor/mcp.json",
        ".claude/settings.json",
        ".gemini/x",
        ".codex/x",
        ".github/copilot-instructions.md",
        ".github/workflows/ci.yml",
        ".mcp.json",
        "assent.yaml",
        "beeuni.yaml",
        ".assent/tools/x.json",
        ".gitignore",
        ".ignore",
    ] {
        let (ids, prompt) = scene.start_calls(&[("write", json!({ "filePath": path, "content": "x" }))]);
        let approval = scene.client.expect_approval();
        assert!(!approval.meta()["files"][0]["protected"].is_null(), "{path}");
        assert!(approval.option("allow_always").is_none(), "{path}");
        scene.client.reject(&approval, "", false);
        scene.finish(prompt);
        assert!(scene.last_request().result(&ids[0]).contains("did not allow"), "{path}");
        assert!(!scene.ws.exists(path), "{path}");
    }
    let own =
        [scene.ws.config_folder().join("assent.yaml"), scene.ws.state_folder().join("rules/always.json")];
    for path in own {
        refused(&mut scene, Ends::Denied, "write", json!({ "filePath": path, "content": "x" }));
    }
}

#[test]
fn c05_a_change_of_the_rules_does_not_loosen_the_turn_that_made_it() {
    let mut scene = Scene::new(&[]);
    // A settings file of the project's appears.
    scene.client.ignore("_assent/trust/updated");
    let yaml = "policy:\n  bash: { allow: [\"*\"] }\n";
    let (_, prompt) = scene.start_calls(&[
        ("write", json!({ "filePath": "assent.yaml", "content": yaml })),
        ("bash", bash("touch M")),
    ]);
    let approval = scene.client.expect_approval();
    scene.client.accepts_all = true;
    scene.client.allow(&approval);
    let approval = scene.client.expect_approval();
    assert_eq!(approval.subject(), "touch M");
    scene.client.reject(&approval, "", false);
    scene.finish(prompt);
    assert!(scene.ws.exists("assent.yaml") && !scene.ws.exists("M"));
    refused(&mut scene, Ends::Asked, "bash", bash("touch M"));
}

#[cfg(target_os = "linux")]
#[test]
fn c13_what_is_no_file_is_an_error_at_once() {
    let mut scene = Scene::new(&[]);
    let made = std::process::Command::new("mkfifo").arg(scene.ws.path("fifo")).status().unwrap();
    assert!(made.success());
    let sparse = std::fs::File::create(scene.ws.path("sparse")).unwrap();
    sparse.set_len(5 << 30).unwrap();
    scene.ws.write("sub/f", "");
    for path in ["fifo", "sub", "sparse"] {
        assert!(scene.call("read", json!({ "filePath": path })).failed, "{path}");
    }
    refused(&mut scene, Ends::Denied, "read", json!({ "filePath": "/dev/zero" }));
}

#[test]
fn c14_other_spellings_of_a_place_reach_nothing() {
    let mut scene = Scene::new(&[("a", "inside\n")]);
    for path in [
        "file://host/x",
        "file:///a/%2e%2e/O/s",
        "%252e%252e/s",
        "untitled:x",
        "vscode-remote://h/x",
        "\\\\h\\s",
        "\\\\?\\C:\\x",
        "//h/s",
        "http://h/x",
    ] {
        assert!(scene.call("read", json!({ "filePath": path })).failed, "{path}");
        refused(
            &mut scene,
            Ends::Denied,
            "edit",
            json!({ "filePath": path, "oldString": "a", "newString": "b" }),
        );
    }
}

#[test]
fn a_source_scan_holds_b10_and_b11() {
    let server = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src");
    let mut folders = vec![server];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !path.to_string_lossy().contains("tests")
            {
                let text = std::fs::read_to_string(&path).unwrap();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                found.extend(text.contains("\"-c\"").then(|| name.clone()));
                assert!(
                    !text.contains("cmd.exe") && !text.contains("\"/c\""),
                    "B10: {name} builds a cmd line"
                );
            }
        }
    }
    assert_eq!(found, ["bash.rs"], "B11: a shell is started for command lines alone");
}
