//! What the next request carries after a cancel, a crash, thinking, images, and another provider.
//! That calls and results pair up is checked by the model server on every request of every test.

use crate::scene::Scene;
use assent_tests::model_server::{Dialect, Item};
use assent_tests::{Gate, ModelServer, Workspace, answer, text};
use serde_json::{Value, json};

fn scene(dialect: Dialect) -> Scene {
    Scene::with_settings(&[("a", "AAA\n")], dialect, "")
}

/// The model calls t1, which ends, and t2, which the user is asked about.
fn two_calls(scene: &mut Scene) -> i64 {
    scene.model.reply(answer().call("t1", "read", json!({ "filePath": "a" })).call(
        "t2",
        "bash",
        json!({ "command": "echo hi", "description": "t" }),
    ));
    let prompt = scene.start("go");
    let session = scene.session.clone();
    scene.client.wait_for_status(&session, "t1", "completed");
    prompt
}

fn kinds(items: &[Item]) -> Vec<&'static str> {
    let kind = |item: &Item| match item {
        Item::User { .. } => "user",
        Item::Assistant { .. } => "assistant",
        Item::Reasoning { .. } => "reasoning",
        Item::Call { .. } => "call",
        Item::Result { .. } => "result",
    };
    items.iter().map(kind).collect()
}

#[test]
fn a_cancelled_call_has_a_result_before_the_next_words() {
    for dialect in Dialect::ALL {
        let mut scene = scene(dialect);
        let prompt = two_calls(&mut scene);
        let approval = scene.client.expect_approval();
        let session = scene.session.clone();
        scene.client.cancel(&session);
        assert_eq!(scene.finish(prompt).stop_reason, "cancelled", "{dialect:?}");
        scene.client.answer(&approval.request, json!({ "outcome": { "outcome": "cancelled" } }));
        scene.model.reply(text("Stopped."));
        scene.prompt("stop");
        let request = scene.last_request();
        assert_eq!(
            kinds(&request.items),
            ["user", "call", "call", "result", "result", "user"],
            "{dialect:?}"
        );
        assert!(request.result("t1").contains("AAA"));
        assert!(
            request.result("t2").to_lowercase().contains("interrupted"),
            "{dialect:?}: {}",
            request.result("t2")
        );
        assert_eq!(request.user(), "stop");
    }
}

#[test]
fn a_killed_server_does_not_know_whether_the_call_ran() {
    let mut scene = scene(Dialect::Chat);
    scene.client.allows_all = true;
    scene.model.reply(answer().call("t1", "read", json!({ "filePath": "a" })).call(
        "t2",
        "bash",
        json!({ "command": "touch began; sleep 33.07", "description": "t" }),
    ));
    scene.start("go");
    let session = scene.session.clone();
    scene.client.wait_for_status(&session, "t1", "completed");
    scene.wait_until("the command runs", |ws| ws.exists("began"));
    scene.client.connection.kill();
    scene.client.has_ended();
    scene.client.claim_all_updates(&session);
    scene.start_again();
    let cwd = scene.ws.root().to_owned();
    scene.client.request("session/load", json!({ "sessionId": session, "cwd": cwd, "mcpServers": [] }));
    scene.client.claim_all_updates(&session);
    scene.model.reply(text("I see."));
    scene.prompt("what happened?");
    let request = scene.last_request();
    assert!(request.result("t2").contains("unknown"), "{}", request.result("t2"));
}

#[test]
fn thinking_goes_back_as_it_came() {
    let mut scene = scene(Dialect::Anthropic);
    scene.model.reply(answer().thinking("plan", "SIG1").redacted("RD").text("ok").call(
        "t1",
        "read",
        json!({ "filePath": "a" }),
    ));
    scene.model.reply(text("Done."));
    let turn = scene.prompt("go");
    assert!(turn.thinking().contains("plan"), "{:?}", turn.updates);
    let request = scene.last_request();
    assert_eq!(kinds(&request.items), ["user", "reasoning", "reasoning", "assistant", "call", "result"]);
    let expected = [
        json!({ "type": "thinking", "thinking": "plan", "signature": "SIG1" }),
        json!({ "type": "redacted_thinking", "data": "RD" }),
    ];
    for (item, expected) in request.items[1..].iter().zip(expected) {
        assert_eq!(*item, Item::Reasoning { block: expected });
    }

    let mut scene = self::scene(Dialect::Responses);
    scene.model.reply(answer().thinking("plan", "ENC").call("call_1", "read", json!({ "filePath": "a" })));
    scene.model.reply(text("Done."));
    scene.prompt("go");
    let request = scene.last_request();
    assert_eq!(kinds(&request.items), ["user", "reasoning", "call", "result"]);
    let Item::Reasoning { block } = &request.items[1] else { unreachable!() };
    assert_eq!((&block["id"], &block["encrypted_content"]), (&json!("rs_1"), &json!("ENC")));
}

#[test]
fn thinking_that_nothing_followed_is_not_sent() {
    for dialect in [Dialect::Responses, Dialect::Anthropic] {
        let mut scene = scene(dialect);
        let gate = Gate::new();
        scene.model.reply(answer().thinking("a plan", "ENC").hold(&gate).text("never"));
        let prompt = scene.start("go");
        gate.wait_reached();
        let session = scene.session.clone();
        scene.client.cancel(&session);
        assert_eq!(scene.finish(prompt).stop_reason, "cancelled");
        scene.model.reply(text("Yes."));
        scene.prompt("again");
        assert!(!kinds(&scene.last_request().items).contains(&"reasoning"), "{dialect:?}");
        gate.open();
    }
}

#[test]
fn an_answer_of_thinking_alone_leaves_no_empty_text() {
    for dialect in Dialect::ALL {
        let mut scene = scene(dialect);
        scene.model.reply(answer().thinking("hm", "SIG"));
        let prompt = scene.start("go");
        let _ = scene.client.expect_response(prompt);
        let session = scene.session.clone();
        scene.client.claim_all_updates(&session);
        scene.model.reply(text("Yes."));
        scene.prompt("well?");
    }
}

#[test]
fn images_of_parallel_calls_follow_the_results() {
    let mut scene = scene(Dialect::Chat);
    scene.ws.write("one.png", PNG).write("two.png", PNG);
    scene.model.reply(answer().call("c1", "read", json!({ "filePath": "one.png" })).call(
        "c2",
        "read",
        json!({ "filePath": "two.png" }),
    ));
    scene.model.reply(text("Two dots."));
    scene.prompt("look");
    let request = scene.last_request();
    let roles: Vec<&str> = request.body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|message| message["role"].as_str())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool", "user"]);
    assert!(matches!(request.items.last(), Some(Item::User { images: 2, .. })), "{:?}", request.items.last());
}

#[test]
fn ids_of_one_provider_are_made_fit_for_another() {
    let long = format!("call_{}|fc_{}", "a".repeat(44), "b".repeat(41));
    let model = ModelServer::start();
    let ws = Workspace::with(&[("a", "AAA\n")]);
    ws.user_config(&format!(
        "model: chat/m\nproviders:\n  chat: {{ api: openai-chat, baseUrl: \"{0}\", apiKeyEnv: MOCK_KEY }}\n  \
         resp: {{ api: openai-responses, baseUrl: \"{0}\", apiKeyEnv: MOCK_KEY }}\n  \
         anth: {{ api: anthropic, baseUrl: \"{1}\", apiKeyEnv: MOCK_KEY }}\n",
        model.base_url(),
        model.origin()
    ));
    let mut scene = Scene::on(model, ws);
    let other = format!("{long}x");
    scene.model.reply(answer().call(&long, "read", json!({ "filePath": "a" })).call(
        &other,
        "ls",
        json!({ "path": "." }),
    ));
    scene.model.reply(text("Done."));
    scene.prompt("go");
    for (model, limit) in [("resp/m", 64), ("anth/m", 64)] {
        let session = scene.session.clone();
        let params = json!({ "sessionId": session, "configId": "model", "value": model });
        scene.client.request("session/set_config_option", params);
        scene.model.reply(text("Still done."));
        scene.prompt("and now?");
        let request = scene.last_request();
        let ids: Vec<&String> = request
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Call { id, .. } => Some(id),
                _ => None,
            })
            .collect();
        assert_eq!(ids.len(), 2);
        assert_ne!(ids[0], ids[1], "{model}");
        for id in ids {
            assert!(id.len() <= limit, "{model}: {id}");
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            assert!(request.dialect == Dialect::Responses || id.chars().all(plain), "{model}: {id}");
        }
    }
}

#[test]
fn the_prefix_is_marked_for_the_cache() {
    let mut scene = scene(Dialect::Anthropic);
    scene.model.reply(answer().call("t1", "read", json!({ "filePath": "a" }))).reply(text("Done."));
    scene.prompt("go");
    for request in scene.model.requests() {
        assert!(request.body.to_string().contains("cache_control"), "{:#}", request.body);
    }
}

#[test]
fn what_the_user_attached_is_the_buffers_text() {
    let mut scene = scene(Dialect::Chat);
    let uri = scene.client.open("a");
    scene.client.replace(&uri, "AAA", "unsaved words");
    scene.model.reply(text("I see."));
    let blocks: Value = json!([
        { "type": "text", "text": "what is this?" },
        { "type": "resource_link", "uri": uri, "name": "a" },
    ]);
    let session = scene.session.clone();
    let prompt = scene.client.start_prompt_with(&session, blocks);
    scene.finish(prompt);
    assert!(scene.last_request().user().contains("unsaved words"), "{}", scene.last_request().user());
}

/// One pixel.
const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0,
    0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 0x0D, b'I', b'D', b'A', b'T', 0x78, 0xDA, 0x63,
    0x64, 0xF8, 0xCF, 0x50, 0x0F, 0, 0x03, 0x86, 0x01, 0x80, 0x5A, 0x34, 0x7D, 0x6B, 0, 0, 0, 0, b'I', b'E',
    b'N', b'D', 0xAE, 0x42, 0x60, 0x82,
];
