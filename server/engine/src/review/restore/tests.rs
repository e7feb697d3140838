//! A review that is kept, lost with its desk, and opened again on another one.

use super::*;
use crate::documents::OpenDocuments;
use crate::editor::{Applied, HunkDecision};
use assent_base::path::DocumentUri;
use assent_base::review::{Change, HunkStatus};
use assent_base::text::Format;
use oneshot::Receiver;

const OLD: &str = "a\nb\nc\nd\ne\n";

fn uri() -> DocumentUri {
    DocumentUri::new("file:///ws/a.txt")
}

fn proposal(old: &str, new: &str) -> Proposal {
    Proposal {
        uri: uri(),
        change: Change::Edit,
        old: Rope::from_str(old),
        version: None,
        new_text: new.into(),
        place: Some("/ws/a.txt".into()),
    }
}

fn snapshot(text: &str, version: Option<i32>) -> Option<Arc<Snapshot>> {
    let (text, format) = (Rope::from_str(text), Format::of_text(text));
    Some(Arc::new(Snapshot { uri: uri(), language: "".into(), version, text, dirty: false, format }))
}

/// A desk with the two hunks `h1` (line a) and `h2` (line e), and what the log has of it.
struct Scene {
    desk: Desk,
    kept: KeptReview,
    fate: Receiver<ToolOutput>,
}

impl Scene {
    fn new() -> Self {
        let mut desk = Desk::new(OpenDocuments::new().reader(), false);
        let proposals = vec![proposal(OLD, "A\nb\nc\nd\nE\n")];
        let files = keep("c1", &proposals).files.unwrap();
        let (reply, fate) = oneshot::channel();
        let (_, effects) = desk.open(SessionId("s".into()), "c1", proposals, false, true, reply);
        let mut scene = Self { desk, kept: KeptReview { files, decided: None }, fate };
        scene.note(effects);
        scene
    }

    /// What the log is given, in the order in which it must happen; gives the flight of an edit.
    fn note(&mut self, effects: Vec<Effect>) -> Option<u64> {
        let mut flight = None;
        for effect in effects {
            match effect {
                Effect::Keep(_, decided) => {
                    assert!(flight.is_none(), "kept before it is done");
                    self.kept.decided = Some(decided);
                }
                Effect::Apply(number, ..) => flight = Some(number),
                _ => {}
            }
        }
        flight
    }

    fn decide(&mut self, hunk: &str, accept: bool) -> Option<u64> {
        let decision = HunkDecision { hunk: hunk.into(), accept, new_text: None };
        let (_, effects) = self.desk.decide("r1", &[decision], Some("why".into())).unwrap();
        self.note(effects)
    }

    /// The server ends, and the review is opened again on another desk.
    fn restart(&mut self, now: Option<Arc<Snapshot>>) {
        self.desk = Desk::new(OpenDocuments::new().reader(), false);
        let (reply, fate) = oneshot::channel();
        let (id, effects) = self.desk.reopen(SessionId("s".into()), "c1", &self.kept, &[now], reply);
        assert_eq!(id, "r1");
        self.fate = fate;
        self.note(effects);
    }

    fn statuses(&self) -> Vec<HunkStatus> {
        self.desk.review("r1").unwrap().hunks().map(|hunk| hunk.status).collect()
    }
}

fn words(output: &ToolOutput) -> &str {
    output.content[0].text().expect("a text")
}

#[test]
fn what_was_decided_stays_so_and_the_rest_is_offered_at_its_new_place() {
    use HunkStatus::{Accepted, Pending};
    let mut scene = Scene::new();
    let flight = scene.decide("h1", true).unwrap();
    let effects = scene.desk.answered(flight, &uri(), Applied::Yes);
    scene.note(effects);
    scene.restart(snapshot("top\nA\nb\nc\nd\ne\n", Some(4)));
    assert_eq!(scene.statuses(), [Accepted, Pending]);
    let file = &scene.desk.review("r1").unwrap().files[0];
    assert_eq!((file.version, file.hunks[1].range.clone()), (Some(4), 12..14));

    scene.decide("h2", false);
    let output = scene.fate.try_recv().unwrap();
    assert!(!output.is_error && words(&output).contains("line 2: accepted"), "{output:?}");
    assert!(words(&output).contains("why"), "the user's reason is kept");
}

#[test]
fn an_edit_that_was_under_way_counts_only_if_the_text_has_it() {
    use HunkStatus::{Accepted, Pending};
    for (now, expected) in [(OLD, [Pending, Pending]), ("A\nb\nc\nd\ne\n", [Accepted, Pending])] {
        let mut scene = Scene::new();
        scene.decide("h1", true);
        scene.restart(snapshot(now, None));
        assert_eq!(scene.statuses(), expected, "{now:?}");
    }
}

#[test]
fn a_review_in_which_nothing_is_left_to_decide_ends_at_once() {
    let mut scene = Scene::new();
    scene.restart(snapshot("A\nb\nc\nd\nE\n", None));
    let output = scene.fate.try_recv().unwrap();
    assert!(words(&output).contains("all 2 hunks accepted"), "{output:?}");
}

#[test]
fn a_review_that_can_not_be_opened_again_says_what_was_in_and_why_it_ends() {
    let mut scene = Scene::new();
    let flight = scene.decide("h1", true).unwrap();
    let effects = scene.desk.answered(flight, &uri(), Applied::Yes);
    scene.note(effects);
    let output = end_kept(&scene.kept, "The file is gone.");
    assert!(!output.is_error, "a part of it is in the file");
    for part in ["line 1: accepted", "line 5: not decided", "The file is gone."] {
        assert!(words(&output).contains(part), "{output:?}");
    }
}

#[test]
fn nothing_is_kept_of_a_proposal_over_the_bound() {
    let large = "a line\n".repeat(limits::PROPOSAL_LOG_BYTES / 7);
    assert_eq!(keep("c1", &[proposal(&large, "short\n")]).files, None);
    let files = keep("c1", &[proposal(OLD, "a\nB\nc\nd\ne\n")]).files.unwrap();
    assert_eq!(new_text(&files[0]), "a\nB\nc\nd\ne\n");
}
