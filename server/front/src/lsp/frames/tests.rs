use super::*;

async fn frames(input: &str) -> Vec<Frame> {
    let mut frames = Frames::new(input.as_bytes());
    let mut all = Vec::new();
    while let Some(frame) = frames.next().await {
        all.push(frame);
    }
    all
}

fn whole(body: &str) -> Frame {
    Frame::Whole(body.into())
}

#[tokio::test]
async fn one_after_the_other_with_any_header() {
    let input = "Content-Length: 2\r\n\r\n{}content-length: 4\r\nContent-Type: x\r\n\r\n\"é\"";
    assert_eq!(frames(input).await, [whole("{}"), whole("\"é\"")]);
}

#[tokio::test]
async fn rubbish_between_messages_is_skipped() {
    let input = "hello\r\n\r\nContent-Length: x\r\n\r\nContent-Length: 2\r\n\r\n{}";
    assert_eq!(frames(input).await, [whole("{}")]);
}

#[tokio::test]
async fn a_message_that_is_cut_is_none() {
    assert_eq!(frames("Content-Length: 9\r\n\r\n{}").await, []);
    assert_eq!(frames("Content-Length: 9").await, []);
}
