use super::*;
use crate::edit::{Edit, EditSet};
use ropey::Rope;

pub(super) fn uri() -> DocumentUri {
    DocumentUri::new("file:///ws/a.txt")
}

pub(super) fn review(old: &str, new: &str) -> Review {
    let proposal = FileProposal {
        uri: uri(),
        version: Some(1),
        change: Change::Edit,
        text: Rope::from_str(old),
        new_text: new.into(),
    };
    Review::open("r1", "s", "c", vec![proposal])
}

/// The user (or the editor, for us) replaces the one place where `old` stands.
fn change(review: &mut Review, old: &str, new: &str) {
    let text = review.files[0].text.to_string();
    let at = text.find(old).unwrap();
    step(review, at..at + old.len(), new);
}

fn step(review: &mut Review, range: std::ops::Range<usize>, new: &str) {
    let mut text = review.files[0].text.clone();
    let step = EditSet::new(text.len_bytes(), vec![Edit { range, text: new.into() }]).unwrap();
    step.apply_rope(&mut text).unwrap();
    review.text_changed(&uri(), &step, Some(2), &text);
}

/// Each hunk as `id status start..end`.
fn shown(review: &Review) -> Vec<String> {
    review.hunks().map(|h| format!("{} {:?} {}..{}", h.id, h.status, h.range.start, h.range.end)).collect()
}

/// Put the hunks that are on their way into the text, as an honest editor would.
fn echo(review: &mut Review) {
    let ids = review.applying(&uri());
    let edits = review.edit_for(&uri(), &ids);
    let mut text = review.files[0].text.clone();
    edits.apply_rope(&mut text).unwrap();
    review.text_changed(&uri(), &edits, Some(2), &text);
}

pub(super) fn applying_edit(review: &Review) -> EditSet {
    review.edit_for(&uri(), &review.applying(&uri()))
}

#[test]
fn hunks_are_runs_of_whole_lines() {
    let review = review("a\nb\nc\nd\n", "A\nb\nc\nd\ne\n");
    let hunks: Vec<_> =
        review.hunks().map(|h| (h.range.clone(), h.old_text.as_str(), h.new_text.as_str())).collect();
    assert_eq!(hunks, [(0..2, "a\n", "A\n"), (8..8, "", "e\n")]);
}

#[test]
fn a_missing_final_newline_is_part_of_its_hunk() {
    let mut review = review("x=1", "x=2");
    review.decide("h1", true, None).unwrap();
    echo(&mut review);
    assert_eq!(review.files[0].text, "x=2");
    assert!(review.is_closed());
}

#[test]
fn accept_one_reject_another() {
    let mut review = review("a\nb\nc\nd\n", "A\nb\nC\nd\n");
    review.decide("h2", false, None).unwrap();
    review.decide("h1", true, None).unwrap();
    assert_eq!(review.open_count(), 1);
    echo(&mut review);
    assert_eq!(review.files[0].text, "A\nb\nc\nd\n");
    assert_eq!(shown(&review), ["h1 Accepted 0..2", "h2 Rejected 4..6"]);
    let outcome = review.outcome(Some("keep c"));
    assert!(outcome.any_applied);
    assert!(
        outcome.text.contains("line 1: accepted") && outcome.text.contains("line 3: rejected (+ C)"),
        "{outcome:?}"
    );
    assert!(outcome.text.contains("reason: keep c"));
}

#[test]
fn a_decision_stands() {
    let mut review = review("a\n", "b\n");
    review.decide("h1", false, None).unwrap();
    review.decide("h1", true, None).unwrap();
    assert_eq!(shown(&review), ["h1 Rejected 0..2"]);
    assert_eq!(review.decide("h9", true, None), Err(UnknownHunk("h9".into())));
}

#[test]
fn typing_elsewhere_moves_hunks() {
    let mut review = review("a\nb\nc\n", "a\nB\nc\n");
    change(&mut review, "a\n", "top\nline\na\n");
    change(&mut review, "c\n", "c and more\n");
    assert_eq!(shown(&review), ["h1 Pending 11..13"]);
    review.decide("h1", true, None).unwrap();
    echo(&mut review);
    assert_eq!(review.files[0].text, "top\nline\na\nB\nc and more\n");
}

#[test]
fn a_new_line_at_the_border_does_not_hurt() {
    let mut review = review("a\nb\nc\n", "a\nB\nc\n");
    step(&mut review, 2..2, "before\n");
    let end = review.files[0].hunks[0].range.end;
    step(&mut review, end..end, "after\n");
    assert_eq!(shown(&review), ["h1 Pending 9..11"]);
    review.decide("*", true, None).unwrap();
    echo(&mut review);
    assert_eq!(review.files[0].text, "a\nbefore\nB\nafter\nc\n");
}

#[test]
fn typing_into_the_hunks_own_line_makes_it_stale_and_offers_it_again() {
    for (at, typed) in [(2, "x"), (3, "x"), (4, "")] {
        let mut review = review("a\nbb\nc\n", "a\nB\nc\n");
        if typed.is_empty() {
            // The line end before the hunk goes.
            step(&mut review, 1..2, "");
        } else {
            step(&mut review, at..at, typed);
        }
        let states: Vec<_> = review.hunks().map(|h| (h.id.as_str(), h.status)).collect();
        assert_eq!(states.len(), 2, "{at} {typed:?}");
        assert!(states.contains(&("h1", HunkStatus::Stale)) && states.contains(&("h2", HunkStatus::Pending)));
        let again = review.hunks().find(|h| h.id == "h2").unwrap().clone();
        assert!(again.old_text.contains(typed) && again.new_text == "B\n", "{again:?}");
        review.decide("h2", true, None).unwrap();
        echo(&mut review);
        assert!(review.files[0].text.to_string().contains("B\n"));
    }
}

#[test]
fn the_user_typing_the_proposal_accepts_it() {
    let mut review = review("a\nb\nc\n", "a\nB\nc\n");
    change(&mut review, "b", "B");
    assert_eq!(shown(&review), ["h1 Accepted 2..4"]);
}

#[test]
fn our_edit_comes_back_cut_in_another_way_and_with_company() {
    // The editor reports only the letter that differs, and a formatter's change with it.
    let mut review = review("fn a(x) {}\nend\n", "fn a(y) {}\nend\n");
    review.decide("h1", true, None).unwrap();
    let mut text = review.files[0].text.clone();
    let edits =
        vec![Edit { range: 5..6, text: "y".into() }, Edit { range: 15..15, text: "// tail\n".into() }];
    let step = EditSet::new(text.len_bytes(), edits).unwrap();
    step.apply_rope(&mut text).unwrap();
    review.text_changed(&uri(), &step, Some(2), &text);
    assert_eq!(shown(&review), ["h1 Accepted 0..11"]);
}

#[test]
fn an_inserted_line_like_its_neighbour_is_found() {
    // Inserting a second "x\n" may be reported before or after the first.
    for at in [2, 4] {
        let mut review = review("a\nx\nb\n", "a\nx\nx\nb\n");
        review.decide("h1", true, None).unwrap();
        step(&mut review, at..at, "x\n");
        assert!(review.is_closed(), "{at}: {:?}", shown(&review));
    }
}

#[test]
fn typing_at_an_insertion_point_is_not_the_insertion() {
    let mut review = review("a\nb\n", "a\nnew\nb\n");
    review.decide("h1", true, None).unwrap();
    step(&mut review, 2..2, "z");
    assert_eq!(review.open_count(), 1);
    assert!(!review.settle_by_text(&uri(), &["h1".into()]));
    assert_eq!(review.hunks().next().unwrap().status, HunkStatus::Stale);
}

#[test]
fn a_lost_edit_is_told_by_the_text() {
    let mut review = review("a\nb\n", "a\nB\n");
    review.decide("h1", true, None).unwrap();
    assert!(!review.settle_by_text(&uri(), &["h1".into()]));
    assert!(!review.outcome(None).any_applied);
}

#[test]
fn a_closed_file_needs_no_echo() {
    let mut review = review("a\nb\nc\n", "A\nb\nC\n");
    review.decide("*", true, None).unwrap();
    review.applied(&uri(), &["h1".into(), "h2".into()]);
    assert_eq!(review.files[0].text, "A\nb\nC\n");
    assert_eq!(review.outcome(None).text, "Edited /ws/a.txt: all 2 hunks accepted.");
}

#[test]
fn undo_takes_back_ours_and_keeps_the_users() {
    let mut review = review("a\nb\nc\n", "A\nb\nC\n");
    review.decide("*", true, None).unwrap();
    echo(&mut review);
    change(&mut review, "C", "C!");
    let (edits, kept) = review.undo_edit(&uri());
    let mut text = review.files[0].text.clone();
    edits.apply_rope(&mut text).unwrap();
    assert_eq!(text, "a\nb\nC!\n");
    assert_eq!(kept, ["h2"]);
}

#[test]
fn the_users_own_version_is_applied_and_told() {
    let mut review = review("a\n", "b\n");
    review.decide("h1", true, Some("c\n".into())).unwrap();
    echo(&mut review);
    assert_eq!(review.files[0].text, "c\n");
    let text = review.outcome(None).text;
    assert!(text.contains("-b") && text.contains("+c"), "{text}");
}

#[test]
fn a_created_file_is_one_hunk() {
    let proposal = FileProposal {
        uri: uri(),
        version: None,
        change: Change::Create,
        text: Rope::new(),
        new_text: "hello\nworld\n".into(),
    };
    let mut review = Review::open("r1", "s", "c", vec![proposal]);
    assert_eq!(shown(&review), ["h1 Pending 0..0"]);
    review.decide("*", true, None).unwrap();
    review.applied(&uri(), &["h1".into()]);
    assert_eq!(review.outcome(None).text, "Created /ws/a.txt: accepted.");
}

#[test]
fn an_accepted_hunk_that_waits_its_turn_never_takes_what_was_typed_into_it() {
    let mut review = review("a\nb\nc\n", "a\nB\nc\n");
    review.decide("h1", true, None).unwrap();
    change(&mut review, "b", "b typed");
    assert!(applying_edit(&review).is_empty());
    assert!(review.recheck(&uri()));
    assert_eq!(shown(&review), ["h1 Stale 2..10", "h2 Pending 2..10"]);
    assert!(!review.recheck(&uri()));
    review.decide("h2", true, None).unwrap();
    echo(&mut review);
    assert_eq!(review.files[0].text, "a\nB\nc\n");
}

#[test]
fn an_editor_may_report_only_what_came_in_front() {
    let mut review = review("a\nb\n", "a\n// b\n");
    review.decide("h1", true, None).unwrap();
    // With another key in the same change, so that the text is not just the one expected.
    let mut text = review.files[0].text.clone();
    let edits = vec![Edit { range: 0..0, text: "x".into() }, Edit { range: 2..2, text: "// ".into() }];
    let step = EditSet::new(text.len_bytes(), edits).unwrap();
    step.apply_rope(&mut text).unwrap();
    review.text_changed(&uri(), &step, Some(2), &text);
    assert_eq!(shown(&review), ["h1 Accepted 3..8"]);
}

#[test]
fn a_change_across_two_hunks_leaves_one_offer() {
    let mut review = review("a\nkeep\nc\n", "A\nkeep\nC\n");
    change(&mut review, "\nkeep\n", "+");
    let states: Vec<_> = review.hunks().map(|hunk| (hunk.id.as_str(), hunk.status)).collect();
    let (stale, pending) = (HunkStatus::Stale, HunkStatus::Pending);
    assert_eq!(states, [("h1", stale), ("h3", pending), ("h2", stale)]);
    let offer = review.hunks().find(|hunk| hunk.id == "h3").unwrap();
    assert_eq!((offer.old_text.as_str(), offer.new_text.as_str()), ("a+c\n", "A\nC\n"));
}

#[test]
fn an_insertion_stays_one_when_lines_are_joined_around_it() {
    let mut review = review("a\nb\nc\n", "a\nnew\nb\nc\n");
    change(&mut review, "a\nb", "ab");
    let offer = review.files[0].pending().next().unwrap();
    assert_eq!((offer.range.clone(), offer.old_text.as_str()), (3..3, ""));
}

#[test]
fn an_insertion_stays_in_front_of_what_is_typed_at_its_place() {
    let mut review = review("a\nb\n", "a\nnew\nb\n");
    step(&mut review, 2..2, "z");
    assert_eq!(shown(&review), ["h1 Pending 2..2"]);
    review.decide("*", true, None).unwrap();
    echo(&mut review);
    assert_eq!(review.files[0].text, "a\nnew\nzb\n");
}

#[test]
fn typing_beside_an_accepted_hunk_does_not_keep_it_from_being_undone() {
    let mut review = review("a\nb\nc\n", "a\nB\nc\n");
    review.decide("h1", true, None).unwrap();
    echo(&mut review);
    change(&mut review, "c", "typed c");
    let (edits, kept) = review.undo_edit(&uri());
    assert!(kept.is_empty());
    assert_eq!(edits.apply(&review.files[0].text.to_string()).unwrap(), "a\nb\ntyped c\n");
}
