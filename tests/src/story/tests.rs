use super::{Answer, Step, Story, rewrite};

const STORY: &str = "About something.\n\n=== file a.txt crlf unfinished\none\ntwo\n\n=== prompt\nGo on.\n\n\
=== model\nLet me.\n> read {\"filePath\":\"a.txt\"}\n(pause)\n\n=== resume\n\n=== approve no\ntoo late\n\n\
=== type a.txt\none\nuno\n\n=== expect transcript\nold\n";

#[test]
fn a_story_is_read_in_order() {
    let story = Story::read(STORY);
    assert_eq!(story.about, "About something.");
    assert_eq!(story.files, [("a.txt".to_owned(), "one\r\ntwo".to_owned())]);
    assert_eq!((story.replies.len(), story.replies[0].calls(), story.gates.len()), (1, 1, 1));
    assert!(matches!(&story.steps[0], Step::Prompt(words) if words == "Go on."));
    assert!(matches!(&story.steps[2], Step::Approve(Answer::No, reason) if reason == "too late"));
    assert!(matches!(&story.steps[3], Step::Type { old, new, .. } if old == "one" && new == "uno"));
    assert_eq!(story.expected, [("transcript".to_owned(), "old\n".to_owned())]);
}

#[test]
fn rewriting_touches_nothing_but_what_is_expected() {
    let actual =
        vec![("transcript".to_owned(), "new\n".to_owned()), ("file a.txt".to_owned(), "x\n".to_owned())];
    let rewritten = rewrite(STORY, &actual);
    assert!(rewritten.ends_with("=== expect transcript\nnew\n\n=== expect file a.txt\nx\n"), "{rewritten}");
    assert_eq!(rewrite(&rewritten, &actual), rewritten);
    assert_eq!(Story::read(&rewritten).expected, actual);
}
