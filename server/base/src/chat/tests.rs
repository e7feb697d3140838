use super::*;
use crate::tool::Arguments;
use proptest::prelude::*;

fn call(id: &str) -> Part {
    Part::Call(Call {
        id: id.into(),
        name: "read".into(),
        arguments: Arguments::Object(serde_json::Map::new()),
    })
}

fn text(text: &str) -> Part {
    Part::Text(text.into())
}

fn words(text: &str) -> Vec<Content> {
    vec![Content::Text(text.into())]
}

fn result(id: &str, text: &str) -> Record {
    Record::Result(CallResult { call_id: id.into(), content: words(text), is_error: false })
}

/// The conversation in short: `u:text`, `a:text|call`, `r:id=text`.
fn short(transcript: &Transcript) -> Vec<String> {
    let content = |content: &Vec<Content>| match &content[..] {
        [Content::Text(text), ..] => text.clone(),
        _ => "image".into(),
    };
    let shown = transcript.messages();
    let shown = shown.iter().map(|message| match &**message {
        Message::User(said) => format!("u:{}", content(said)),
        Message::Assistant(parts) => {
            let parts = parts.iter().map(|part| match part {
                Part::Text(text) => text.clone(),
                Part::Reasoning(_) => "…".into(),
                Part::Call(call) => call.id.clone(),
            });
            format!("a:{}", parts.collect::<Vec<_>>().join("|"))
        }
        Message::Results(results) => {
            let results = results.iter().map(|r| {
                format!("{}={}{}", r.call_id, content(&r.content), if r.is_error { "!" } else { "" })
            });
            format!("r:{}", results.collect::<Vec<_>>().join("|"))
        }
    });
    shown.collect()
}

#[test]
fn a_rewind_takes_out_a_prompt_and_all_behind_it() {
    let mut transcript = Transcript::default();
    transcript.apply(Record::User(words("one")));
    transcript.apply(Record::Assistant(vec![call("t1")]));
    transcript.apply(result("t1", "done"));
    transcript.apply(Record::Assistant(vec![text("first")]));
    transcript.apply(Record::User(words("two")));
    transcript.apply(Record::Assistant(vec![call("t2")]));
    assert_eq!(transcript.prompts(), 2);
    transcript.rewind(2);
    assert_eq!(transcript.open_calls().len(), 1, "there is no third prompt");
    transcript.rewind(1);
    assert_eq!(short(&transcript), ["u:one", "a:t1", "r:t1=done", "a:first"]);
    assert_eq!((transcript.prompts(), transcript.open_calls().len()), (1, 0));
    transcript.apply(Record::User(words("three")));
    assert_eq!(short(&transcript).last().unwrap(), "u:three");
    transcript.rewind(0);
    assert!(transcript.is_empty());
}

/// cases.md V7: t1 has finished, the user cancels, then types `stop`.
#[test]
fn interrupted_calls_have_results_before_the_next_words() {
    let mut transcript = Transcript::default();
    transcript.apply(Record::User(words("go")));
    transcript.apply(Record::Assistant(vec![text(" "), call("t1"), call("t2")]));
    transcript.apply(result("t1", "done"));
    for record in transcript.closing("interrupted by the user") {
        transcript.apply(record);
    }
    transcript.apply(Record::User(words("stop")));
    assert_eq!(short(&transcript), ["u:go", "a:t1|t2", "r:t1=done|t2=interrupted by the user!", "u:stop"]);
}

#[test]
fn results_stand_in_the_order_of_the_calls_and_are_never_empty() {
    let mut transcript = Transcript::default();
    transcript.apply(Record::Assistant(vec![call("a"), call("b")]));
    transcript.apply(result("b", ""));
    transcript.apply(result("a", "x"));
    transcript.apply(result("nosuch", "lost"));
    transcript.apply(result("a", "again"));
    assert_eq!(short(&transcript), ["a:a|b", "r:a=x|b=(no output)"]);
    assert!(transcript.open_calls().is_empty());
}

#[test]
fn one_id_twice_becomes_two() {
    let mut transcript = Transcript::default();
    transcript.apply(Record::Assistant(vec![call("a"), call("a"), call("")]));
    assert_eq!(
        transcript.open_calls().iter().map(|call| call.id.clone()).collect::<Vec<_>>(),
        ["a", "a_2", "_2"]
    );
}

/// cases.md V7 and V8: thinking alone is not an answer.
#[test]
fn thinking_alone_is_left_out() {
    let mut transcript = Transcript::default();
    transcript.apply(Record::User(words("hi")));
    transcript.apply(Record::Assistant(vec![
        Part::Reasoning(Reasoning { text: "hm".into(), block: None }),
        text(""),
    ]));
    transcript.apply(Record::User(words("still there?")));
    assert_eq!(short(&transcript), ["u:hi", "u:still there?"]);
}

/// cases.md V8: thinking goes back with what followed it, and only then.
#[test]
fn thinking_that_nothing_followed_is_left_out() {
    let thought = |words: &str| {
        let block = ReasoningBlock { api: "openai-responses".into(), value: words.into() };
        Part::Reasoning(Reasoning { text: String::new(), block: Some(block) })
    };
    let mut transcript = Transcript::default();
    transcript.apply(Record::Assistant(vec![thought("rs1"), call("a"), thought("rs2"), text("")]));
    transcript.apply(result("a", "x"));
    assert_eq!(*transcript.messages()[0], Message::Assistant(vec![thought("rs1"), call("a")]));
}

/// cases.md V7, last part: the server was killed, the log is all there is.
#[test]
fn a_log_that_ends_within_a_call_says_that_its_outcome_is_unknown() {
    let log: Vec<String> = [
        Record::User(words("go")),
        Record::Assistant(vec![text(""), call("t1"), call("t2")]),
        result("t1", "done"),
    ]
    .iter()
    .map(|record| serde_json::to_string(record).unwrap())
    .collect();
    let mut transcript = Transcript::default();
    log.iter().for_each(|line| transcript.apply(serde_json::from_str(line).unwrap()));
    transcript.apply(Record::User(words("stop")));
    assert_eq!(
        short(&transcript),
        [
            "u:go",
            "a:t1|t2",
            "r:t1=done|t2=There is no result: it is unknown whether this call ran.!",
            "u:stop"
        ]
    );
}

fn record() -> impl Strategy<Value = Record> {
    let id = prop::sample::select(vec!["a", "b", "c"]);
    prop_oneof![
        "[ x]{0,2}".prop_map(|said| Record::User(words(&said))),
        (proptest::collection::vec(id.clone(), 0..3), "[ x]{0,2}").prop_map(|(ids, said)| {
            Record::Assistant(std::iter::once(text(&said)).chain(ids.into_iter().map(call)).collect())
        }),
        id.prop_map(|id| result(id, "ok")),
    ]
}

proptest! {
    /// Invariant 10: whatever happens, each call has exactly one result, directly behind it.
    #[test]
    fn pairs_are_always_complete(records in proptest::collection::vec(record(), 0..12)) {
        let mut transcript = Transcript::default();
        for record in records {
            transcript.apply(record);
            let messages = transcript.messages();
            for (at, message) in messages.iter().enumerate() {
                if let Message::Assistant(parts) = &**message {
                    let calls: Vec<&str> = parts.iter().filter_map(|part| match part {
                        Part::Call(call) => Some(call.id.as_str()),
                        _ => None,
                    }).collect();
                    let results: Vec<&str> = match messages.get(at + 1).map(|next| &**next) {
                        Some(Message::Results(results)) => results.iter().map(|r| r.call_id.as_str()).collect(),
                        _ => Vec::new(),
                    };
                    prop_assert_eq!(calls, results);
                }
            }
        }
    }
}
