use super::*;
use crate::model::Stop;
use crate::model::testing::{call, request, run, text, user, words};
use assent_base::tool::Arguments;
use parking_lot::Mutex;
use serde_json::{Value, json};

/// Answers with the given deltas, and with parts made of them.
struct Says(Mutex<Option<(Vec<Delta>, Vec<Part>)>>);

#[async_trait]
impl Model for Says {
    fn name(&self) -> &str {
        "says"
    }

    fn window(&self) -> Option<u64> {
        None
    }

    fn takes_images(&self) -> bool {
        false
    }

    async fn run(&self, _: &Request, deltas: &mpsc::Sender<Delta>) -> Result<Answer, ModelError> {
        let (said, parts) = self.0.lock().take().unwrap();
        for delta in said {
            deltas.send(delta).await.unwrap();
        }
        Ok(Answer { parts, stop: Stop::End, usage: None })
    }
}

/// Runs a text that comes in these pieces; gives the words shown, the calls and the text left.
async fn read_pieces(pieces: &[&str]) -> (String, Vec<(String, Value)>, String) {
    let said = pieces.iter().map(|piece| Delta::Text((*piece).to_owned())).collect();
    let model = TextCalls::new(Arc::new(Says(Mutex::new(Some((said, vec![text(&pieces.concat())]))))));
    let (answer, deltas) = run(&model, &request(vec![user("go")])).await;
    let answer = answer.unwrap();
    let mut left = String::new();
    let mut calls = Vec::new();
    for part in answer.parts {
        match part {
            Part::Text(text) => left.push_str(&text),
            Part::Call(Call { id, name, arguments: Arguments::Object(arguments) }) => {
                assert!(deltas.contains(&Delta::CallStarted { id, name: name.clone() }));
                calls.push((name, Value::Object(arguments)));
            }
            other => panic!("{other:?}"),
        }
    }
    (words(&deltas), calls, left)
}

async fn read(text: &str) -> (Vec<(String, Value)>, String) {
    let (shown, calls, left) = read_pieces(&[text]).await;
    // Character by character the same comes out.
    let letters: Vec<String> = text.chars().map(String::from).collect();
    let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
    assert_eq!(read_pieces(&letters).await, (shown, calls.clone(), left.clone()), "{text}");
    (calls, left)
}

fn read_a() -> Vec<(String, Value)> {
    vec![("read".to_owned(), json!({ "filePath": "a" }))]
}

#[tokio::test]
async fn a_fenced_a_bare_and_a_tagged_call_are_calls() {
    let object = r#"{"name": "read", "arguments": {"filePath": "a"}}"#;
    for written in [
        format!("```json\n{object}\n```"),
        format!("```\n{object}\n```\n"),
        object.to_owned(),
        format!("  {object}\n"),
        format!("<tool_call>\n{object}\n</tool_call>"),
        format!("<tool_call>{object}</tool_call>"),
        // The end of the answer closes what the model forgot to close.
        format!("```json\n{object}"),
        format!("<tool_call>\n{object}\n"),
        r#"{"parameters": {"filePath": "a"}, "name": "read"}"#.to_owned(),
        "{\n  \"name\": \"read\",\n  \"arguments\": \"{\\\"filePath\\\": \\\"a\\\"}\"\n}".to_owned(),
    ] {
        let (calls, left) = read(&written).await;
        assert_eq!((calls, left.trim()), (read_a(), ""), "{written}");
    }
}

#[tokio::test]
async fn the_text_before_stays_text_and_json_is_never_shown() {
    let written =
        "I will read it.\n\n```json\n{\"name\": \"read\", \"arguments\": {\"filePath\": \"a\"}}\n```\n";
    let (calls, left) = read(written).await;
    assert_eq!((calls, left.trim()), (read_a(), "I will read it."));
    assert_eq!(read_pieces(&[written]).await.0.trim(), "I will read it.");
}

#[tokio::test]
async fn two_calls_are_two() {
    let tag = r#"<tool_call>{"name": "read", "arguments": {"filePath": "a"}}</tool_call>"#;
    let (calls, _) = read(&format!("{tag}\n{tag}")).await;
    assert_eq!(calls, [read_a(), read_a()].concat());
}

#[tokio::test]
async fn everything_else_stays_text() {
    for written in [
        r#"{"name": "unknown", "arguments": {}}"#,
        r#"{"name": "read", "arguments": {}, "why": "because"}"#,
        r#"{"name": "read"}"#,
        r#"{"title": "x", "arguments": {}}"#,
        "```json\n{\"name\": \"app\", \"version\": \"1\"}\n```\nThat is it.",
        "```rust\nfn main() {}\n```\nAnd `{` is a brace.\n```\nplain\n```\nend",
        "call {\"name\": \"read\", \"arguments\": {}} in a line",
        "```json\n{\"name\": \"read\", \"argum",
        "<tool_call>no object</tool_call>",
        "<tool_callers>",
        "{oops\n}",
        "",
        "``",
        "\n\n  \n",
        "x\n\n- a\n- b\n",
    ] {
        let (shown, calls, left) = read_pieces(&[written]).await;
        read(written).await;
        assert!(calls.is_empty(), "{written}");
        assert_eq!((shown.as_str(), left.trim()), (written, written.trim()));
    }
}

#[tokio::test]
async fn words_stream_while_a_code_block_is_open() {
    let (tools, code) = (["read"], "```rust\nfn main() {}\n");
    let mut splitter = Splitter::new(&tools);
    assert_eq!(splitter.feed(code), [Piece::Text(code.to_owned())]);
    assert_eq!(splitter.feed("```\nmore"), [Piece::Text("```\nmore".to_owned())]);
}

#[tokio::test]
async fn a_call_that_never_ends_is_let_go() {
    let tools = ["read"];
    let mut splitter = Splitter::new(&tools);
    assert_eq!(splitter.feed(r#"{"name": "read", "arguments": {"filePath": ""#), []);
    assert_eq!(splitter.feed("aaa"), []);
    let pieces = splitter.feed(&"b".repeat(crate::limits::TEXT_CALL_BYTES));
    assert!(
        matches!(&pieces[..], [Piece::Text(text)] if text.starts_with("{\"name\"") && text.ends_with('b'))
    );
}

#[tokio::test]
async fn beside_real_calls_a_written_one_is_only_words() {
    let written = r#"{"name": "read", "arguments": {"filePath": "a"}}"#;
    let parts = vec![text(written), call("c1", "read", json!({ "filePath": "a" }))];
    let said = vec![
        Delta::Text(written.to_owned()),
        Delta::CallStarted { id: "c1".to_owned(), name: "read".to_owned() },
    ];
    let model = TextCalls::new(Arc::new(Says(Mutex::new(Some((said, parts.clone()))))));
    let (answer, deltas) = run(&model, &request(vec![user("go")])).await;
    assert_eq!(answer.unwrap().parts, parts);
    assert_eq!(words(&deltas), written);
}
