use super::*;
use crate::model::testing::{call, request, result, run, text, user, words};
use serde_json::json;

const SCRIPT: &str = r#"{ "answers": [
    [ { "think": "Hm." }, { "say": "I read {folder} now.", "pace": 30 }, { "pause": 1000 },
      { "call": "read", "with": { "filePath": "{folder}/a", "deep": [ "{folder}" ] } } ],
    [ { "expect": "text of a" }, { "say": "Done." }, { "stop": "output-limit" } ],
    [ { "hang": true } ] ] }"#;

fn model() -> Scripted {
    Scripted::new(Script::parse(SCRIPT).unwrap(), Path::new("/ws"))
}

#[tokio::test(start_paused = true)]
async fn plays_the_answer_that_the_conversation_is_at() {
    let (answer, deltas) = run(&model(), &request(vec![user("go")])).await;
    let answer = answer.unwrap();
    assert_eq!(words(&deltas), "[scripted model] I read /ws now.");
    assert_eq!(answer.parts[1], text("[scripted model] I read /ws now."));
    assert_eq!(
        answer.parts[2],
        call("scripted-0-2", "read", json!({ "filePath": "/ws/a", "deep": ["/ws"] }))
    );

    let next = vec![
        user("go"),
        Message::Assistant(answer.parts),
        Message::Results(vec![result("scripted-0-2", "text of a")]),
    ];
    let (answer, _) = run(&model(), &request(next)).await;
    assert_eq!(
        answer.unwrap(),
        Answer { parts: vec![text("[scripted model] Done.")], stop: Stop::OutputLimit, usage: None }
    );
}

#[tokio::test(start_paused = true)]
async fn an_expectation_that_fails_says_what_came_instead() {
    let wrong = vec![
        user("go"),
        Message::Assistant(vec![call("c", "read", json!({}))]),
        Message::Results(vec![result("c", "other")]),
    ];
    let (answer, _) = run(&model(), &request(wrong)).await;
    let message = answer.unwrap_err().to_string();
    assert!(message.contains("`text of a`") && message.contains("other"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn says_when_the_script_is_over_and_hangs_where_told() {
    let spoken = |count| {
        (0..count).flat_map(|_| [user("go"), Message::Assistant(vec![text("x")])]).collect::<Vec<_>>()
    };
    let (answer, _) = run(&model(), &request(spoken(3))).await;
    assert_eq!(answer.unwrap().parts, [text("[scripted model] The script is over.")]);

    let (model, request) = (model(), request(spoken(2)));
    let (sender, _receiver) = mpsc::channel(8);
    let waited = tokio::time::timeout(Duration::from_secs(3600), model.run(&request, &sender)).await;
    assert!(waited.is_err());
}

#[test]
fn a_wrong_script_says_where() {
    for (script, word) in [
        (r#"{ "answers": [[ { "say": "a", "call": "b" } ]] }"#, "exactly one"),
        (r#"{ "answers": [[ { "shout": "a" } ]] }"#, "shout"),
        (r#"{ "answers": [[ { "think": "a", "pace": 3 } ]] }"#, "exactly one"),
        (r#"{ "answer": [] }"#, "answer"),
    ] {
        let message = Script::parse(script).unwrap_err().to_string();
        assert!(message.contains(word) && message.contains("line 1"), "{message}");
    }
}

#[test]
fn a_script_that_is_not_there_is_named() {
    let error = Scripted::open(Path::new("/no/such/script.json"), Path::new("/ws")).err().unwrap();
    assert!(error.to_string().contains("/no/such/script.json"));
}
