//! Text sync: the server's document is the client's, whatever the changes look like.

use crate::scene::{Scene, shown_lines};
use assent_tests::{Client, Gate, ModelServer, Workspace, answer, text};
use serde_json::{Value, json};

fn insert(line: u32, character: u32, text: &str) -> Value {
    replace(line, character, line, character, text)
}

fn replace(line: u32, character: u32, to_line: u32, to_character: u32, text: &str) -> Value {
    json!({ "range": { "start": { "line": line, "character": character },
        "end": { "line": to_line, "character": to_character } }, "text": text })
}

fn read(scene: &mut Scene, path: &str) -> Vec<String> {
    shown_lines(&scene.call("read", json!({ "filePath": path })).text)
}

/// Changes, one notification an entry, and the text afterwards: the client's and the server's.
#[track_caller]
fn check(before: &str, notifications: &[Value], after: &str) {
    let mut scene = Scene::new(&[("f.txt", before)]);
    let uri = scene.client.open("f.txt");
    for changes in notifications {
        scene.client.change_raw(&uri, changes.clone());
    }
    assert_eq!(scene.client.document(&uri).text, after, "the fake client's own text");
    assert_eq!(read(&mut scene, "f.txt"), after.lines().collect::<Vec<_>>());
}

#[test]
fn changes_apply_in_order_and_positions_past_the_end_mean_the_end() {
    check("ab\ncd\n", &[json!([insert(0, 0, "X\n"), replace(1, 0, 1, 1, "Z")])], "X\nZb\ncd\n");
    check("whole\n", &[json!([{ "text": "q\n" }, insert(0, 1, "r")])], "qr\n");
    let past = [json!([replace(0, 1, 0, 99, "!")]), json!([insert(99, 0, "z")])];
    check("foo\nbar\n", &past, "f!\nbar\nz");
}

#[test]
fn a_position_inside_a_pair_leaves_the_text_valid() {
    let mut scene = Scene::new(&[("f.txt", "a🙂b")]);
    let uri = scene.client.open("f.txt");
    let changes = json!([insert(0, 2, "-")]);
    scene.client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": changes }),
    );
    let lines = read(&mut scene, "f.txt");
    assert!(lines == ["a-🙂b"] || lines == ["a🙂-b"], "{lines:?}");
}

#[test]
fn columns_are_counted_in_utf_16() {
    let mut scene = Scene::new(&[("f.txt", "a🙂é = \"x\"\n"), ("g.txt", "🙂")]);
    scene.client.accepts_all = true;
    scene.client.open("f.txt");
    scene.client.open("g.txt");
    let outcomes = scene.calls(&[
        ("read", json!({ "filePath": "f.txt" })),
        ("edit", json!({ "filePath": "f.txt", "oldString": "x", "newString": "yy" })),
        ("read", json!({ "filePath": "g.txt" })),
        ("write", json!({ "filePath": "g.txt", "content": "done" })),
    ]);
    assert!(!outcomes[1].failed && !outcomes[3].failed, "{outcomes:?}");
    assert_eq!(scene.ws.read("f.txt"), "a🙂é = \"yy\"\n");
    assert_eq!(scene.ws.read("g.txt"), "done");
    let end = &scene.client.edits[1].edits()[0]["range"]["end"];
    assert_eq!(*end, json!({ "line": 0, "character": 2 }));
}

#[test]
fn columns_are_counted_in_bytes_where_the_client_offers_it() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[("f.txt", "a🙂é = \"x\"\n")]);
    let mut client = Client::start(crate::scene::ASSENT, &ws);
    let mut params = client.initialize_params();
    params["capabilities"]["general"]["positionEncodings"] = json!(["utf-8", "utf-16"]);
    let result = client.initialize_with(params);
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-8");
    client.accepts_all = true;
    let uri = client.open("f.txt");
    client.append(&uri, "🙂\n");
    client.append(&uri, "end\n");
    let session = client.new_session();
    model.reply(answer().call("r", "read", json!({ "filePath": "f.txt" })));
    model.reply(answer().call(
        "e",
        "edit",
        json!({ "filePath": "f.txt", "oldString": "x", "newString": "yy" }),
    ));
    model.reply(text("Done."));
    client.prompt(&session, "go");
    assert_eq!(client.document(&uri).text, "a🙂é = \"yy\"\n🙂\nend\n");
}

#[test]
fn a_burst_of_changes_while_a_tool_runs_is_all_there() {
    let mut scene = Scene::new(&[("f.txt", "base:")]);
    scene.client.allows_all = true;
    let uri = scene.client.open("f.txt");
    let gate = Gate::new();
    let bash = json!({ "command": "while [ ! -e go ]; do sleep 0.02; done", "description": "t" });
    scene.model.reply(answer().call("c1", "bash", bash).hold(&gate).finish());
    scene.model.reply(answer().call("c2", "read", json!({ "filePath": "f.txt" }))).reply(text("Done."));
    let prompt = scene.start("go");
    gate.open();
    let session = scene.session.clone();
    scene.client.wait_for_status(&session, "c1", "in_progress");
    let mut expected = "base:".to_owned();
    for idx in 0..300_u32 {
        let key = char::from(b'a' + u8::try_from(idx % 26).unwrap()).to_string();
        scene.client.append(&uri, &key);
        expected.push_str(&key);
    }
    // An answer says that everything before it has been read from the pipe.
    scene.client.request("session/list", json!({}));
    scene.ws.write("go", "");
    scene.finish(prompt);
    assert_eq!(shown_lines(scene.last_request().result("c2")), [expected]);
}

#[cfg(unix)]
#[test]
fn spellings_of_a_uri_are_one_document() {
    let mut scene = Scene::new(&[("[id]/a.ts", "disk\n"), ("a+b.ts", "plus\n"), ("100%.txt", "percent\n")]);
    let root = scene.ws.uri("");
    let root = root.trim_end_matches('/');
    scene.client.open_uri(&format!("{root}/%5bid%5d/a.ts"), "buffer\n");
    scene.client.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": format!("{root}/[id]/a.ts"), "version": 2 },
            "contentChanges": [insert(0, 0, "new ")] }),
    );
    assert_eq!(read(&mut scene, "[id]/a.ts"), ["new buffer"]);
    scene.client.open_uri(&format!("{root}/a+b.ts"), "open plus\n");
    scene.client.open_uri(&format!("{root}/100%25.txt"), "open percent\n");
    assert_eq!(read(&mut scene, "a+b.ts"), ["open plus"]);
    assert_eq!(read(&mut scene, "100%.txt"), ["open percent"]);
}

#[test]
fn an_edit_goes_out_under_the_clients_own_spelling() {
    let mut scene = Scene::new(&[("a b.txt", "old\n")]);
    scene.client.accepts_all = true;
    let uri = scene.ws.uri("a b.txt").replace("%20", "%20");
    scene.client.open_uri(&uri, "old\n");
    let outcomes = scene.calls(&[
        ("read", json!({ "filePath": "a b.txt" })),
        ("edit", json!({ "filePath": "a b.txt", "oldString": "old", "newString": "new" })),
    ]);
    assert!(!outcomes[1].failed, "{}", outcomes[1].text);
    assert_eq!(scene.client.edits[0].uri(), uri);
}
