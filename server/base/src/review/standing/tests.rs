use super::super::tests::{review, uri};
use super::*;

const OLD: &str = "a\nb\nc\nd\ne\n";
const NEW: &str = "A\nb\nC\nd\nE\n";

/// A review with the hunks `h1` (line a), `h2` (line c) and `h3` (line e), and its base.
fn scene() -> (Review, Vec<Rope>) {
    (review(OLD, NEW), vec![Rope::from_str(OLD)])
}

/// Kept, read back, opened from the proposal again, and brought to the text as it is now.
fn restored(stood: &Review, bases: &[Rope], now: &str) -> Review {
    let kept = serde_json::to_string(&stood.standing(bases)).unwrap();
    let mut again = review(OLD, NEW);
    again.stand(serde_json::from_str(&kept).unwrap());
    let step = EditSet::from_diff(&again.files[0].text.to_string(), now);
    again.text_changed(&uri(), &step, None, &Rope::from_str(now));
    again.ask_again();
    again
}

fn statuses(review: &Review) -> Vec<(&str, HunkStatus)> {
    review.hunks().map(|hunk| (hunk.id.as_str(), hunk.status)).collect()
}

#[test]
fn decisions_are_kept_and_what_is_pending_moves_with_the_text() {
    let (mut before, bases) = scene();
    before.decide("h1", true, None).unwrap();
    before.applied(&uri(), &["h1".into()]);
    before.decide("h2", false, None).unwrap();
    let after = restored(&before, &bases, "first\nA\nb\nc\nd\ne\n");
    use HunkStatus::{Accepted, Pending, Rejected};
    assert_eq!(statuses(&after), [("h1", Accepted), ("h2", Rejected), ("h3", Pending)]);
    let last = after.hunks().last().unwrap();
    assert_eq!(after.files[0].text.byte_slice(last.range.clone()), "e\n");
}

#[test]
fn a_hunk_whose_lines_changed_is_offered_against_the_new_text() {
    let (before, bases) = scene();
    let after = restored(&before, &bases, "a\nb\nchanged\nd\ne\n");
    assert_eq!(after.pending_count(), 3);
    let again = after.hunks().find(|hunk| hunk.old_text == "changed\n").unwrap();
    assert_eq!((again.id.as_str(), again.new_text.as_str()), ("h4", "C\n"));
    assert!(after.hunks().any(|hunk| hunk.id == "h2" && hunk.status == HunkStatus::Stale));
}

#[test]
fn what_was_on_its_way_is_accepted_only_if_the_text_has_it() {
    let (mut before, bases) = scene();
    before.decide("h1", true, None).unwrap();
    before.decide("h2", true, Some("mine\n".into())).unwrap();
    let after = restored(&before, &bases, "A\nb\nc\nd\ne\n");
    use HunkStatus::{Accepted, Pending};
    assert_eq!(statuses(&after), [("h1", Accepted), ("h2", Pending), ("h3", Pending)]);
    assert!(after.hunks().all(|hunk| hunk.changed.is_none()), "what is shown is what would go in");
}

#[test]
fn what_went_with_an_unsaved_buffer_is_asked_again() {
    let (mut before, bases) = scene();
    before.decide("h1", true, None).unwrap();
    before.applied(&uri(), &["h1".into()]);
    let after = restored(&before, &bases, OLD);
    assert_eq!(after.pending_count(), 3);
}

#[test]
fn a_standing_of_another_proposal_changes_nothing() {
    let (before, bases) = scene();
    let mut standing = before.standing(&bases);
    standing.files[0].hunks[0].range = 500..600;
    let mut again = review(OLD, NEW);
    again.stand(standing);
    assert_eq!(statuses(&again), statuses(&review(OLD, NEW)));
    again.stand(Standing::default());
    assert_eq!(again.pending_count(), 3);
}
