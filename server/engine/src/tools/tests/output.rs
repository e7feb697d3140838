use super::*;

#[tokio::test]
async fn a_long_result_is_kept_whole_in_a_file() {
    let world = World::new();
    let text: String = (0..10_000).map(|n| format!("line {n}\n")).collect();
    let output = finish(ToolOutput::text(text.clone()), &world.ctx).await;
    let shown = text_of(&output);
    assert!(shown.starts_with("line 0\n") && shown.contains("line 9999\n[the whole output, "), "{shown}");
    assert!(shown.len() < 52_000);
    let files = names(&world.ctx.spill);
    assert_eq!(files.len(), 1);
    let file = world.ctx.spill.join(&files[0]);
    assert!(shown.contains(file.to_str().unwrap()));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn an_empty_result_says_so() {
    let world = World::new();
    for text in ["", " \n"] {
        assert_eq!(text_of(&finish(ToolOutput::text(text), &world.ctx).await), "(no output)");
    }
    let none = ToolOutput { content: vec![], is_error: true, summary: None };
    assert_eq!(finish(none, &world.ctx).await, ToolOutput::error("(no output)"));
}
