//! Plain LSP, no plugin: approvals as message requests, hunks as code actions and lenses, the
//! conversation as a transcript document and work-done progress.

use crate::scene::ASSENT;
use assent_tests::model_server::Request;
use assent_tests::{Client, ModelServer, Workspace, answer, text};
use serde_json::{Value, json};

struct Plain {
    client: Client,
    model: ModelServer,
    ws: Workspace,
}

impl Plain {
    fn new(files: &[(&str, &str)]) -> Self {
        let model = ModelServer::start();
        let ws = Workspace::with_model(&model, files);
        let mut client = Client::start(ASSENT, &ws);
        client.initialize_plain();
        client.saves = false;
        Self { client, model, ws }
    }

    /// Ask, and claim the transcript that is shown.
    fn ask(&mut self, words: &str) -> Value {
        let result = self.client.command("assent.ask", json!({ "prompt": words }));
        assert!(result["sessionId"].is_string(), "{result}");
        self.client.ignore("window/showDocument");
        result
    }

    fn wait_for_end(&mut self) {
        self.client.wait_for_idle();
    }

    fn last(&self) -> Request {
        self.model.requests().pop().unwrap()
    }

    fn actions(&mut self, uri: &str, line: u32) -> Vec<Value> {
        let position = json!({ "line": line, "character": 0 });
        let result = self.client.request(
            "textDocument/codeAction",
            json!({ "textDocument": { "uri": uri }, "range": { "start": position, "end": position },
                "context": { "diagnostics": [] } }),
        );
        result.as_array().cloned().unwrap_or_default()
    }
}

#[test]
fn nothing_of_our_own_is_sent_to_a_plain_client() {
    // The client fails on any notification or request it did not expect.
    let mut plain = Plain::new(&[]);
    plain.model.reply(text("Hello."));
    plain.ask("hi");
    plain.wait_for_end();
}

#[test]
fn the_transcript_is_shown_and_holds_the_conversation() {
    let mut plain = Plain::new(&[]);
    plain.model.reply(text("Hello there."));
    plain.client.command("assent.ask", json!({ "prompt": "say hello" }));
    let request = plain.client.expect_request("window/showDocument");
    let uri = request.params["uri"].as_str().unwrap().to_owned();
    plain.client.answer(&request, json!({ "success": true }));
    plain.client.ignore("window/showDocument");
    plain.wait_for_end();
    let path = uri.strip_prefix("file://").expect("a document an editor can open");
    let shown = std::fs::read_to_string(path).unwrap();
    assert!(shown.contains("say hello") && shown.contains("Hello there."), "{shown}");
}

#[test]
fn approvals_go_out_as_message_requests() {
    for (choice, runs) in [(Some("Allow"), true), (Some("Reject"), false), (None, false)] {
        let mut plain = Plain::new(&[]);
        let bash = json!({ "command": "touch ran", "description": "t" });
        plain.model.reply(answer().call("c1", "bash", bash)).reply(text("Done."));
        plain.ask("run it");
        let request = plain.client.expect_request("window/showMessageRequest");
        assert!(request.params["message"].as_str().unwrap().contains("touch ran"), "{}", request.params);
        let actions = request.params["actions"].as_array().unwrap().clone();
        let chosen = choice.map(|word| {
            let fits = |action: &&Value| action["title"].as_str().unwrap().starts_with(word);
            actions.iter().find(fits).unwrap_or_else(|| panic!("no {word} in {actions:?}")).clone()
        });
        plain.client.answer(&request, chosen.unwrap_or(Value::Null));
        plain.wait_for_end();
        assert_eq!(plain.ws.exists("ran"), runs, "{choice:?}");
        assert!(!plain.last().result("c1").is_empty());
    }
}

/// A review in an open document; gives the URI.
fn review(plain: &mut Plain) -> String {
    let uri = plain.client.open("f.txt");
    plain.model.reply(answer().call("r", "read", json!({ "filePath": "f.txt" })));
    let edit = json!({ "filePath": "f.txt", "oldString": "two", "newString": "TWO" });
    plain.model.reply(answer().call("e", "edit", edit)).reply(text("Done."));
    plain.ask("edit it");
    plain.client.poll("the hunk's lens", |client| {
        let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
        let lenses = lenses.as_array().cloned().unwrap_or_default();
        (!lenses.is_empty()).then_some(lenses)
    });
    uri
}

#[test]
fn a_hunk_is_accepted_by_its_code_action() {
    let mut plain = Plain::new(&[("f.txt", "one\ntwo\nthree\n")]);
    plain.client.ignore("workspace/codeLens/refresh");
    let uri = review(&mut plain);
    let actions = plain.actions(&uri, 1);
    let accept = actions
        .iter()
        .find(|action| action["title"].as_str().unwrap_or_default().to_lowercase().contains("accept"))
        .unwrap_or_else(|| panic!("{actions:?}"))
        .clone();
    let accept = plain.client.request("codeAction/resolve", accept);
    // The action carries the edit itself, plus a command that tells the server.
    plain.client.apply_action(&accept);
    plain.wait_for_end();
    assert_eq!(plain.client.document(&uri).text, "one\nTWO\nthree\n");
    assert!(plain.last().result("e").contains("accepted"), "{}", plain.last().result("e"));
}

#[test]
fn a_hunk_is_rejected_by_its_lens() {
    let mut plain = Plain::new(&[("f.txt", "one\ntwo\nthree\n")]);
    plain.client.ignore("workspace/codeLens/refresh");
    let uri = review(&mut plain);
    let lenses = plain.client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let reject = lenses
        .as_array()
        .unwrap()
        .iter()
        .find(|lens| lens["command"]["command"] == "assent.review.reject")
        .unwrap_or_else(|| panic!("{lenses}"))
        .clone();
    assert_eq!(reject["range"]["start"]["line"], 1);
    plain.client.command("assent.review.reject", reject["command"]["arguments"][0].clone());
    plain.wait_for_end();
    assert_eq!(plain.client.document(&uri).text, "one\ntwo\nthree\n");
    assert!(plain.last().result("e").contains("rejected"), "{}", plain.last().result("e"));
}

#[test]
fn code_actions_on_a_range_start_a_turn() {
    let mut plain = Plain::new(&[("f.txt", "one\ntwo\n")]);
    let uri = plain.client.open("f.txt");
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } });
    let actions = plain.client.request(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } }),
    );
    let titles: Vec<String> = actions
        .as_array()
        .unwrap()
        .iter()
        .map(|action| action["title"].as_str().unwrap().to_lowercase())
        .collect();
    for word in ["explain", "tests", "rewrite"] {
        assert!(titles.iter().any(|title| title.contains(word)), "{word} is not in {titles:?}");
    }
}

#[test]
fn a_closed_file_is_edited_and_written() {
    let mut plain = Plain::new(&[("f.txt", "one\ntwo\n")]);
    plain.client.ignore("workspace/codeLens/refresh");
    plain.model.reply(answer().call("r", "read", json!({ "filePath": "f.txt" })));
    let edit = json!({ "filePath": "f.txt", "oldString": "two", "newString": "TWO" });
    plain.model.reply(answer().call("e", "edit", edit)).reply(text("Done."));
    plain.ask("edit it");
    plain.client.ignore("window/showMessage");
    plain.client.poll("the file", |client| {
        let id = client.send_command("assent.review.acceptAll", json!({}));
        client.expect_result(id);
        (plain.ws.read("f.txt") == "one\nTWO\n").then_some(())
    });
    plain.wait_for_end();
}
