//! The desk under editors of every temperament: what they answer, what text comes back, and in
//! which order.

use super::*;
use assent_base::edit::Edit;
use ropey::Rope;
use tokio::sync::oneshot::Receiver;

fn uri() -> DocumentUri {
    DocumentUri::new("file:///ws/a.txt")
}

fn session() -> SessionId {
    SessionId("s".into())
}

/// A desk with one proposal for one document, open at version 1 or closed.
struct Scene {
    desk: Desk,
    fate: Receiver<ToolOutput>,
    text: Rope,
    sent: Vec<(u64, DocumentEdit)>,
    awaited: Vec<u64>,
    landed: usize,
}

impl Scene {
    fn new(version: Option<i32>, old: &str, new: &str, accept: bool) -> Self {
        let mut desk = Desk::new(crate::documents::OpenDocuments::new().reader(), false);
        let (reply, fate) = oneshot::channel();
        let text = Rope::from_str(old);
        let proposal = Proposal {
            uri: uri(),
            change: Change::Edit,
            old: text.clone(),
            version,
            new_text: new.into(),
            place: None,
        };
        let (id, effects) = desk.open(session(), "c1", vec![proposal], accept, false, reply);
        assert_eq!(id, "r1");
        let mut scene = Self { desk, fate, text, sent: vec![], awaited: vec![], landed: 0 };
        scene.note(effects);
        scene
    }

    fn note(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Apply(flight, edit, _) => self.sent.push((flight, edit)),
                Effect::AwaitEcho(flight, _) => self.awaited.push(flight),
                Effect::Own { .. } => self.landed += 1,
                Effect::Publish(..) | Effect::Save { .. } | Effect::Keep(..) => {}
            }
        }
    }

    fn decide(&mut self, hunk: &str, accept: bool) -> usize {
        let decision = HunkDecision { hunk: hunk.into(), accept, new_text: None };
        let (open, effects) = self.desk.decide("r1", &[decision], None).unwrap();
        self.note(effects);
        open
    }

    fn types(&mut self, range: std::ops::Range<usize>, new: &str) {
        let edits = vec![Edit { range, text: new.into() }];
        let step = EditSet::new(self.text.len_bytes(), edits).unwrap();
        self.steps(&step);
    }

    fn steps(&mut self, step: &EditSet) {
        step.apply_rope(&mut self.text).unwrap();
        let effects = self.desk.text_changed(&uri(), step, Some(2), &self.text);
        self.note(effects);
    }

    /// The edit that was sent last goes into the text.
    fn echo(&mut self) {
        let DocumentChange::Edit { edits, .. } = self.sent.last().unwrap().1.change.clone() else { panic!() };
        let step = EditSet::new(self.text.len_bytes(), edits).unwrap();
        self.steps(&step);
    }

    fn answer(&mut self, applied: Applied) {
        let flight = self.sent.last().unwrap().0;
        let effects = self.desk.answered(flight, &uri(), applied);
        self.note(effects);
    }

    fn overdue(&mut self) {
        let flight = self.awaited.pop().unwrap();
        let effects = self.desk.echo_overdue(flight, &uri());
        self.note(effects);
    }

    fn fate(&mut self) -> Option<ToolOutput> {
        self.fate.try_recv().ok()
    }
}

fn words(output: &ToolOutput) -> &str {
    output.content[0].text().expect("a text")
}

#[test]
fn nothing_is_sent_before_a_yes() {
    let mut scene = Scene::new(Some(1), "a\nb\n", "A\nb\n", false);
    assert!(scene.sent.is_empty() && scene.fate().is_none());
    assert_eq!(scene.decide("*", false), 0);
    assert!(scene.sent.is_empty());
    assert!(scene.fate().unwrap().is_error);
}

#[test]
fn the_echo_may_come_before_or_after_the_answer() {
    for echo_first in [true, false] {
        let mut scene = Scene::new(Some(1), "a\nb\n", "A\nb\n", false);
        scene.decide("h1", true);
        assert_eq!(scene.sent[0].1.version, Some(1));
        if echo_first {
            scene.echo();
            assert!(scene.fate().is_none(), "an echo alone is not enough");
            scene.answer(Applied::Yes);
        } else {
            scene.answer(Applied::Yes);
            assert!(scene.fate().is_none(), "an answer alone is not enough");
            scene.echo();
        }
        assert_eq!(scene.landed, 1);
        assert!(!scene.fate().unwrap().is_error);
    }
}

#[test]
fn a_yes_without_the_text_is_not_believed() {
    let mut scene = Scene::new(Some(1), "a\nb\n", "A\nb\n", true);
    scene.answer(Applied::Yes);
    scene.overdue();
    let fate = scene.fate().unwrap();
    assert!(fate.is_error && words(&fate).contains("was not edited"), "{fate:?}");
    assert_eq!(scene.landed, 0);
}

#[test]
fn a_no_an_error_and_silence_are_failures() {
    let reason = || Some("version 3, buffer has 4".to_owned());
    for answer in [Applied::No { reason: reason() }, Applied::Failed("gone".into()), Applied::Silent] {
        let mut scene = Scene::new(Some(1), "a\nb\n", "A\nb\n", true);
        scene.answer(answer);
        let fate = scene.fate().unwrap();
        assert!(fate.is_error && words(&fate).contains("text may have changed"), "{fate:?}");
        assert_eq!(scene.sent.len(), 1, "no second edit");
    }
}

#[test]
fn a_stale_edit_that_was_applied_all_the_same_is_told_by_the_text() {
    // The user typed before the edit arrived; the editor put it at the old place.
    let mut scene = Scene::new(Some(1), "one\ntwo\nthree\n", "one\nTWO\nthree\n", true);
    scene.types(0..0, "new line\n");
    scene.types(4..8, "TWO\n");
    scene.answer(Applied::Yes);
    scene.overdue();
    assert!(scene.fate().unwrap().is_error);
}

#[test]
fn the_users_next_key_in_the_same_change_does_not_hide_the_echo() {
    let mut scene = Scene::new(Some(1), "a\nb\nc\n", "A\nb\nc\n", true);
    let edits = vec![Edit { range: 0..1, text: "A".into() }, Edit { range: 4..5, text: "c!".into() }];
    let step = EditSet::new(6, edits).unwrap();
    scene.steps(&step);
    scene.answer(Applied::Yes);
    assert!(!scene.fate().unwrap().is_error);
}

#[test]
fn one_edit_in_flight_at_a_time() {
    let mut scene = Scene::new(Some(1), "a\nb\nc\n", "A\nb\nC\n", false);
    scene.decide("h1", true);
    scene.decide("h2", true);
    assert_eq!(scene.sent.len(), 1);
    scene.echo();
    scene.answer(Applied::Yes);
    assert_eq!(scene.sent.len(), 2);
    assert_eq!(scene.sent[1].1.version, Some(2));
    scene.echo();
    scene.answer(Applied::Yes);
    assert!(!scene.fate().unwrap().is_error);
    assert_eq!(scene.text, "A\nb\nC\n");
}

#[test]
fn typing_moves_what_is_pending() {
    let mut scene = Scene::new(Some(1), "a\nb\n", "a\nB\n", false);
    scene.types(0..0, "top\n");
    scene.decide("h1", true);
    scene.echo();
    scene.answer(Applied::Yes);
    assert_eq!(scene.text, "top\na\nB\n");
    assert!(!scene.fate().unwrap().is_error);
}

#[test]
fn a_stale_hunk_is_offered_again_and_keeps_the_review_open() {
    let mut scene = Scene::new(Some(1), "a\nb\n", "a\nB\n", false);
    scene.types(3..3, "!");
    assert!(scene.fate().is_none());
    assert_eq!(scene.decide("h1", true), 1, "a stale hunk is answered by its state");
    assert_eq!(scene.decide("h2", true), 0);
    scene.echo();
    scene.answer(Applied::Yes);
    assert_eq!(scene.text, "a\nB\n");
    let fate = scene.fate().unwrap();
    assert!(!fate.is_error && words(&fate).contains("stale"), "{fate:?}");
}

#[test]
fn a_closed_file_is_done_when_its_writer_says_so() {
    let mut scene = Scene::new(None, "a\nb\n", "A\nb\n", true);
    scene.answer(Applied::Yes);
    assert!(!scene.fate().unwrap().is_error);
    assert!(scene.awaited.is_empty());
}

#[test]
fn a_plain_client_may_apply_before_or_after_it_tells() {
    for change_first in [true, false] {
        let mut scene = Scene::new(Some(1), "a\nb\n", "A\nb\n", false);
        let tell = |scene: &mut Scene| {
            let effects = scene.desk.applied_by_client("r1", "h1");
            scene.note(effects);
        };
        if !change_first {
            tell(&mut scene);
        }
        scene.types(0..2, "A\n");
        if change_first {
            tell(&mut scene);
        }
        assert!(!scene.fate().unwrap().is_error, "{change_first}");
        assert!(scene.sent.is_empty(), "nothing is sent for what the client did itself");
    }
}

#[test]
fn a_withdrawn_review_is_refused() {
    let mut scene = Scene::new(Some(1), "a\nb\n", "A\nb\n", false);
    let effects = scene.desk.withdraw(&session(), "c1");
    scene.note(effects);
    let fate = scene.fate().unwrap();
    assert!(fate.is_error && words(&fate).contains("interrupted"));
    assert!(scene.desk.open_reviews().is_empty());
}

#[test]
fn after_a_cancel_no_further_edit_is_sent() {
    let mut scene = Scene::new(Some(1), "a\nb\nc\n", "A\nb\nC\n", false);
    scene.decide("h1", true);
    scene.decide("h2", true);
    let effects = scene.desk.withdraw(&session(), "c1");
    scene.note(effects);
    scene.echo();
    scene.answer(Applied::Yes);
    assert_eq!(scene.sent.len(), 1, "the second was accepted, but not sent when the turn ended");
    assert_eq!(scene.text, "A\nb\nc\n");
    assert!(words(&scene.fate().unwrap()).contains("rejected"));
}

#[test]
fn unknown_names_are_errors() {
    let mut scene = Scene::new(Some(1), "a\nb\n", "A\nb\n", false);
    let decide = |desk: &mut Desk, review: &str, hunk: &str| {
        desk.decide(review, &[HunkDecision { hunk: hunk.into(), accept: true, new_text: None }], None)
            .is_err()
    };
    assert!(decide(&mut scene.desk, "r9", "h1") && decide(&mut scene.desk, "x", "h1"));
    assert!(decide(&mut scene.desk, "r1", "h9"));
    assert!(scene.sent.is_empty());
}

#[test]
fn what_is_typed_into_lines_that_were_accepted_before_their_turn_is_kept() {
    let mut scene = Scene::new(Some(1), "a\nb\nc\n", "A\nb\nC\n", false);
    scene.decide("h1", true);
    scene.decide("h2", true);
    // The second waits for the first; meanwhile the user types into its line.
    scene.types(5..5, " typed");
    scene.echo();
    scene.answer(Applied::Yes);
    assert_eq!(scene.sent.len(), 1, "nothing was sent over the user's words");
    assert_eq!(scene.text, "A\nb\nc typed\n");
    assert!(scene.fate().is_none(), "the hunk is offered again, as h3");
    assert_eq!(scene.decide("h3", false), 0);
    assert!(!scene.fate().unwrap().is_error);
}
