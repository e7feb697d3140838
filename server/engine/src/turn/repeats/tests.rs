use super::*;

fn call(name: &str, argument: &str) -> Call {
    let map = serde_json::Map::from_iter([("x".to_owned(), argument.into())]);
    Call { id: "c".into(), name: name.into(), arguments: Arguments::Object(map) }
}

#[test]
fn told_once_then_stopped() {
    let mut repeats = Repeats::default();
    let same = [call("read", "a")];
    assert_eq!(repeats.saw(&same, &[false]), Verdict::Go);
    assert_eq!(repeats.saw(&same, &[false]), Verdict::Go);
    assert!(matches!(repeats.saw(&same, &[false]), Verdict::Tell(_)));
    assert!(matches!(repeats.saw(&same, &[false]), Verdict::Stop(_)));
}

#[test]
fn other_calls_in_between_are_progress() {
    let mut repeats = Repeats::default();
    for n in 0..10 {
        assert_eq!(repeats.saw(&[call("bash", "test")], &[false]), Verdict::Go);
        assert_eq!(repeats.saw(&[call("edit", &n.to_string())], &[false]), Verdict::Go);
    }
}

#[test]
fn a_failing_call_counts_also_with_others_between() {
    let mut repeats = Repeats::default();
    let failing = [call("edit", "a")];
    for n in 0..2 {
        assert_eq!(repeats.saw(&failing, &[true]), Verdict::Go);
        assert_eq!(repeats.saw(&[call("read", &n.to_string())], &[false]), Verdict::Go);
    }
    assert!(matches!(repeats.saw(&failing, &[true]), Verdict::Tell(_)));
    assert_eq!(repeats.saw(&[call("read", "9")], &[false]), Verdict::Go);
    assert!(matches!(repeats.saw(&failing, &[true]), Verdict::Stop(_)));
}
