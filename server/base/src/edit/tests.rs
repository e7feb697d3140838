use super::*;
use proptest::prelude::*;

fn set(before: usize, edits: &[(Range<usize>, &str)]) -> EditSet {
    let edits = edits.iter().map(|(range, text)| Edit { range: range.clone(), text: (*text).into() });
    EditSet::new(before, edits.collect()).unwrap()
}

#[test]
fn overlap_and_reach_are_refused() {
    let edit = |range| Edit { range, text: "x".into() };
    assert_eq!(EditSet::new(9, vec![edit(0..3), edit(2..4)]), Err(EditError::Overlap));
    assert_eq!(EditSet::new(3, vec![edit(2..4)]), Err(EditError::OutOfRange));
    assert!(EditSet::new(4, vec![edit(2..4), edit(0..2), edit(2..2)]).is_ok());
}

#[test]
fn another_text_is_refused() {
    assert_eq!(set(3, &[(0..1, "x")]).apply("ab"), Err(EditError::OtherText));
    assert_eq!(set(2, &[(1..2, "x")]).apply("é"), Err(EditError::InsideCharacter));
    let mut rope = ropey::Rope::from_str("é");
    assert_eq!(set(2, &[(1..2, "x")]).apply_rope(&mut rope), Err(EditError::InsideCharacter));
}

/// cases.md E8: all ranges refer to the text before.
#[test]
fn two_steps_are_one_set() {
    let text = "let a = 1;\nlet b = 2;\n";
    let first = set(22, &[(4..9, "total = 1")]);
    let middle = first.apply(text).unwrap();
    let second = set(middle.len(), &[(4..13, "total = 10")]);
    let both = first.compose(&second, text).unwrap();
    assert_eq!(both.apply(text).unwrap(), "let total = 10;\nlet b = 2;\n");
    assert_eq!(both.edits().len(), 1);
}

#[test]
fn rebase_keeps_both_or_says_conflict() {
    let ours = set(6, &[(3..4, "X")]);
    assert_eq!(ours.rebase(&set(6, &[(0..1, "long")])).unwrap(), set(9, &[(6..7, "X")]));
    assert_eq!(ours.rebase(&set(6, &[(2..5, "")])), Err(EditError::Conflict));
}

#[test]
fn a_diff_is_narrow() {
    let old = "fn a(x) {}\nkeep\n";
    let diff = EditSet::from_diff(old, "fn a(y) {}\nkeep\n");
    assert_eq!(diff, set(16, &[(5..6, "y")]));
}

/// A text and a set for it.
fn text_and_set() -> impl Strategy<Value = (String, EditSet)> {
    (
        "[a-c\\n🙂é]{0,12}",
        proptest::collection::vec((any::<prop::sample::Index>(), 0..4usize, "[x-z\\n🙂]{0,3}"), 0..4),
    )
        .prop_map(|(text, raw)| {
            let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let mut edits: Vec<Edit> = Vec::new();
            let mut free = 0;
            let mut starts: Vec<_> =
                raw.iter().map(|(at, n, new)| (at.index(bounds.len()), *n, new)).collect();
            starts.sort();
            for (at, n, new) in starts {
                let (start, end) = (bounds[at], bounds[(at + n).min(bounds.len() - 1)]);
                if start >= free {
                    free = end;
                    edits.push(Edit { range: start..end, text: new.clone() });
                }
            }
            let set = EditSet::new(text.len(), edits).unwrap();
            (text, set)
        })
}

proptest! {
    #[test]
    fn invert_is_the_identity((text, set) in text_and_set()) {
        let after = set.apply(&text).unwrap();
        prop_assert_eq!(after.len(), set.len_after());
        prop_assert_eq!(set.invert(&text).unwrap().apply(&after).unwrap(), text);
    }

    #[test]
    fn a_rope_agrees((text, set) in text_and_set()) {
        let mut rope = ropey::Rope::from_str(&text);
        set.apply_rope(&mut rope).unwrap();
        prop_assert_eq!(rope.to_string(), set.apply(&text).unwrap());
    }

    #[test]
    fn a_diff_leads_there(old in "[ab\\n🙂]{0,20}", new in "[ab\\n🙂]{0,20}") {
        prop_assert_eq!(EditSet::from_diff(&old, &new).apply(&old).unwrap(), new);
    }

    #[test]
    fn compose_is_one_after_the_other((text, first) in text_and_set(), new in "[a-d\\n🙂]{0,12}") {
        let middle = first.apply(&text).unwrap();
        let second = EditSet::from_diff(&middle, &new);
        prop_assert_eq!(first.compose(&second, &text).unwrap().apply(&text).unwrap(), new);
    }

    #[test]
    fn rebase_commutes((text, ours) in text_and_set(), other in "[a-c\\n🙂é]{0,12}") {
        let theirs = EditSet::from_diff(&text, &other);
        if let (Ok(ours_after), Ok(theirs_after)) = (ours.rebase(&theirs), theirs.rebase(&ours)) {
            let one = ours_after.apply(&theirs.apply(&text).unwrap()).unwrap();
            let two = theirs_after.apply(&ours.apply(&text).unwrap()).unwrap();
            let mut one: Vec<char> = one.chars().collect();
            let mut two: Vec<char> = two.chars().collect();
            // Insertions at one place may come in either order; nothing may be lost.
            one.sort_unstable();
            two.sort_unstable();
            prop_assert_eq!(one, two);
        }
    }
}
