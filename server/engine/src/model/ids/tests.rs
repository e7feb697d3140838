use super::*;
use crate::model::testing::{call, result};
use serde_json::json;

const RULES: [IdRule; 4] = [IdRule::Chat, IdRule::Responses, IdRule::Anthropic, IdRule::Nine];

fn conversation(ids: &[String]) -> Vec<Message> {
    let calls = ids.iter().map(|id| call(id, "read", json!({}))).collect();
    let results = ids.iter().map(|id| result(id, "done")).collect();
    vec![Message::Assistant(calls), Message::Results(results)]
}

#[test]
fn v10_a_long_id_with_a_bar_fits_everywhere() {
    let long = format!("call|{}", "x".repeat(89));
    assert_eq!(long.len(), 94);
    let messages = conversation(&[long.clone()]);
    for rule in RULES {
        let ids = WireIds::new(rule, messages.iter());
        assert!(rule.takes(ids.get(&long)), "{rule:?}: {}", ids.get(&long));
    }
}

#[test]
fn v10_two_ids_never_become_one() {
    let ids: Vec<String> = (0..2_000)
        .map(|number| format!("call|{number}"))
        .chain((0..500).map(|number| format!("plain{number:04}")))
        .collect();
    let messages = conversation(&ids);
    for rule in RULES {
        let wire = WireIds::new(rule, messages.iter());
        let sent: HashSet<&str> = ids.iter().map(|id| wire.get(id)).collect();
        assert_eq!(sent.len(), ids.len(), "{rule:?}");
    }
}

#[test]
fn v10_an_id_that_looks_like_a_replacement_keeps_its_own() {
    let foreign = "call|1".to_owned();
    let squatter = IdRule::Nine.replace(&foreign, 0);
    let messages = conversation(&[foreign.clone(), squatter.clone()]);
    let ids = WireIds::new(IdRule::Nine, messages.iter());
    assert_eq!(ids.get(&squatter), squatter);
    assert_ne!(ids.get(&foreign), squatter);
}

#[test]
fn an_id_is_replaced_the_same_way_when_the_conversation_grows() {
    let ids = ["a|1".to_owned(), "b|2".to_owned()];
    let (short, long) = (conversation(&ids[..1]), conversation(&ids));
    for rule in RULES {
        assert_eq!(WireIds::new(rule, short.iter()).get("a|1"), WireIds::new(rule, long.iter()).get("a|1"));
    }
}

#[test]
fn names_are_plain() {
    assert_eq!(wire_name("read"), "read");
    assert_eq!(wire_name("mcp.files/read é"), "mcp_files_read__");
    assert_eq!(wire_name(""), "invalid");
    assert_eq!(wire_name(&"x".repeat(100)).len(), 64);
}
