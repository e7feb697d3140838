use super::*;
use serde_json::json;

fn place(line: u32, column: u32) -> Place {
    Place { line, column }
}

#[test]
fn json_keeps_values_and_places() {
    let text =
        "{\n  \"a\": [1, -2.5e3, \"x\\n\\\"\\ud83d\\ude42\"],\n  \"é\": {\"b\": null}, \"c\": true\n}\n";
    let node = from_json("f", text).unwrap();
    assert_eq!(node.to_value(), serde_json::from_str::<Value>(text).unwrap());
    let Kind::Map(entries) = &node.kind else { panic!() };
    assert_eq!(entries[1].place, place(3, 3));
    assert_eq!(entries[2].place, place(3, 21));
    let Kind::List(items) = &entries[0].value.kind else { panic!() };
    assert_eq!(items[1].place, place(2, 12));
    let problem = from_json("f.json", "{\n \"a\": }").unwrap_err();
    assert_eq!(problem.to_string(), "f.json:2:7: not valid JSON: expected value");
    assert!(from_json("f", &"[".repeat(100_000)).is_err());
}

#[test]
fn yaml_keeps_values_and_places() {
    let text = "model: a/b\nyes: yes\nn: [1, 2.5, ~, 'true', true]\npolicy:\n  bash:\n    - \"git *\"\n";
    let node = from_yaml("f", text).unwrap();
    let wanted = json!({"model": "a/b", "yes": "yes", "n": [1, 2.5, null, "true", true], "policy": {"bash": ["git *"]}});
    assert_eq!(node.to_value(), wanted);
    let Kind::Map(entries) = &node.kind else { panic!() };
    assert_eq!(entries[3].place, place(4, 1));
    assert_eq!(from_yaml("f", "").unwrap().kind, Kind::Null);
    assert_eq!(from_yaml("f", "# only a comment\n").unwrap().kind, Kind::Null);
}

#[test]
fn yaml_refuses_what_could_mean_something_else() {
    let refused = |text: &str| from_yaml("f.yaml", text).expect_err(text);
    assert_eq!(refused("bash:\n  *: deny\n").line, 2);
    for text in [
        "a: &x 1\nb: *x\n",
        "a: !!binary x\n",
        "a: 1\n---\nb: 2\n",
        "? [1]\n: 2\n",
        "<<: {a: 1}\n",
        "a: [",
        "a: *",
    ] {
        refused(text);
    }
    refused(&"[".repeat(100));
    refused(&"[".repeat(100_000));
}

#[test]
fn g1_a_key_given_twice_never_silently_wins() {
    for node in
        [from_json("f", r#"{"bash": "deny", "bash": "allow"}"#), from_yaml("f", "bash: deny\nbash: allow\n")]
    {
        let mut reader = Reader::new("f");
        assert_eq!(reader.entries(&node.unwrap(), "policy").len(), 1);
        let problems = reader.into_problems();
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].key, "policy.bash");
        assert!(problems[0].message.contains("twice"));
    }
}

#[test]
fn g1_an_unknown_key_names_the_one_that_was_meant() {
    let node = from_yaml("assent.yaml", "\nmodle: x\n").unwrap();
    let mut reader = Reader::new("assent.yaml");
    reader.fields(&node, "", &["model", "agents"]);
    let problems = reader.into_problems();
    assert_eq!(problems[0].to_string(), "assent.yaml:2:1: `modle`: unknown key; did you mean `model`?");
}
