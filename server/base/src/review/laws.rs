//! What must hold of hunks whatever the user types, and however an honest editor reports it.

use super::tests::{applying_edit, review, uri};
use super::*;
use crate::edit::{Edit, EditSet};
use proptest::prelude::*;
use proptest::sample::Index;

/// What happens while a review is open.
#[derive(Debug, Clone)]
enum Event {
    /// The user replaces a piece of the text.
    Type(Index, usize, &'static str),
    /// The user decides a hunk.
    Decide(Index, bool),
    /// The editor takes what is on its way, and reports it as it likes: as we sent it, or narrowed.
    Echo(bool),
}

fn lines() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop::sample::select(vec!["a\n", "b\n", "c\n", "\n", "ab\n", "end"]), 0..8)
        .prop_map(|lines| lines.concat())
}

fn event() -> impl Strategy<Value = Event> {
    let typed = prop::sample::select(vec!["", "x", "yz", "\n", "new\n", "a\nb\n"]);
    prop_oneof![
        3 => (any::<Index>(), 0usize..4, typed).prop_map(|(at, gone, text)| Event::Type(at, gone, text)),
        1 => (any::<Index>(), any::<bool>()).prop_map(|(hunk, accept)| Event::Decide(hunk, accept)),
        1 => any::<bool>().prop_map(Event::Echo),
    ]
}

/// What every hunk says of itself is true.
fn assert_true(review: &Review) {
    let file = &review.files[0];
    let text = file.text.to_string();
    let mut free = 0;
    for hunk in &file.hunks {
        assert!(text.get(hunk.range.clone()).is_some(), "inside the text: {hunk:?}");
        if hunk.status == HunkStatus::Pending {
            assert_eq!(&text[hunk.range.clone()], hunk.old_text, "{hunk:?}");
            let starts_line = hunk.range.start == 0 || text[..hunk.range.start].ends_with('\n');
            assert!(starts_line || hunk.old_text.is_empty(), "whole lines: {hunk:?} in {text:?}");
            assert!(hunk.range.start >= free, "apart from the one before: {hunk:?}");
            free = hunk.range.end;
        }
    }
}

fn typed(review: &mut Review, edit: Edit) {
    let mut text = review.files[0].text.clone();
    let step = EditSet::new(text.len_bytes(), vec![edit]).unwrap();
    step.apply_rope(&mut text).unwrap();
    review.text_changed(&uri(), &step, Some(2), &text);
}

/// Apply what is on its way. Nothing but the old text of those hunks may go.
fn echo(review: &mut Review, narrowed: bool) {
    review.recheck(&uri());
    assert_true(review);
    let before = review.files[0].text.to_string();
    let ids = review.applying(&uri());
    let edits = applying_edit(review);
    let hunks: Vec<Hunk> = review.hunks().filter(|hunk| ids.contains(&hunk.id)).cloned().collect();
    for edit in edits.edits() {
        let same = |hunk: &&Hunk| hunk.range == edit.range && hunk.old_text == before[edit.range.clone()];
        assert!(hunks.iter().any(|hunk| same(&hunk)), "the user's text would go: {edit:?} in {before:?}");
    }
    let after = edits.apply(&before).unwrap();
    let step = if narrowed { EditSet::from_diff(&before, &after) } else { edits };
    review.text_changed(&uri(), &step, Some(2), &ropey::Rope::from_str(&after));
    review.settle_by_text(&uri(), &ids);
    for hunk in review.hunks().filter(|hunk| ids.contains(&hunk.id) && hunk.status == HunkStatus::Accepted) {
        assert_eq!(&after[hunk.range.clone()], hunk.text(), "{hunk:?} in {after:?}");
    }
}

fn run(review: &mut Review, events: Vec<Event>) {
    assert_true(review);
    for event in events {
        match event {
            Event::Type(at, gone, text) => {
                let len = review.files[0].text.len_bytes();
                let start = at.index(len + 1);
                let range = start..(start + gone).min(len);
                typed(review, Edit { range, text: text.into() });
            }
            Event::Decide(hunk, accept) => {
                let open: Vec<_> = review.hunks().filter(|h| h.is_open()).map(|h| h.id.clone()).collect();
                if !open.is_empty() {
                    review.decide(&open[hunk.index(open.len())], accept, None).unwrap();
                }
            }
            Event::Echo(narrowed) => echo(review, narrowed),
        }
        assert_true(review);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn hunks_stay_true_whatever_happens(
        old in lines(), new in lines(), events in proptest::collection::vec(event(), 0..12)
    ) {
        run(&mut review(&old, &new), events);
    }

    /// Without anybody typing, a proposal that is accepted hunk by hunk, in any order, is the
    /// proposal, and undoing it gives the old text.
    #[test]
    fn all_hunks_together_are_the_proposal(
        old in lines(), new in lines(), order in proptest::collection::vec((any::<Index>(), any::<bool>()), 8)
    ) {
        let mut review = review(&old, &new);
        for (hunk, narrowed) in order {
            let open: Vec<_> = review.hunks().filter(|h| h.is_open()).map(|h| h.id.clone()).collect();
            if !open.is_empty() {
                review.decide(&open[hunk.index(open.len())], true, None).unwrap();
                echo(&mut review, narrowed);
            }
        }
        review.decide(ALL, true, None).unwrap();
        echo(&mut review, true);
        prop_assert_eq!(review.files[0].text.to_string(), new);
        prop_assert!(review.hunks().all(|hunk| hunk.status == HunkStatus::Accepted));
        let (undo, kept) = review.undo_edit(&uri());
        prop_assert!(kept.is_empty());
        prop_assert_eq!(undo.apply(&review.files[0].text.to_string()).unwrap(), old);
    }
}
