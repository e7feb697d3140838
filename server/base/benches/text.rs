//! What the editor's keystrokes and the model's edits cost: `cargo bench -p assent-base --bench text`.

use assent_base::edit::{Edit, EditSet};
use assent_base::find::locate;
use assent_base::path::DocumentUri;
use assent_base::review::{Change, FileProposal, Review};
use assent_base::text::{Position, PositionEncoding, PositionRange, apply_change};
use divan::{Bencher, black_box};
use ropey::Rope;

fn main() {
    divan::main();
}

/// So many lines of forty bytes.
fn lines(count: usize) -> String {
    (0..count).map(|number| format!("line {number:>8} with a few words upon it\n")).collect()
}

/// Every so many lines, two words change.
fn changed_lines(text: &str, every: usize) -> String {
    let change = |(number, line): (usize, &str)| match number % every {
        0 => line.replace("few words", "new word or two"),
        _ => line.to_owned(),
    };
    text.split_inclusive('\n').enumerate().map(change).collect()
}

fn thousand_edits(text: &str) -> EditSet {
    let step = text.len() / 1_000;
    let edits = (0..1_000).map(|nth| Edit { range: nth * step..nth * step + 4, text: "edited".into() });
    EditSet::new(text.len(), edits.collect()).expect("a thousand places apart")
}

#[divan::bench]
fn apply_1000_edits_to_100000_lines(bencher: Bencher<'_, '_>) {
    let text = lines(100_000);
    let edits = thousand_edits(&text);
    let rope = Rope::from_str(&text);
    bencher.with_inputs(|| rope.clone()).bench_values(|mut rope| {
        edits.apply_rope(&mut rope).expect("edits of this text");
        rope
    });
}

#[divan::bench]
fn rebase_1000_edits_over_1000(bencher: Bencher<'_, '_>) {
    let text = lines(100_000);
    let ours = thousand_edits(&text);
    let theirs: Vec<Edit> = ours
        .edits()
        .iter()
        .map(|edit| Edit { range: edit.range.end + 1..edit.range.end + 2, text: "x".into() })
        .collect();
    let theirs = EditSet::new(text.len(), theirs).expect("a thousand places apart");
    bencher.bench(|| ours.rebase(black_box(&theirs)));
}

/// 5,000 keystrokes, one after the other along the text.
fn type_5000(mut text: Rope, place: impl Fn(u32) -> Position) -> Rope {
    for nth in 0..5_000 {
        let at = place(nth);
        apply_change(&mut text, Some(PositionRange { start: at, end: at }), "x", PositionEncoding::Utf16);
    }
    text
}

#[divan::bench]
fn type_5000_keys_into_a_megabyte(bencher: Bencher<'_, '_>) {
    let text = Rope::from_str(&lines(25_000));
    bencher
        .with_inputs(|| text.clone())
        .bench_values(|text| type_5000(text, |nth| Position { line: nth * 5, character: 7 }));
}

#[divan::bench]
fn type_5000_keys_into_one_line_of_a_megabyte(bencher: Bencher<'_, '_>) {
    let text = Rope::from_str(&"ab é ".repeat(200_000));
    bencher
        .with_inputs(|| text.clone())
        .bench_values(|text| type_5000(text, |nth| Position { line: 0, character: nth * 150 }));
}

/// A review of 5,000 hunks over so many files, and the text of the first.
fn review(files: usize) -> (Review, DocumentUri, Rope) {
    let hunks = 5_000 / files;
    let text = lines(hunks * 4);
    let rope = Rope::from_str(&text);
    let new_text = changed_lines(&text, 4);
    let uri = |nth: usize| DocumentUri::new(&format!("file:///project/src/module_{nth}.rs"));
    let proposal = |nth| FileProposal {
        uri: uri(nth),
        version: Some(1),
        change: Change::Edit,
        text: rope.clone(),
        new_text: new_text.clone(),
    };
    (Review::open("r1", "session", "call", (0..files).map(proposal).collect()), uri(files - 1), rope)
}

/// One keystroke while 5,000 hunks are pending; the goal is a millisecond.
#[divan::bench(args = [300, 1])]
fn a_key_moves_5000_hunks_over_files(bencher: Bencher<'_, '_>, files: usize) {
    let (mut review, uri, rope) = review(files);
    // Beside the first hunk, so that all of this file's move.
    let edit = Edit { range: 45..45, text: "x".into() };
    let step = EditSet::new(rope.len_bytes(), vec![edit]).expect("inside the text");
    let mut after = rope.clone();
    step.apply_rope(&mut after).expect("an edit of this text");
    let text = rope.to_string();
    let back = step.invert(&text).expect("an edit of this text");
    bencher.bench_local(|| {
        review.text_changed(&uri, &step, Some(2), &after);
        review.text_changed(&uri, &back, Some(3), &rope);
    });
}

#[divan::bench]
fn find_a_word_in_four_megabytes_without_a_line_end(bencher: Bencher<'_, '_>) {
    let text = format!("{0}NEEDLE{0}", "a".repeat(2_000_000));
    bencher.bench(|| locate(black_box(&text), "NEEDLE", "PIN", false));
}

#[divan::bench]
fn fail_to_find_a_function_in_100000_lines(bencher: Bencher<'_, '_>) {
    let text = lines(100_000);
    let old = "line     5000 with a few words upon it\nline     5001 with other words\n";
    bencher.bench(|| locate(black_box(&text), old, "x", false));
}

#[divan::bench]
fn diff_100000_lines(bencher: Bencher<'_, '_>) {
    let old = lines(100_000);
    let new = changed_lines(&old, 100);
    bencher.bench(|| EditSet::from_diff(black_box(&old), &new));
}
