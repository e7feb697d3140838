use super::*;

#[test]
fn commands_stand_for_words() {
    assert!(is_shipped("fix") && !is_shipped("review-diff") && !is_shipped("nosuch"));
    assert!(expand("/fix the crash").ends_with("\n\nthe crash"));
    assert_eq!(expand("/explain"), words()[0].prompt);
    assert_eq!(expand("/nosuch thing"), "/nosuch thing");
    assert_eq!(expand("what is /fix?"), "what is /fix?");
    assert_eq!(split("/a b  c "), Some(("a", "b  c")));
    assert_eq!((split("a"), split("/"), split("/ a")), (None, None, None));
}
