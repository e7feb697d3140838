//! Trust as clients see it.

use super::*;

const UPDATED: &str = "_assent/trust/updated";

fn say(word: &str) -> String {
    echo("say", word)
}

fn update(client: &mut Client) -> (String, u64) {
    let params = client.expect_notification(UPDATED);
    (params["state"].as_str().unwrap().to_owned(), params["pending"].as_u64().unwrap())
}

fn state(state: &str, pending: u64) -> (String, u64) {
    (state.to_owned(), pending)
}

#[test]
fn a_client_shows_and_trusts_exactly_what_it_showed() {
    let mut scene = Scene::new(&[("assent.yaml", "{ broken"), (".assent/tools/say.json", &say("one"))]);
    scene.model.allow_other_tools();
    assert_eq!(update(&mut scene.client), state("untrusted", 2));
    scene.ws.write("assent.yaml", "policy:\n  bash: { deny: [x] }\n");
    let shown = scene.client.command("assent.trustWorkspace", Value::Null);
    assert_eq!(shown["folder"], scene.ws.root().display().to_string());
    assert_eq!(shown["state"], "untrusted");
    let item = &shown["items"][1];
    assert_eq!(item["path"], scene.ws.path(".assent/tools/say.json").display().to_string());
    assert_eq!((&item["kind"], &item["state"]), (&json!("tool"), &json!("new")));
    assert!(item["detail"].as_str().unwrap().contains("runs echo one"), "{item}");
    assert!(shown["summary"].as_str().unwrap().contains("runs echo one"), "{shown}");

    // Swapped between the look and the yes: nothing is trusted.
    scene.ws.write(".assent/tools/say.json", say("two"));
    let swapped = scene.client.send_command("assent.trustWorkspace", json!({ "digest": shown["digest"] }));
    assert!(scene.client.expect_error(swapped).message.contains("has changed"));
    let invented = scene.client.send_command("assent.trustWorkspace", json!({ "digest": "" }));
    scene.client.expect_error(invented);
    let shown = scene.client.command("assent.trustWorkspace", json!({}));
    assert_eq!(shown["state"], "untrusted");
    let now = scene
        .client
        .command("assent.trustWorkspace", json!({ "digest": shown["digest"], "folder": scene.ws.uri("") }));
    assert_eq!((&now["state"], &now["items"][0]["state"]), (&json!("trusted"), &json!("approved")));
    assert_eq!(update(&mut scene.client), state("trusted", 0));
    assert_eq!(scene.call("say", json!({})).text.trim(), "two");

    // A change is seen with the next turn, and what is changed back counts again.
    scene.ws.write(".assent/tools/say.json", say("three"));
    scene.model.reply(text("Hi."));
    scene.prompt("hi");
    assert_eq!(update(&mut scene.client), state("pending", 1));
    scene.ws.write(".assent/tools/say.json", say("two"));
    assert_eq!(scene.call("say", json!({})).text.trim(), "two");
    assert_eq!(update(&mut scene.client), state("trusted", 0));
    let gone = scene.client.command("assent.untrustWorkspace", Value::Null);
    assert_eq!(gone["state"], "untrusted");
    assert_eq!(update(&mut scene.client), state("untrusted", 2));
    scene.model.reply(text("Hi."));
    scene.prompt("hi");
    assert!(!offered(&scene, "say"));
}

#[test]
fn an_editors_restricted_mode_wins() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[(".assent/tools/say.json", &say("one"))]);
    trust(&ws);
    let mut client = Client::start(ASSENT, &ws);
    let mut params = client.initialize_params();
    params["capabilities"]["experimental"]["assent"]["trusted"] = json!(false);
    client.initialize_with(params);
    assert_eq!(update(&mut client), state("untrusted", 1));
    let session = client.new_session();
    model.allow_other_tools();
    let offers = |client: &mut Client| {
        model.reply(text("Hi."));
        client.prompt(&session, "hi");
        model.requests().pop().unwrap().body["tools"].to_string().contains("\"say\"")
    };
    assert!(!offers(&mut client));
    let shown = client.command("assent.trustWorkspace", Value::Null);
    let refused = client.send_command("assent.trustWorkspace", json!({ "digest": shown["digest"] }));
    assert!(client.expect_error(refused).message.contains("restricted"));
    client.notify("_assent/trust/client", json!({ "trusted": true }));
    assert_eq!(update(&mut client), state("trusted", 0));
    assert!(offers(&mut client));
    client.notify("_assent/trust/client", json!({ "trusted": false }));
    assert_eq!(update(&mut client), state("untrusted", 1));
    assert!(!offers(&mut client));
}

#[test]
fn each_folder_stands_for_itself() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[(".assent/tools/say.json", &say("one"))]);
    let other = ws.outside().join("other");
    std::fs::create_dir_all(other.join(".assent/tools")).unwrap();
    std::fs::write(other.join(".assent/tools/say.json"), say("two")).unwrap();
    trust(&ws);
    let mut client = Client::start(ASSENT, &ws);
    let mut params = client.initialize_params();
    let second = json!({ "uri": assent_tests::workspace::uri(&other), "name": "other" });
    params["workspaceFolders"].as_array_mut().unwrap().push(second);
    client.initialize_with(params);
    assert_eq!(update(&mut client), state("trusted", 0));
    assert_eq!(update(&mut client), state("untrusted", 1));
    let shown = client.command("assent.trustWorkspace", json!({ "folder": other }));
    assert!(shown["state"] == "untrusted" && shown["folder"] == other.display().to_string(), "{shown}");
    let stranger = client.send_command("assent.trustWorkspace", json!({ "folder": "/" }));
    assert!(client.expect_error(stranger).message.contains("no folder of this workspace"));
    let id = client.send_request("session/new", json!({ "cwd": other }));
    let session = client.expect_result(id)["sessionId"].as_str().unwrap().to_owned();
    model.reply(answer().call("c1", "say", json!({}))).reply(text("Done."));
    client.prompt(&session, "go");
    assert!(model.requests().pop().unwrap().result("c1").contains("no such tool"));
}

#[test]
fn a_client_without_a_plugin_is_asked_when_its_user_says_so_and_not_before() {
    for (choice, trusts) in [(json!({ "title": "Trust" }), true), (Value::Null, false)] {
        let model = ModelServer::start();
        let ws = Workspace::with_model(&model, &[(".assent/tools/say.json", &say("one"))]);
        let mut client = Client::start(ASSENT, &ws);
        client.initialize_plain();
        client.ignore("window/showDocument");
        client.command("assent.tools", Value::Null);
        client.command("assent.trustWorkspace", Value::Null);
        let request = client.expect_request("window/showMessageRequest");
        assert!(request.params["message"].as_str().unwrap().contains("runs echo one"), "{}", request.params);
        client.answer(&request, choice);
        if trusts {
            let said = client.expect_notification("window/showMessage");
            assert!(said["message"].as_str().unwrap().contains("is trusted"), "{said}");
        }
        client.command("assent.tools", Value::Null);
        client.finish();
        assert_eq!(names(&ws).contains(&"say".to_owned()), trusts);
    }
}

#[test]
fn over_acp_a_session_begins_with_what_does_not_count() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[(".assent/tools/say.json", &say("one"))]);
    let mut client = Client::start_acp(ASSENT, &ws);
    client.initialize_acp();
    let session = client.new_session();
    let notice = client.wait_for_update(&session, |update| update["_meta"]["assent"]["notice"] == "warning");
    let words = notice["content"]["text"].as_str().unwrap();
    assert!(words.contains(".assent/tools/say.json") && words.contains("assent trust"), "{words}");
    trust(&ws);
    model.reply(answer().call("c1", "say", json!({}))).reply(text("Done."));
    client.prompt(&session, "go");
    assert_eq!(model.requests().pop().unwrap().result("c1").trim(), "one");
}

/// The same rule as for the user's own files: the chat goes on, no tool is offered, the place is told.
#[test]
fn a_mistake_in_a_trusted_projects_tool_is_told_and_offers_nothing() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[(".assent/tools/say.json", &say("one"))]);
    trust(&ws);
    ws.write(".assent/tools/say.json", say("one").replace("\"bin\"", "\"binn\""));
    let mut client = Client::start(ASSENT, &ws);
    let mut params = client.initialize_params();
    params["capabilities"]["textDocument"]["publishDiagnostics"] = json!({});
    client.initialize_with(params);
    client.ignore(UPDATED);
    let message = client.expect_notification("window/showMessage");
    assert!(message["message"].as_str().unwrap().contains("no tool is offered"), "{message}");
    let uri = ws.uri(".assent/tools/say.json");
    let told = |client: &mut Client| {
        let params = client
            .expect_notification_where("textDocument/publishDiagnostics", |params| params["uri"] == uri);
        params["diagnostics"].to_string()
    };
    let found = told(&mut client);
    assert!(found.contains("binn"), "{found}");
    let session = client.new_session();
    model.reply(text("Hi."));
    client.prompt(&session, "hi");
    assert!(model.requests().pop().unwrap().body["tools"].as_array().is_none_or(Vec::is_empty));
    client.open(".assent/tools/say.json");
    client.replace(&uri, "binn", "bin");
    let found = told(&mut client);
    assert_eq!(found, "[]");
    client.replace(&uri, "one", "two");
    let found = told(&mut client);
    assert!(found.contains("not as it was") && !found.contains("\"severity\":1"), "{found}");
}
