use super::*;
use assent_engine::event::{SessionId, StopReason};
use parking_lot::Mutex;
use serde_json::json;
use std::sync::Arc;

/// What was written to both streams, in order; the rest marked by `|` at its pieces.
#[derive(Clone, Default)]
pub struct Paper(Arc<Mutex<Vec<u8>>>);

impl Paper {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().clone()).unwrap()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[track_caller]
fn check(events: Vec<EventKind>, answer: &str, rest: &str) {
    let (on_answer, on_rest) = (Paper::default(), Paper::default());
    let mut screen = Screen::new(
        Box::new(on_answer.clone()),
        Box::new(on_rest.clone()),
        Style::PLAIN,
        false,
        PathBuf::from("/ws"),
    );
    for kind in events {
        screen.show(&Event { session: SessionId("s".into()), kind });
    }
    assert_eq!((on_answer.text().as_str(), on_rest.text().as_str()), (answer, rest));
}

fn call(kind: ToolKind, status: CallStatus, result: &str) -> EventKind {
    EventKind::ToolCall(ToolCallState {
        summary: None,
        call_id: "c1".into(),
        tool: "t".into(),
        title: "Do it".into(),
        kind,
        status,
        arguments: json!({}),
        locations: Vec::new(),
        content: vec![Content::Text(result.into())],
        diffs: Vec::new(),
    })
}

#[test]
fn the_answer_is_alone_on_its_stream() {
    check(
        vec![
            EventKind::TurnStarted,
            EventKind::Text("Let me ".into()),
            EventKind::Text("look.".into()),
            call(ToolKind::Read, CallStatus::Running, ""),
            call(ToolKind::Read, CallStatus::Completed, "text"),
            EventKind::Text("Found\n".into()),
            EventKind::TurnEnded(StopReason::EndTurn),
        ],
        "Let me look.\nFound\n",
        "✓ Do it\n",
    );
}

#[test]
fn a_command_shows_its_output_as_it_comes() {
    let output = |text: &str| EventKind::ToolOutput { call_id: "c1".into(), text: text.into() };
    check(
        vec![
            call(ToolKind::Execute, CallStatus::Running, ""),
            output("one\ntw"),
            output("o\u{1b}[2"),
            output("J"),
            call(ToolKind::Execute, CallStatus::Failed, "exit code 1\nmore"),
        ],
        "",
        "▸ Do it\none\ntwo\n✗ exit code 1\n",
    );
}

#[test]
fn an_answer_cannot_draw_on_the_terminal() {
    check(vec![EventKind::Text("a\u{1b}]0;t".into()), EventKind::Text("itle\u{7}b".into())], "ab", "");
}

#[test]
fn a_failure_says_why() {
    check(
        vec![
            call(ToolKind::Edit, CallStatus::Failed, "\n the text changed \n"),
            EventKind::Notice { level: Level::Warning, text: "slow".into() },
            EventKind::Notice { level: Level::Error, text: "gone".into() },
        ],
        "",
        "✗ Do it: the text changed\nwarning: slow\nerror: gone\n",
    );
}
