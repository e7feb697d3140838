use super::*;
use assent_engine::event::{SessionId, StopReason, ToolCallState, ToolKind};

fn event(session: &str, kind: EventKind) -> Event {
    Event { session: SessionId(session.into()), kind }
}

fn told(event: &Event) -> String {
    format!("{}:{:?}", event.session, event.kind)
}

/// Everything told, in order, once the feed has been flushed.
async fn telling(feed: &Feed) -> Vec<String> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let telling = feed.tell(|event| {
        seen.lock().push(told(&event));
        async {}
    });
    tokio::select! {
        () = telling => {}
        () = feed.flush() => {}
    }
    let seen = seen.lock();
    seen.clone()
}

#[tokio::test]
async fn pieces_of_one_text_are_joined_and_order_is_kept() {
    let feed = Feed::default();
    feed.push(event("a", EventKind::Text("one ".into())));
    feed.push(event("b", EventKind::Text("other".into())));
    feed.push(event("a", EventKind::Text("two".into())));
    feed.push(event("a", EventKind::Reasoning("hm".into())));
    feed.push(event("a", EventKind::Text("three".into())));
    feed.push(event("a", EventKind::TurnEnded(StopReason::EndTurn)));
    assert_eq!(
        telling(&feed).await,
        [
            "a:Text(\"one two\")",
            "b:Text(\"other\")",
            "a:Reasoning(\"hm\")",
            "a:Text(\"three\")",
            "a:TurnEnded(EndTurn)"
        ]
    );
}

#[tokio::test]
async fn output_of_different_calls_stays_apart() {
    let feed = Feed::default();
    feed.push(event("a", output("1", "x")));
    feed.push(event("a", output("1", "y")));
    feed.push(event("a", output("2", "z")));
    assert_eq!(
        telling(&feed).await,
        ["a:ToolOutput { call_id: \"1\", text: \"xy\" }", "a:ToolOutput { call_id: \"2\", text: \"z\" }"]
    );
}

#[tokio::test]
async fn later_pieces_wait_for_each_other_and_nothing_else_waits() {
    let feed = Feed::default();
    let (sender, mut seen) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn({
        let feed = feed.clone();
        async move {
            feed.tell(|event| {
                sender.send(told(&event)).unwrap();
                async {}
            })
            .await;
        }
    });
    let started = Instant::now();
    feed.push(event("a", EventKind::Text("1".into())));
    assert_eq!(seen.recv().await.unwrap(), "a:Text(\"1\")");
    feed.push(event("a", EventKind::Text("2".into())));
    tokio::task::yield_now().await;
    feed.push(event("a", EventKind::Text("3".into())));
    assert_eq!(seen.recv().await.unwrap(), "a:Text(\"23\")");
    assert!(started.elapsed() >= PAUSE);
    feed.push(event("a", EventKind::Text("4".into())));
    feed.push(event("a", EventKind::TurnStarted));
    assert_eq!(seen.recv().await.unwrap(), "a:Text(\"4\")");
    assert_eq!(seen.recv().await.unwrap(), "a:TurnStarted");
}

fn call(id: &str, status: CallStatus) -> EventKind {
    EventKind::ToolCall(ToolCallState {
        summary: None,
        call_id: id.into(),
        tool: "bash".into(),
        title: "Run".into(),
        kind: ToolKind::Execute,
        status,
        arguments: serde_json::Value::Null,
        locations: Vec::new(),
        content: Vec::new(),
        diffs: Vec::new(),
    })
}

fn output(id: &str, text: &str) -> EventKind {
    EventKind::ToolOutput { call_id: id.into(), text: text.into() }
}

/// A client that does not read for a while makes nothing grow but what it has to be told.
#[tokio::test]
async fn a_client_that_stalls_is_told_the_last_of_each_thing() {
    let feed = Feed::default();
    for n in 0..limits::EVENTS_JOINED {
        feed.push(event("a", EventKind::UserMessage { prompt: n, content: Vec::new() }));
    }
    for id in ["1", "2"] {
        feed.push(event("a", call(id, CallStatus::Running)));
    }
    for n in 0..5_000 {
        feed.push(event("a", output("1", &format!("{n} "))));
        feed.push(event("a", output("2", &format!("{n} "))));
        feed.push(event("a", call("3", CallStatus::Running)));
        feed.push(event("a", EventKind::Plan(Vec::new())));
    }
    feed.push(event("b", call("1", CallStatus::Running)));
    feed.push(event("a", call("1", CallStatus::Completed)));
    feed.push(event("a", EventKind::TurnEnded(StopReason::EndTurn)));
    let waiting = feed.0.waiting.lock().items.len();
    assert!(waiting < limits::EVENTS_JOINED + 10, "{waiting} events wait");
    let told = telling(&feed).await;
    let states = |session: &str, id: &str| -> Vec<bool> {
        let ours = told.iter().filter(|told| {
            told.starts_with(&format!("{session}:ToolCall(")) && told.contains(&format!("call_id: \"{id}\""))
        });
        ours.map(|told| told.contains("Completed")).collect()
    };
    assert_eq!(states("a", "1").last(), Some(&true), "the last state is told");
    assert_eq!((states("a", "2").last(), states("b", "1").last()), (Some(&false), Some(&false)));
    assert!(!told.iter().any(|told| told.contains("ToolOutput { call_id: \"1\"")), "the result has it");
    let kept = told.iter().filter(|told| told.contains("ToolOutput { call_id: \"2\""));
    assert!(kept.last().unwrap().contains("4999 "), "output is joined, not lost");
    assert!(told.last().unwrap().contains("TurnEnded"));
}

#[tokio::test]
async fn what_somebody_waits_for_stays_where_it_is() {
    let feed = Feed::default();
    for n in 0..limits::EVENTS_JOINED {
        feed.push(event("a", EventKind::UserMessage { prompt: n, content: Vec::new() }));
    }
    feed.push(event("a", call("1", CallStatus::Pending)));
    let flushed = feed.flush();
    tokio::pin!(flushed);
    assert!(futures::poll!(flushed.as_mut()).is_pending());
    feed.push(event("a", call("1", CallStatus::Completed)));
    let told = telling(&feed).await;
    assert_eq!(told.iter().filter(|told| told.contains("ToolCall")).count(), 2, "{told:?}");
}

#[tokio::test]
async fn a_turn_waits_while_its_client_is_far_behind() {
    let feed = Feed::default();
    for n in 0..limits::EVENTS_WAITING {
        assert!(futures::poll!(std::pin::pin!(feed.room())).is_ready());
        feed.push(event("a", EventKind::UserMessage { prompt: n, content: Vec::new() }));
    }
    let room = feed.room();
    tokio::pin!(room);
    assert!(futures::poll!(room.as_mut()).is_pending());
    telling(&feed).await;
    assert!(futures::poll!(room.as_mut()).is_ready());
}
