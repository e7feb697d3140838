//! The conversation's own promises: order, commands, modes, options, questions.

use crate::scene::Scene;
use assent_tests::model_server::Dialect;
use assent_tests::{answer, text};
use serde_json::{Value, json};

#[test]
fn the_answer_comes_after_every_update_of_its_turn() {
    // The client fails on any update of a turn that comes behind the answer to its prompt.
    let mut scene = Scene::new(&[("a", "AAA\n")]);
    for round in 0..50 {
        let mut reply = answer();
        for piece in 0..20 {
            reply = reply.text(&format!("{piece} "));
        }
        scene.model.reply(reply.call(&format!("c{round}"), "read", json!({ "filePath": "a" })));
        scene.model.reply(text("end"));
        let turn = scene.prompt(&format!("round {round}"));
        assert!(turn.text().ends_with("19 end") || turn.text().ends_with("19end"), "{}", turn.text());
    }
}

#[test]
fn the_server_says_what_it_can_do() {
    let model = assent_tests::ModelServer::start();
    let ws = assent_tests::Workspace::with_model(&model, &[]);
    let mut client = assent_tests::Client::start(crate::scene::ASSENT, &ws);
    let result = client.initialize();
    let capabilities = &result["capabilities"];
    let own = &capabilities["experimental"]["assent"];
    assert_eq!(own["acp"]["protocolVersion"], 1);
    assert_eq!(own["acp"]["agentCapabilities"]["loadSession"], true);
    assert!(own["version"].is_string());
    assert_eq!(capabilities["textDocumentSync"]["openClose"], true);
    assert_eq!(capabilities["textDocumentSync"]["change"], 2);
    assert!(!capabilities["textDocumentSync"]["save"].is_null());
    assert_eq!(capabilities["codeActionProvider"]["resolveProvider"], true);
    assert!(!capabilities["codeLensProvider"].is_null());
    let triggers = &capabilities["completionProvider"]["triggerCharacters"];
    assert!(triggers.to_string().contains("\"/\"") && triggers.to_string().contains("\"@\""), "{triggers}");
    assert_eq!(capabilities["workspace"]["workspaceFolders"]["supported"], true);
    let commands = capabilities["executeCommandProvider"]["commands"].to_string();
    for command in [
        "ask",
        "explain",
        "fix",
        "tests",
        "document",
        "refactor",
        "reviewDiff",
        "cancel",
        "undoTurn",
        "newSession",
        "approvals",
        "approve",
        "deny",
        "review.accept",
        "review.reject",
        "review.acceptAll",
        "review.rejectAll",
        "review.next",
        "review.previous",
    ] {
        assert!(commands.contains(&format!("\"assent.{command}\"")), "assent.{command} is not in {commands}");
    }
}

#[test]
fn a_new_session_tells_its_modes_options_and_commands() {
    let mut scene = Scene::new(&[]);
    let cwd = scene.ws.root().to_owned();
    let state = scene.client.request("session/new", json!({ "cwd": cwd, "mcpServers": [] }));
    let session = state["sessionId"].as_str().unwrap().to_owned();
    assert_eq!(state["modes"]["currentModeId"], "ask", "{state}");
    let modes: Vec<&Value> =
        state["modes"]["availableModes"].as_array().unwrap().iter().map(|mode| &mode["id"]).collect();
    assert_eq!(modes, ["ask", "accept-edits", "plan"]);
    let options = state["configOptions"].to_string();
    for option in ["\"mode\"", "\"model\"", "\"agent\"", "mock/test-model"] {
        assert!(options.contains(option), "{option} is not in {options}");
    }
    let commands = scene
        .client
        .wait_for_update(&session, |update| update["sessionUpdate"] == "available_commands_update");
    for command in ["explain", "fix", "tests"] {
        assert!(commands.to_string().contains(&format!("\"{command}\"")), "{commands}");
    }
}

#[test]
fn a_slash_command_becomes_a_prompt_about_its_file() {
    let mut scene = Scene::new(&[("src/lib.rs", "pub fn answer() -> u32 { 42 }\n")]);
    scene.model.reply(text("Here they are."));
    scene.prompt("/tests src/lib.rs");
    let asked = scene.last_request().user().to_owned();
    assert!(asked.contains("src/lib.rs") && asked.to_lowercase().contains("test"), "{asked}");
}

#[test]
fn palette_commands_start_a_turn_and_return_at_once() {
    let cases = ["assent.explain", "assent.fix", "assent.tests", "assent.document", "assent.refactor"];
    for command in cases {
        let mut scene = Scene::new(&[("f.rs", "fn main() {\n    let answer = 42;\n}\n")]);
        let uri = scene.client.open("f.rs");
        let gate = assent_tests::Gate::new();
        scene.model.reply(answer().hold(&gate).text("Said."));
        let range = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 20 } });
        let session = scene.session.clone();
        let argument = json!({ "uri": uri, "range": range, "sessionId": session });
        let result = scene.client.command(command, argument);
        assert_eq!(result["sessionId"], session.as_str(), "{command}: before the model said a word");
        gate.wait_reached();
        gate.open();
        scene.client.wait_for_words(&session, "Said.");
        scene.client.claim_all_updates(&session);
        assert!(
            scene.last_request().user().contains("answer = 42"),
            "{command}: {}",
            scene.last_request().user()
        );
        scene.model.verify();
        scene.client.wait_for_idle();
        scene.client.claim_all_updates(&session);
    }
}

#[test]
fn ask_without_a_session_makes_one() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(text("Said."));
    let result = scene.client.command("assent.ask", json!({ "prompt": "what now?" }));
    let session = result["sessionId"].as_str().unwrap().to_owned();
    scene.client.wait_for_words(&session, "Said.");
    scene.client.wait_for_idle();
    scene.client.claim_all_updates(&session);
    assert!(scene.last_request().user().contains("what now?"));
}

#[test]
fn a_question_reaches_the_user_and_its_answer_the_model() {
    let model = assent_tests::ModelServer::start();
    let ws = assent_tests::Workspace::with_model(&model, &[]);
    let mut client = assent_tests::Client::start(crate::scene::ASSENT, &ws);
    let mut params = client.initialize_params();
    params["capabilities"]["experimental"]["assent"]["acp"]["clientCapabilities"]["elicitation"] =
        json!({ "form": {} });
    client.initialize_with(params);
    let session = client.new_session();
    let question = json!({ "questions": [{ "question": "Which colour?", "header": "Colour",
        "options": [{ "label": "Red", "description": "warm" }, { "label": "Blue", "description": "cold" }] }] });
    model.reply(answer().call("q", "question", question)).reply(text("Thanks."));
    let prompt = client.start_prompt(&session, "paint it");
    let request = client.expect_request("elicitation/create");
    assert!(request.params.to_string().contains("Which colour?"), "{}", request.params);
    let field =
        request.params["requestedSchema"]["properties"].as_object().unwrap().keys().next().unwrap().clone();
    client.answer(&request, json!({ "action": "accept", "content": { field: "Blue" } }));
    client.finish_turn(&session, prompt);
    assert!(model.requests().pop().unwrap().result("q").contains("Blue"));
}

#[test]
fn a_todo_list_is_shown_as_a_plan() {
    let mut scene = Scene::new(&[]);
    let todos = json!([
        { "id": "1", "content": "Find it", "status": "completed", "priority": "high" },
        { "id": "2", "content": "Mend it", "status": "in_progress", "priority": "high" },
    ]);
    scene.model.reply(answer().call("t", "todowrite", json!({ "todos": todos }))).reply(text("On it."));
    let turn = scene.prompt("plan");
    let plan = turn.updates.iter().find(|update| update["sessionUpdate"] == "plan").unwrap();
    assert_eq!(plan["entries"][1]["content"], "Mend it");
    assert_eq!(plan["entries"][1]["status"], "in_progress");
}

#[test]
fn a_model_that_repeats_itself_is_told_and_then_stopped() {
    let mut scene = Scene::new(&[("a", "AAA\n")]);
    for idx in 0..30 {
        scene.model.reply(answer().call(&format!("c{idx}"), "read", json!({ "filePath": "a" })));
    }
    scene.client.patience = std::time::Duration::from_secs(30);
    let prompt = scene.start("go");
    let response = scene.client.expect_response(prompt);
    let session = scene.session.clone();
    let updates = scene.client.claim_all_updates(&session);
    scene.client.ignore("elicitation/create");
    scene.client.ignore("window/showMessage");
    let asked = scene.model.requests().len();
    assert!(asked < 15, "stopped after {asked} requests: {response:?} {updates:?}");
    scene.model.forget_queue();
}

#[test]
fn calls_written_as_text_are_taken_where_that_is_switched_on() {
    let forms = [
        "```json\n{\"name\": \"read\", \"arguments\": {\"filePath\": \"a\"}}\n```",
        "{\"name\": \"read\", \"arguments\": {\"filePath\": \"a\"}}",
        "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"filePath\": \"a\"}}\n</tool_call>",
    ];
    for form in forms {
        let mut scene = Scene::with_settings(&[("a", "AAA\n")], Dialect::Chat, "");
        let yaml = format!(
            "model: mock/test-model\nproviders:\n  mock: {{ api: openai-chat, baseUrl: \"{}\", apiKeyEnv: MOCK_KEY, textCalls: true }}\n",
            scene.model.base_url()
        );
        scene.ws.user_config(&yaml);
        scene.restart();
        scene.session = scene.client.new_session();
        scene.model.reply(text(form)).reply(text("Done."));
        scene.prompt("go");
        assert!(scene.last_request().news().contains("AAA"), "{form}");
    }
}

#[test]
fn a_mode_of_the_settings_counts_from_the_first_prompt() {
    let settings = "mode: plan\nagents:\n  quick: { mode: accept-edits }\n";
    let mut scene = Scene::with_settings(&[("f.txt", "old\n")], Dialect::Chat, settings);
    let outcome = scene.call("write", json!({ "filePath": "new.txt", "content": "x" }));
    assert!(outcome.failed && !scene.ws.exists("new.txt"), "{}", outcome.text);
    let agent = json!({ "sessionId": scene.session, "configId": "agent", "value": "quick" });
    scene.client.request("session/set_config_option", agent);
    let mode = scene
        .client
        .wait_for_update(&scene.session.clone(), |update| update["sessionUpdate"] == "current_mode_update");
    assert_eq!(mode["currentModeId"], "accept-edits");
}

#[test]
fn an_agent_that_is_not_there_is_refused() {
    // Left alone, a name that means nothing would be an agent with every tool.
    let mut scene = Scene::with_settings(&[], Dialect::Chat, "agents:\n  reader: { tools: [read] }\n");
    let choose = |agent: &str| json!({ "sessionId": scene.session, "configId": "agent", "value": agent });
    let (unknown, reader) = (choose("raeder"), choose("reader"));
    let id = scene.client.send_request("session/set_config_option", unknown);
    assert!(scene.client.expect_error(id).message.contains("reader"));
    scene.client.request("session/set_config_option", reader);
    let session = scene.session.clone();
    scene.client.claim_all_updates(&session);
    // It goes from the settings while the session is open.
    scene.ws.use_model_and(&scene.model, Dialect::Chat, "");
    let prompt = scene.start("go");
    let (error, _) = scene.client.finish_failed_turn(&session, prompt);
    assert!(error.message.contains("no agent reader"), "{}", error.message);
}
