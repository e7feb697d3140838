use super::*;

async fn lines(bytes: &[u8]) -> Vec<Line> {
    let mut lines = Lines::new(bytes);
    let mut all = Vec::new();
    while let Some(line) = lines.next().await {
        all.push(line);
    }
    all
}

fn whole(line: &str) -> Line {
    Line::Whole(line.as_bytes().to_vec())
}

#[tokio::test]
async fn lines_without_content_do_not_count() {
    assert_eq!(lines(b"a\n\n  \r\nb\r\n").await, [whole("a"), whole("b\r")]);
}

#[tokio::test]
async fn the_last_line_needs_no_end() {
    assert_eq!(lines(b"a\nb").await, [whole("a"), whole("b")]);
}

#[tokio::test]
async fn a_line_without_end_is_skipped_not_kept() {
    let mut bytes = vec![b'x'; LINE_BYTES + 1];
    bytes.extend_from_slice(b"\nb\n");
    assert_eq!(lines(&bytes).await, [Line::TooLong, whole("b")]);
}
