//! What a log must say for a call to be taken up, and what the others are answered.

use super::*;
use crate::event::SessionId;
use crate::store::{Proposed, ProposedFile, Store};
use assent_base::chat::Part;
use assent_base::path::DocumentUri;
use assent_base::review::Change;
use assent_base::tool::Arguments;
use serde_json::Map;

fn call(id: &str, name: &str) -> Part {
    Part::Call(Call { id: id.into(), name: name.into(), arguments: Arguments::Object(Map::new()) })
}

fn proposed(id: &str, kept: bool) -> Entry {
    let file = ProposedFile {
        uri: DocumentUri::new("file:///ws/a"),
        change: Change::Create,
        place: None,
        old: String::new(),
        edits: vec![assent_base::edit::Edit { range: 0..0, text: "new\n".into() }],
    };
    Entry::Proposed(Proposed { call_id: id.into(), files: kept.then(|| vec![file]) })
}

fn asked(id: &str) -> Entry {
    Entry::Asked(id.into())
}

fn granted(id: &str) -> Entry {
    Entry::Granted(id.into())
}

/// A session in which the model made these calls and then the server wrote these entries. Gives
/// whether it waits for the user, and each call's result (`None`: it is taken up).
async fn left(calls: &[(&str, &str)], entries: &[Entry]) -> (bool, Vec<Option<String>>) {
    let state = tempfile::tempdir().unwrap();
    let store = Store::new(state.path());
    let id = SessionId("s1".into());
    let mut ledger = Ledger::new(id.clone(), None, store.clone());
    ledger.say(Record::User(vec![Content::Text("go".into())])).await.unwrap();
    let parts = calls.iter().map(|(id, name)| call(id, name)).collect();
    ledger.say(Record::Assistant(parts)).await.unwrap();
    for entry in entries {
        ledger.journal().note(entry).await.unwrap();
    }
    // As long as a clone of the journal lives the ledger must still let go of the lock.
    let _journal = ledger.journal().clone();
    drop(ledger);

    let (mut ledger, remembered) = Ledger::load(id, store).await.unwrap();
    let interrupted = remembered.interrupted;
    interrupted.settle(&mut ledger, &Registry::built_in()).await.unwrap();
    let open = ledger.transcript().open_calls();
    let messages = ledger.transcript().messages();
    let Some(assent_base::chat::Message::Results(results)) = messages.last().map(|last| (**last).clone())
    else {
        panic!("the calls are answered")
    };
    let words = results.into_iter().map(|result| match result.content.into_iter().next() {
        Some(Content::Text(text)) if open.iter().all(|call| call.id != result.call_id) => Some(text),
        _ => None,
    });
    (interrupted.waits(), words.collect())
}

#[tokio::test]
async fn a_call_that_was_put_to_the_user_is_taken_up_with_what_stands_behind_it() {
    let (waits, results) = left(&[("c1", "bash"), ("c2", "edit")], &[asked("c1")]).await;
    assert!(waits && results == [None, None], "{results:?}");
}

#[tokio::test]
async fn nothing_is_taken_up_of_a_turn_in_which_nobody_was_asked() {
    let calls = [("c1", "bash"), ("c2", "read"), ("c3", "edit")];
    let (waits, results) = left(&calls, &[asked("c1"), granted("c1")]).await;
    assert!(!waits);
    assert!(results[0].as_ref().unwrap().contains("unknown"), "{results:?}");
    for result in &results[1..] {
        assert!(result.as_ref().unwrap().contains("Not run"), "{results:?}");
    }
}

#[tokio::test]
async fn what_ran_beside_a_question_is_unknown_unless_it_only_reads() {
    let calls = [("c1", "bash"), ("c2", "read"), ("c3", "bash")];
    let (waits, results) = left(&calls, &[granted("c1"), granted("c2"), asked("c3")]).await;
    assert!(waits && results[0].as_ref().unwrap().contains("unknown"), "{results:?}");
    assert_eq!(results[1..], [None, None]);
}

#[tokio::test]
async fn an_open_review_waits_and_one_too_large_does_not() {
    let (waits, results) = left(&[("c1", "write")], &[granted("c1"), proposed("c1", true)]).await;
    assert!(waits && results == [None]);
    let (waits, results) = left(&[("c1", "write")], &[granted("c1"), proposed("c1", false)]).await;
    assert!(!waits && results[0].as_ref().unwrap().contains("too large"), "{results:?}");
}

#[tokio::test]
async fn a_call_that_ended_is_no_question_any_more() {
    let done = CallResult { call_id: "c1".into(), content: vec![Content::Text("no".into())], is_error: true };
    let (waits, results) =
        left(&[("c1", "bash"), ("c2", "bash")], &[asked("c1"), Entry::Chat(Record::Result(done))]).await;
    assert!(!waits);
    assert_eq!(results[0].as_deref(), Some("no"));
}
