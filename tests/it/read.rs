//! `read` on what is not a plain text file, and how it counts and cuts.

use crate::scene::{Scene, shown_lines};
use serde_json::json;
use std::process::Command;
use std::time::{Duration, Instant};

fn read(path: &str) -> serde_json::Value {
    json!({ "filePath": path })
}

#[test]
fn nothing_there_is_said_in_words() {
    let mut scene = Scene::new(&[("five.txt", "1\n2\n3\n4\n5\n"), ("empty.txt", ""), ("d/x", "")]);
    let outcome = scene.call("read", json!({ "filePath": "five.txt", "offset": 100 }));
    assert!(outcome.text.contains("5 lines") && !outcome.text.contains("empty"), "{}", outcome.text);
    assert!(shown_lines(&outcome.text).is_empty(), "{}", outcome.text);

    let outcome = scene.call("read", read("empty.txt"));
    assert!(!outcome.failed && outcome.text.contains("empty"), "{}", outcome.text);
    assert!(!outcome.text.contains("binary"), "{}", outcome.text);

    let outcome = scene.call("read", read("d"));
    assert!(outcome.failed && outcome.text.contains("ls"), "{}", outcome.text);

    let outcome = scene.call("read", read("missing.txt"));
    assert!(outcome.failed && outcome.text.contains("missing.txt"), "{}", outcome.text);
}

#[cfg(unix)]
#[test]
fn a_pipe_without_a_writer_is_refused_at_once() {
    let mut scene = Scene::new(&[]);
    let made = Command::new("mkfifo").arg(scene.ws.path("pipe")).status().unwrap();
    assert!(made.success());
    let started = Instant::now();
    let outcome = scene.call("read", read("pipe"));
    assert!(outcome.failed, "{}", outcome.text);
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}

#[test]
fn the_bytes_decide_what_a_file_is() {
    let mut scene = Scene::new(&[("icon.png", "{\"ok\":true}")]);
    scene.ws.write("shot.png", JPEG);
    let outcomes = scene.calls(&[("read", read("icon.png")), ("read", read("shot.png"))]);
    let request = scene.last_request();
    assert!(request.body.to_string().contains("image/jpeg"), "{:#}", request.body);
    assert!(!request.body.to_string().contains("image/png"), "{:#}", request.body);
    assert!(!outcomes[1].failed, "{}", outcomes[1].text);
}

#[test]
fn lines_are_counted_as_the_editor_counts_them() {
    let text = "a\nb\u{c}c\nd\u{2028}e\u{b}f\u{85}g\nneedle\n";
    let mut scene = Scene::new(&[("f.txt", text)]);
    scene.client.accepts_all = true;
    let uri = scene.client.open("f.txt");
    let outcomes = scene.calls(&[
        ("read", read("f.txt")),
        ("grep", json!({ "pattern": "needle" })),
        ("edit", json!({ "filePath": "f.txt", "oldString": "needle", "newString": "pin" })),
    ]);
    let shown = outcomes[0].text.lines().find(|line| line.contains("needle")).unwrap();
    assert!(shown.trim_start().trim_start_matches('0').starts_with('4'), "{shown}");
    assert!(outcomes[1].text.contains('4'), "{}", outcomes[1].text);
    let edit = &scene.client.edits[0].edits()[0];
    assert_eq!(edit["range"]["start"]["line"], 3);
    assert!(scene.client.document(&uri).text.ends_with("pin\n"));
}

#[test]
fn long_lines_are_cut_between_characters() {
    let long = format!("{}🙂🙂\n", "x".repeat(1_999));
    let needle = format!("{0}NEEDLE{0}\n", "a".repeat(2_000_000));
    let mut scene = Scene::new(&[("long.txt", &long), ("needle.txt", &needle)]);
    // Megabytes as JSON take their time in an unoptimised build.
    scene.client.patience = std::time::Duration::from_secs(90);
    scene.client.accepts_all = true;
    let outcome = scene.call("read", read("long.txt"));
    assert!(!outcome.failed && !outcome.text.contains('\u{fffd}'), "{}", outcome.text);
    assert_eq!(outcome.text.matches('🙂').count(), 1, "the limit lies between the two");

    let outcomes = scene.calls(&[
        ("grep", json!({ "pattern": "NEEDLE" })),
        ("read", read("needle.txt")),
        ("edit", json!({ "filePath": "needle.txt", "oldString": "NEEDLE", "newString": "PIN" })),
    ]);
    assert!(outcomes[0].text.len() < 10_000, "{} bytes", outcomes[0].text.len());
    assert!(outcomes[0].text.contains("NEEDLE") && outcomes[0].text.contains('1'));
    assert!(!outcomes[2].failed, "{}", outcomes[2].text);
    assert!(scene.ws.read("needle.txt") == needle.replace("NEEDLE", "PIN"));
}

/// One grey pixel.
const JPEG: &[u8] = &[
    0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10, b'J', b'F', b'I', b'F', 0x00, 0x01, 0x01, 0x00, 0x00, 0x01, 0x00,
    0x01, 0x00, 0x00, 0xFF, 0xDB, 0x00, 0x43, 0x00, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x01, 0x00, 0x01, 0x01, 0x01, 0x11, 0x00,
    0xFF, 0xC4, 0x00, 0x14, 0x00, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x08, 0xFF, 0xC4, 0x00,
    0x14, 0x10, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01,
    0x00, 0x00, 0x3F, 0x00, 0x37, 0xFF, 0xD9,
];
