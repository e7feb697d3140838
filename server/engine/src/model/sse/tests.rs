use super::*;

const BOUNDS: Bounds = Bounds { line: 1_000, total: 10_000 };

/// The three writes of case V1.
const V1: [&[u8]; 3] = [
    b": keepalive\r\n\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"\xE5\x8C",
    b"\x97\"}}]}\r",
    b"\n\r\nevent: ping\r\n\r\ndata: \r\n\r\ndata: {\"choices\":[{\"delta\":\r\ndata: {\"content\":\"!\"}}]}\r\n\r\ndata: [DONE]\r\n\r\n",
];

async fn collect(chunks: Vec<Vec<u8>>, bounds: Bounds) -> Vec<Result<String, Trouble>> {
    let chunks = chunks.into_iter().map(|chunk| Ok(Bytes::from(chunk)));
    decode(stream::iter(chunks), bounds).collect().await
}

async fn data(chunks: Vec<Vec<u8>>) -> Vec<String> {
    collect(chunks, BOUNDS).await.into_iter().collect::<Result<_, _>>().unwrap()
}

fn expected() -> Vec<String> {
    vec![
        r#"{"choices":[{"delta":{"content":"北"}}]}"#.to_owned(),
        "{\"choices\":[{\"delta\":\n{\"content\":\"!\"}}]}".to_owned(),
        "[DONE]".to_owned(),
    ]
}

#[tokio::test]
async fn v1_three_writes() {
    assert_eq!(data(V1.iter().map(|chunk| chunk.to_vec()).collect()).await, expected());
}

#[tokio::test]
async fn v1_one_byte_at_a_time() {
    assert_eq!(data(V1.concat().iter().map(|byte| vec![*byte]).collect()).await, expected());
}

#[tokio::test]
async fn any_chunking_gives_the_same_events() {
    let bytes = V1.concat();
    // Every pair of cuts.
    for first in 0..bytes.len() {
        for second in first..bytes.len() {
            let chunks =
                vec![bytes[..first].to_vec(), bytes[first..second].to_vec(), bytes[second..].to_vec()];
            assert_eq!(data(chunks).await, expected(), "cut at {first} and {second}");
        }
    }
}

#[tokio::test]
async fn line_ends_of_every_kind() {
    for end in ["\n", "\r", "\r\n"] {
        let text = format!("data: a{end}data: b{end}{end}: note{end}data:c{end}{end}");
        assert_eq!(data(vec![text.into_bytes()]).await, ["a\nb", "c"], "{end:?}");
    }
}

#[tokio::test]
async fn the_end_of_the_stream_ends_the_last_event() {
    assert_eq!(data(vec![b"data: [DONE]".to_vec()]).await, ["[DONE]"]);
    assert_eq!(data(vec![b"data: x\n".to_vec()]).await, ["x"]);
}

#[tokio::test]
async fn a_line_without_end_is_bounded() {
    let chunks = vec![b"data: ".to_vec(), vec![b'x'; 600], vec![b'x'; 600]];
    let found = collect(chunks, BOUNDS).await;
    assert!(matches!(&found[..], [Err(Trouble::Nonsense(what))] if what.contains("1000 bytes")), "{found:?}");
}

#[tokio::test]
async fn an_endless_answer_is_bounded() {
    let chunks = std::iter::repeat_n(b"data: x\n\n".to_vec(), 2_000).collect();
    let found = collect(chunks, BOUNDS).await;
    assert!(matches!(found.last(), Some(Err(Trouble::Nonsense(_)))));
}

#[tokio::test]
async fn a_broken_connection_is_not_an_end() {
    let chunks = [Ok(Bytes::from_static(b"data: a\n\ndata: b")), Err("reset".to_owned())];
    let found: Vec<_> = decode(stream::iter(chunks), BOUNDS).collect().await;
    assert_eq!(found, [Ok("a".to_owned()), Err(Trouble::Network("reset".to_owned()))]);
}

#[tokio::test]
async fn bytes_that_are_no_text_are_an_error() {
    let found = collect(vec![b"data: \xFF\n\n".to_vec()], BOUNDS).await;
    assert!(matches!(&found[..], [Err(Trouble::Nonsense(_))]));
}
