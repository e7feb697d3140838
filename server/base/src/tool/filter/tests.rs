use super::super::{Handler, parse_tool_file};
use super::*;

/// The filter of a tool whose handler has these fields besides type and bin.
fn filter(fields: &str) -> ArgumentFilter {
    let text = format!(
        r#"{{"schema":{{"type":"function","function":{{"name":"x","description":"d","parameters":
        {{"type":"object","properties":{{"args":{{"type":"array","items":{{"type":"string"}}}}}}}}}}}},
        "handler":{{"type":"exec","bin":"x"{fields}}}}}"#
    );
    match parse_tool_file("x.json", &text).unwrap().handler {
        Some(Handler::Exec(handler)) => handler.filter,
        other => panic!("{other:?}"),
    }
}

fn judge(filter: &ArgumentFilter, line: &str) -> Result<Judged, String> {
    filter.judge(&line.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>())
}

/// A table of a filter: each line is `+` (passes), `-` (refused) or `?` (asks), and arguments.
fn check(fields: &str, table: &str) {
    let filter = filter(fields);
    for row in table.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (wanted, line) = row.split_at(1);
        let judged = judge(&filter, line);
        let outcome = match &judged {
            Err(_) => "-",
            Ok(judged) if judged.doubts.is_empty() => "+",
            Ok(_) => "?",
        };
        assert_eq!(outcome, wanted, "{fields}: {line}: {judged:?}");
    }
}

#[test]
fn b08_a_denied_flag_is_denied_in_every_spelling() {
    check(
        r#","denyArgs":["-coverprofile","-exec","-toolexec"]"#,
        "
        - -exec
        - --exec
        - -exec=x
        - --exec=x
        - --exec x
        - -execx
        - -toolexec x
        - --coverprofile=x
        + -cover
        + --cover
        + -c -o x
        + ./... -run Exec
        + exec
        + -v -- -exec
        + -v -- --exec=x
        - -exec -- x
        + -
        + --
        ",
    );
}

#[test]
fn an_abbreviation_of_a_denied_long_flag_is_denied() {
    check(
        r#","denyArgs":["--upload-pack","-o"]"#,
        "
        - --upload-pack=x
        - --upload-pa=x
        - --up x
        - --u
        + -u
        + --update
        - -o
        - -ofile
        - --output
        + file
        ",
    );
}

#[test]
fn a_denied_word_is_a_prefix_wherever_it_stands() {
    check(
        r#","denyArgs":["push"]"#,
        "
        - push
        - pushall
        - -v -- push
        + -push
        + pull
        ",
    );
}

#[test]
fn an_allow_list_lets_only_its_prefixes_pass() {
    check(
        r#","allowArgs":["--stat","src/"]"#,
        "
        + --stat
        + --stat=80
        + src/a.rs
        - --output=x
        - lib/a.rs
        - -- lib
        +
        ",
    );
}

#[test]
fn beside_a_deny_list_an_allow_list_has_no_effect() {
    let fields = r#","allowArgs":["--stat"],"denyArgs":["-o"]"#;
    check(fields, "+ anything\n - -o");
    assert!(filter(fields).ignores_allow());
    assert!(!filter(r#","denyArgs":["-o"]"#).ignores_allow());
}

#[test]
fn options_are_a_closed_list() {
    check(
        r#","options":[{"name":"--stat"},{"name":"-n","value":"text"},{"name":"--max-count","value":"text"},
           {"name":"--color","value":"text","optional":true},{"name":"-run","value":"text"}],"operands":"path-in""#,
        "
        + --stat a b
        ? --stat=x
        ? --sta
        ? -stat
        + -n 5
        ? -n5
        - -n
        + --max-count=5
        + --max-count 5
        ? --max-coun=5
        + --color a
        + --color=always a
        + -run Test
        + -run=Test
        ? -runTest
        ? --output=x
        ? -x
        + -- --output
        +
        ",
    );
    check(r#","options":[],"operands":"none""#, "- a\n ? -a\n +");
    // Without long options of one dash a value may be glued; `-vv` is `-v` twice, and no such option.
    let short = r#","options":[{"name":"-n","value":"text"},{"name":"-vv"}],"operands":"none""#;
    check(short, "+ -n5\n + -n 5\n + -vv\n ? -v\n ? -vvv");
}

#[test]
fn values_come_with_their_kind() {
    let filter = filter(
        r#","options":[{"name":"-o","value":"path-out"},{"name":"--from","value":"url"},{"name":"-q"}],"operands":"path-in""#,
    );
    let judged = judge(&filter, "-q -o out.txt --from=http://h -- -q ../x").unwrap();
    let value = |kind, text: &str| Value { kind, text: text.into() };
    let wanted = [
        value(ValueKind::PathOut, "out.txt"),
        value(ValueKind::Url, "http://h"),
        value(ValueKind::PathIn, "-q"),
        value(ValueKind::PathIn, "../x"),
    ];
    assert_eq!(judged, Judged { values: wanted.into(), ..Judged::default() });
    let open = ArgumentFilter::default();
    assert_eq!(judge(&open, "a -b").unwrap().unknown, ["a", "-b"]);
}

#[test]
fn a_refusal_names_argument_and_rule() {
    let deny = filter(r#","denyArgs":["-exec"]"#);
    let reason = judge(&deny, "--exec=x").unwrap_err();
    assert!(reason.contains("`--exec=x`") && reason.contains("`-exec`"), "{reason}");
    let allow = filter(r#","allowArgs":["--stat"]"#);
    let reason = judge(&allow, "x").unwrap_err();
    assert!(reason.contains("`x`") && reason.contains("`--stat`"), "{reason}");
    assert!(allow.judge(&["--stat\0".into()]).is_err());
}

proptest::proptest! {
    /// A longer deny list never lets more pass.
    #[test]
    fn a_deny_rule_never_loosens(
        deny in proptest::collection::vec("-{0,2}[ab]{0,3}", 0..3),
        more in "-{0,2}[ab]{1,3}",
        arguments in proptest::collection::vec("-{0,2}[ab=]{0,4}", 0..4),
    ) {
        let filter = |deny: Vec<String>| ArgumentFilter { deny, ..ArgumentFilter::default() };
        let longer = deny.iter().cloned().chain([more]).collect();
        if filter(deny).judge(&arguments).is_err() {
            proptest::prop_assert!(filter(longer).judge(&arguments).is_err());
        }
    }
}
