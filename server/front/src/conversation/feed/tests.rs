use super::*;
use assent_engine::event::{SessionId, StopReason};

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
    let output = |id: &str, text: &str| EventKind::ToolOutput { call_id: id.into(), text: text.into() };
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
