use super::*;
use assent_base::tool::parse_definition;

#[test]
fn every_shipped_definition_is_sound() {
    for built_in in BUILT_IN {
        let definition = parse_definition(built_in.file, built_in.json).unwrap();
        let tool = (built_in.make)(Arc::new(definition));
        assert_eq!(tool.definition().internal, built_in.file == "invalid.json");
    }
}

#[test]
fn what_the_model_is_offered_is_short_and_in_a_fixed_order() {
    let registry = Registry::built_in();
    let offered = registry.offered(|_| true);
    let names: Vec<_> = offered.iter().map(|definition| definition.name.as_str()).collect();
    let all = "read edit multiedit write ls glob grep bash todowrite todoread question plan reviewDiff";
    assert_eq!(names.join(" "), all);
    let bytes: usize =
        offered.iter().map(|tool| tool.description.len() + tool.parameters.to_string().len()).sum();
    assert!(bytes < 10_000, "{bytes}");
    assert_eq!(registry.offered(|name| name == "ls").len(), 1);
}

/// `tools/README.md` is a table of these definitions.
#[test]
fn the_readme_lists_the_tools() {
    let registry = Registry::built_in();
    let rows: Vec<String> = registry.entries.iter().map(|entry| row(entry.tool.definition())).collect();
    let table = format!(
        "| tool | arguments (? may be left out) | reads | writes | exec |\n|---|---|---|---|---|\n{}\n",
        rows.join("\n")
    );
    let readme = include_str!("../../../../../tools/README.md");
    assert!(readme.contains(&table), "tools/README.md should have this table:\n{table}");
}

fn row(definition: &Definition) -> String {
    let required = definition.parameters["required"].as_array().cloned().unwrap_or_default();
    let names = definition.parameters["properties"].as_object().into_iter().flat_map(Map::keys);
    let arguments: Vec<String> = names
        .map(|name| {
            let optional = !required.iter().any(|required| required == name);
            format!("{name}{}", if optional { "?" } else { "" })
        })
        .collect();
    let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
    let effects = definition.effects;
    format!(
        "| `{}` | {} | {} | {} | {} |",
        definition.name,
        arguments.join(", "),
        word(serde_json::to_value(effects.reads).unwrap()),
        word(serde_json::to_value(effects.writes).unwrap()),
        word(serde_json::to_value(effects.exec).unwrap()),
    )
}

#[test]
fn a_schema_is_compiled_with_the_first_call() {
    let registry = Registry::built_in();
    let compiled = |registry: &Registry| -> Vec<String> {
        let used = registry.entries.iter().filter(|entry| entry.schema.get().is_some());
        used.map(|entry| entry.tool.definition().name.clone()).collect()
    };
    assert_eq!(compiled(&registry), Vec::<String>::new());
    let arguments = Arguments::Object(Map::from_iter([("filePath".into(), "a".into())]));
    let call = Call { id: "1".into(), name: "read".into(), arguments };
    assert!(registry.check(&call).is_ok());
    assert_eq!(compiled(&registry), ["read"]);
}
