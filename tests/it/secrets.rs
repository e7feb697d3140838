//! Secrets are kept from the model, on every way into a request, and out of the session's log.

use crate::scene::{Scene, trust};
use assent_tests::model_server::Dialect;
use assent_tests::{ModelServer, Workspace, text};
use serde_json::json;

/// Made up, and put together here so that no scanner takes this file for a leak.
fn token() -> String {
    format!("ghp_{}", "Ab3dE6gH9".repeat(4))
}

const DOTENV: &str = "# the database\nDATABASE_PASSWORD=hunter2hunter2\nDEBUG=true\n";

/// Everything that was sent to the model and everything that is on disk for the session.
fn everything_kept(scene: &Scene) -> String {
    let mut all: String = scene.model.requests().iter().map(|request| request.body.to_string()).collect();
    let mut folders = vec![scene.ws.state_folder()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => all.push_str(&String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap())),
            }
        }
    }
    all
}

#[test]
fn a_token_in_a_file_an_output_or_the_prompt_goes_no_further() {
    let source = format!("let token = \"{}\";\nlet x = 1;\n", token());
    let mut scene = Scene::new(&[("a.rs", &source)]);
    let read = scene.call("read", json!({ "filePath": "a.rs" }));
    assert!(read.text.contains("[kept secret: GitHub token, 40 characters]"), "{}", read.text);
    assert!(read.text.contains("let x = 1;"), "{}", read.text);
    let grep = scene.call("grep", json!({ "pattern": "token" }));
    assert!(grep.text.contains("[kept secret: GitHub token"), "{}", grep.text);
    let (ids, prompt) = scene.start_calls(&[("bash", json!({ "command": "cat a.rs", "description": "t" }))]);
    let approval = scene.client.expect_approval();
    scene.client.allow(&approval);
    scene.finish(prompt);
    let printed = scene.last_request().result(&ids[0]).to_owned();
    assert!(printed.contains("[kept secret: GitHub token"), "{printed}");

    scene.model.reply(text("Noted."));
    let turn = scene.prompt(&format!("my token is {} and a.rs is @a.rs", token()));
    assert!(turn.notices().contains("kept from the model in your message"), "{}", turn.notices());
    let said = scene.last_request().user().to_owned();
    assert!(said.contains("my token is [kept secret: GitHub token"), "{said}");
    assert!(said.contains("let token = \"[kept secret"), "{said}");
    assert!(!everything_kept(&scene).contains(&token()));
}

#[test]
fn of_a_file_of_secrets_the_model_sees_the_names() {
    let mut scene = Scene::new(&[(".env", DOTENV), ("deploy.key", "line of the key\n")]);
    let (ids, prompt) = scene.start_calls(&[("read", json!({ "filePath": ".env" }))]);
    let approval = scene.client.expect_approval();
    scene.client.allow(&approval);
    let turn = scene.finish(prompt);
    let result = scene.last_request().result(&ids[0]).to_owned();
    assert!(result.contains("DATABASE_PASSWORD=[kept secret: value, 14 characters]"), "{result}");
    assert!(result.contains("DEBUG=true") && result.contains("# the database"), "{result}");
    assert!(
        turn.notices().contains("1 secret was kept from the model in the result of read"),
        "{}",
        turn.notices()
    );
    let key = scene.call("read", json!({ "filePath": "deploy.key" }));
    assert!(!key.failed && key.text.contains("[kept secret: the content of this file"), "{}", key.text);
    // A search does not look into them, and says so.
    let grep = scene.call("grep", json!({ "pattern": "line of" }));
    assert!(grep.text.contains("deploy.key holds secrets"), "{}", grep.text);
    let uri = scene.client.open(".env");
    scene.model.reply(text("Seen."));
    let blocks = json!([
        { "type": "text", "text": "look" },
        { "type": "resource_link", "name": ".env", "uri": uri },
    ]);
    let session = scene.session.clone();
    let prompt = scene.client.start_prompt_with(&session, blocks);
    scene.finish(prompt);
    assert!(scene.last_request().user().contains("DATABASE_PASSWORD=[kept secret"));
    let all = everything_kept(&scene);
    assert!(!all.contains("hunter2") && !all.contains("line of the key"));
}

#[test]
fn a_placeholder_is_never_written_where_the_secret_was() {
    let source = format!("token = \"{}\"\nretries = 3\n", token());
    let mut scene = Scene::new(&[("a.toml", &source)]);
    let placeholder = "[kept secret: GitHub token, 40 characters]";
    let read = scene.call("read", json!({ "filePath": "a.toml" }));
    assert!(read.text.contains(placeholder));
    let whole = format!("token = \"{placeholder}\"\nretries = 5\n");
    let write = scene.call("write", json!({ "filePath": "a.toml", "content": whole }));
    assert!(write.failed && write.text.contains("kept from you"), "{}", write.text);
    let multi = json!({ "filePath": "a.toml", "edits": [{ "oldString": placeholder, "newString": "x" }] });
    let multi = scene.call("multiedit", multi);
    assert!(multi.failed && multi.text.contains("kept from you"), "{}", multi.text);
    scene.client.accepts_all = true;
    let edit = json!({ "filePath": "a.toml", "oldString": "retries = 3", "newString": "retries = 5" });
    let edit = scene.call("edit", edit);
    assert!(!edit.failed, "{}", edit.text);
    assert_eq!(scene.ws.read("a.toml"), source.replace("retries = 3", "retries = 5"));
}

#[test]
fn the_user_may_send_them_and_a_project_may_not() {
    let source = format!("token = \"{}\"\n", token());
    let files: &[(&str, &str)] = &[("a.toml", &source)];
    let mut scene = Scene::with_settings(files, Dialect::Chat, "keepSecrets: false\n");
    assert!(scene.call("read", json!({ "filePath": "a.toml" })).text.contains(&token()));
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[("a.toml", &source), ("assent.yaml", "keepSecrets: false\n")]);
    trust(&ws);
    let mut scene = Scene::on(model, ws);
    scene.client.ignore("_assent/trust/updated");
    assert!(!scene.call("read", json!({ "filePath": "a.toml" })).text.contains(&token()));
}
