use super::*;
use serde_json::{Value, json};

fn read(prompt: Value) -> Result<Vec<PromptBlock>, RpcError> {
    blocks(serde_json::from_value(prompt).unwrap())
}

fn range(start: (u32, u32), end: (u32, u32)) -> Option<PositionRange> {
    let position = |(line, character)| Position { line, character };
    Some(PositionRange { start: position(start), end: position(end) })
}

#[test]
fn words_images_and_documents() {
    let blocks = read(json!([
        { "type": "text", "text": "/fix it" },
        { "type": "image", "mimeType": "image/png", "data": "AA==" },
        { "type": "resource_link", "name": "a.rs", "uri": "file:///ws/a.rs#L10-20" },
        { "type": "resource", "resource": { "uri": "untitled:Untitled-1", "text": "buffer" },
          "_meta": { "assent": { "range": { "start": { "line": 1, "character": 2 }, "end": { "line": 3, "character": 4 } } } } },
    ]));
    assert_eq!(
        blocks,
        Ok(vec![
            PromptBlock::Text("/fix it".into()),
            PromptBlock::Image { media_type: "image/png".into(), data: "AA==".into() },
            PromptBlock::Document {
                uri: DocumentUri::new("file:///ws/a.rs"),
                range: range((9, 0), (20, 0)),
                text: None
            },
            PromptBlock::Document {
                uri: DocumentUri::new("untitled:Untitled-1"),
                range: range((1, 2), (3, 4)),
                text: Some("buffer".into())
            },
        ])
    );
}

#[test]
fn lines_in_a_fragment() {
    assert_eq!(lines("L7"), range((6, 0), (7, 0)));
    assert_eq!(lines("L7-L9"), range((6, 0), (9, 0)));
    assert_eq!(lines("L7:9"), range((6, 0), (9, 0)));
    for odd in ["", "L", "L0", "L9-7", "heading", "Lx", "L1-"] {
        assert_eq!(lines(odd), None, "{odd}");
    }
}

#[test]
fn a_fragment_that_is_no_line_belongs_to_the_name() {
    let blocks = read(json!([{ "type": "resource_link", "name": "x", "uri": "file:///ws/a#b.md" }])).unwrap();
    let [PromptBlock::Document { uri, range: None, .. }] = &blocks[..] else { panic!("{blocks:?}") };
    assert_eq!(uri.as_str(), "file:///ws/a#b.md");
}

#[test]
fn what_cannot_be_sent_says_so() {
    let error = read(json!([{ "type": "audio", "mimeType": "audio/wav", "data": "" }])).unwrap_err();
    assert_eq!(error.code, -32602);
    assert!(error.message.contains("audio"), "{error}");
}
