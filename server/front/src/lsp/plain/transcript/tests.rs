use super::*;
use crate::conversation::peer::Dialect;

fn note(transcripts: &mut Transcripts, kind: EventKind) {
    transcripts.note(&Event { session: SessionId("s/1".into()), kind });
}

#[tokio::test]
async fn a_turn_is_shown_when_it_begins_and_written_as_it_goes() {
    let state = tempfile::tempdir().unwrap();
    let (peer, mut outbox) = Peer::new(Dialect::Lsp);
    let mut transcripts = Transcripts::new(state.path(), Some(peer));
    note(&mut transcripts, EventKind::TurnStarted);
    let shown = outbox.next().await.unwrap();
    assert_eq!(shown["method"], "window/showDocument");
    assert_eq!(shown["params"]["takeFocus"], false);
    let path = state.path().join("transcripts/s-1.md");
    assert_eq!(shown["params"]["uri"], assent_base::path::DocumentUri::from_path(&path).as_str());

    note(&mut transcripts, EventKind::UserMessage { prompt: 0, content: vec![Content::Text("why?".into())] });
    note(&mut transcripts, EventKind::Text("be".into()));
    note(&mut transcripts, EventKind::Text("cause".into()));
    note(&mut transcripts, EventKind::Notice { level: Level::Warning, text: "slow".into() });
    note(&mut transcripts, EventKind::TurnEnded(StopReason::EndTurn));
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "\n\n## You\n\nwhy?\n\n## Assent\n\nbecause\n\n> Warning: slow\n\n\n\n---\n"
    );
}

#[cfg(unix)]
#[test]
fn others_may_only_read_it_and_it_goes_on_after_a_restart() {
    use std::os::unix::fs::PermissionsExt;
    let state = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        note(&mut Transcripts::new(state.path(), None), EventKind::Text("x".into()));
    }
    let path = state.path().join("transcripts/s-1.md");
    assert_eq!(fs::read_to_string(&path).unwrap(), "xx");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o400);
}
