use super::*;
use assent_engine::event::SessionId;

fn question(options: &[(&str, &str)], multiple: bool) -> UserQuestion {
    UserQuestion {
        session: SessionId("s1".into()),
        call_id: "c1".into(),
        question: "Which one?".into(),
        options: options.iter().map(|(label, text)| ((*label).into(), (*text).into())).collect(),
        multiple,
    }
}

#[test]
fn a_choice_as_a_form() {
    assert_eq!(
        json!(form(&question(&[("A", "first"), ("B", "")], false))),
        json!({
            "mode": "form", "sessionId": "s1", "toolCallId": "c1", "message": "Which one?",
            "requestedSchema": { "type": "object", "properties": {
                "answer": { "type": "string", "oneOf": [
                    { "const": "A", "title": "A", "description": "first" }, { "const": "B", "title": "B" }] },
                "other": { "type": "string", "title": "Something else" },
            } },
        })
    );
}

#[test]
fn answers_of_a_form() {
    let accepted = |content: Value| form_answer(json!({ "action": "accept", "content": content }));
    assert_eq!(accepted(json!({ "answer": "A" })), Some(vec!["A".into()]));
    assert_eq!(
        accepted(json!({ "answer": ["A", "B"], "other": "C" })),
        Some(vec!["A".into(), "B".into(), "C".into()])
    );
    assert_eq!(accepted(json!({ "answer": " ", "other": "" })), None);
    assert_eq!(accepted(json!({})), None);
    assert_eq!(form_answer(json!({ "action": "decline" })), None);
    assert_eq!(form_answer(Value::Null), None);
}

#[test]
fn a_choice_without_forms() {
    let asked = question(&[("A", "first"), ("B", "")], false);
    let request = json!(choice(&asked));
    assert_eq!(
        request["options"],
        json!([
            { "optionId": "0", "name": "A", "kind": "allow_once" },
            { "optionId": "1", "name": "B", "kind": "allow_once" },
            { "optionId": "dismiss", "name": "No answer", "kind": "reject_once" },
        ])
    );
    let selected = |id: &str| json!({ "outcome": { "outcome": "selected", "optionId": id } });
    assert_eq!(choice_answer(&asked, selected("1")), Some(vec!["B".into()]));
    for none in [selected("dismiss"), selected("7"), Value::Null] {
        assert_eq!(choice_answer(&asked, none), None);
    }
}
