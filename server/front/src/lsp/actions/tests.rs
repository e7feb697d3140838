use super::*;
use crate::protocol::Position;
use ropey::Rope;

fn hunk(id: &str, range: std::ops::Range<usize>, new_text: &str) -> Hunk {
    Hunk {
        id: id.into(),
        status: HunkStatus::Pending,
        range,
        old_text: String::new(),
        new_text: new_text.into(),
        changed: None,
    }
}

/// `b` on line 1 becomes `B`; a line comes behind line 3.
fn reviews() -> Vec<Arc<Review>> {
    vec![Arc::new(Review {
        id: "r1".into(),
        session: "s1".into(),
        call_id: "c1".into(),
        files: vec![FileReview {
            uri: DocumentUri::new("file:///ws/a.txt"),
            version: Some(3),
            change: Change::Edit,
            text: Rope::from_str("a\nb\nc\nd\n"),
            hunks: vec![hunk("h1", 2..4, "B\n"), hunk("h2", 8..8, "e\n")],
        }],
    })]
}

fn place(line: u32, character: u32) -> Position {
    Position { line, character }
}

fn asked(start: Position, end: Position) -> Asked {
    let range = Range { start, end };
    Asked {
        uri: "file:///ws/a.txt".into(),
        range,
        diagnostics: Vec::new(),
        only: Vec::new(),
        automatic: false,
    }
}

fn client(plain: bool, extra: Value) -> Capabilities {
    let mut action = json!({ "codeActionLiteralSupport": {} });
    if let (Some(action), Value::Object(extra)) = (action.as_object_mut(), extra) {
        action.extend(extra);
    }
    let acp = if plain { json!({}) } else { json!({ "acp": { "protocolVersion": 1 } }) };
    Capabilities::of(&json!({ "capabilities": {
        "textDocument": { "codeAction": action }, "workspace": { "workspaceEdit": { "documentChanges": true } },
        "experimental": { "assent": acp } } }))
}

fn titles(actions: &[Action]) -> Vec<&str> {
    actions.iter().map(|action| action.title.as_str()).collect()
}

#[test]
fn what_can_be_asked_about_a_place_a_selection_and_a_problem() {
    let client = client(false, json!({}));
    let at = |asked: &Asked| {
        titles(&actions(asked, &[], &client)).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let cursor = asked(place(0, 0), place(0, 0));
    assert_eq!(at(&cursor), ["Assent: explain", "Assent: write tests"]);
    assert_eq!(at(&Asked { automatic: true, ..cursor.clone() }), Vec::<String>::new());
    let selection = asked(place(0, 0), place(1, 0));
    assert_eq!(at(&selection), ["Assent: explain", "Assent: write tests", "Assent: rewrite selection"]);
    let only = Asked { only: vec!["refactor.rewrite".into()], ..selection };
    assert_eq!(at(&only), ["Assent: rewrite selection"]);
    let problem =
        Asked { diagnostics: vec![json!({ "message": "no such\nthing" })], automatic: true, ..cursor };
    assert_eq!(at(&problem), ["Assent: fix “no such”"]);
    assert_eq!(
        actions(&problem, &[], &client)[0].arguments,
        json!({ "uri": "file:///ws/a.txt", "diagnostics": ["no such\nthing"],
                "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } } })
    );
}

#[test]
fn with_a_plugin_a_decision_is_a_command() {
    let reviews = reviews();
    let found = hunk_actions(&asked(place(1, 0), place(1, 0)), &reviews, &client(false, json!({})));
    assert_eq!(titles(&found), ["Assent: accept this change", "Assent: reject this change"]);
    assert_eq!((found[0].command, &found[0].edit), (commands::REVIEW_ACCEPT, &None));
    assert_eq!(found[0].arguments, json!({ "reviewId": "r1", "hunk": "h1" }));
}

#[test]
fn without_a_plugin_accepting_carries_the_edit() {
    let reviews = reviews();
    let edit = json!({ "documentChanges": [{
        "textDocument": { "uri": "file:///ws/a.txt", "version": 3 },
        "edits": [{ "range": { "start": { "line": 1, "character": 0 }, "end": { "line": 2, "character": 0 } },
                    "newText": "B\n" }] }] });
    let at = asked(place(1, 0), place(1, 0));
    let early = hunk_actions(&at, &reviews, &client(true, json!({})));
    assert_eq!(early[0].edit.as_ref(), Some(&edit));
    assert_eq!(early[0].arguments, json!({ "reviewId": "r1", "hunk": "h1", "applied": true }));

    let resolves = json!({ "dataSupport": true, "resolveSupport": { "properties": ["edit"] } });
    let client = client(true, resolves);
    let late = hunk_actions(&at, &reviews, &client);
    assert_eq!(late[0].edit, None);
    let data = late[0].data.as_ref().unwrap();
    assert_eq!(resolved(data, &reviews, &client), Some(edit));
    assert_eq!(resolved(&commands::HunkArgs { hunk: "h9".into(), ..data.clone() }, &reviews, &client), None);
}

#[test]
fn a_hunk_is_offered_where_it_lies() {
    let reviews = reviews();
    let client = client(false, json!({}));
    let at = |start, end| hunk_actions(&asked(start, end), &reviews, &client).len();
    assert_eq!(at(place(0, 0), place(0, 1)), 0);
    assert_eq!(at(place(0, 0), place(1, 1)), 2);
    assert_eq!(at(place(2, 0), place(2, 1)), 0);
    assert_eq!(at(place(4, 0), place(4, 0)), 2);
    assert_eq!(at(place(0, 0), place(4, 0)), 4);
}

#[test]
fn lenses_stand_above_hunks() {
    let reviews = reviews();
    let lenses = lenses("file:///ws/a.txt", &reviews, &client(true, json!({})));
    let shown: Vec<_> = lenses.iter().map(|lens| (lens.range.start.line, lens.title.as_str())).collect();
    assert_eq!(
        shown,
        [
            (1, "Accept"),
            (1, "Reject"),
            (1, "Accept all (2)"),
            (1, "Reject all"),
            (4, "Accept"),
            (4, "Reject")
        ]
    );
}

#[test]
fn stepping_goes_round() {
    let reviews = reviews();
    let client = client(false, json!({}));
    let step = |from: Option<u32>, forward| {
        let from = from.map(|line| ("file:///ws/a.txt", place(line, 0)));
        super::step(&reviews, from, forward, &client).map(|(_, _, hunk)| hunk.id.clone()).unwrap_or_default()
    };
    assert_eq!([step(None, true), step(None, false)], ["h1", "h2"]);
    assert_eq!([step(Some(0), true), step(Some(1), true), step(Some(4), true)], ["h1", "h2", "h1"]);
    assert_eq!([step(Some(4), false), step(Some(2), false), step(Some(1), false)], ["h1", "h1", "h2"]);
}
