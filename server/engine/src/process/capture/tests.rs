use super::*;
use tempfile::TempDir;

async fn captured(limit: usize, pieces: &[&str]) -> (Captured, TempDir) {
    let dir = TempDir::new().unwrap();
    let mut capture = Capture::new(limit, dir.path().join("out"));
    for piece in pieces {
        capture.push(piece.as_bytes(), &|_| {}).await;
    }
    (capture.finish(&|_| {}).await, dir)
}

#[tokio::test]
async fn what_fits_is_whole() {
    let (output, _dir) = captured(10, &["äöü", "1234567"]).await;
    assert_eq!((output.head.as_str(), output.tail, output.file), ("äöü1234567", None, None));
}

#[tokio::test]
async fn what_does_not_fit_has_two_ends_cut_between_characters() {
    for pieces in [&["ääääääööööööüüüüüü"][..], &["äää", "äääöööööö", "üüü", "üüü"]]
    {
        let (output, _dir) = captured(10, pieces).await;
        assert_eq!((output.head.as_str(), output.tail.as_deref()), ("äääää", Some("üüüüü")));
        assert_eq!(output.chars, 18);
        let file = std::fs::read_to_string(output.file.unwrap()).unwrap();
        assert_eq!(file, "ääääääööööööüüüüüü");
    }
}
