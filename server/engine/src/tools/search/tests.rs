use super::*;

#[test]
fn a_pattern_without_a_slash_is_about_names() {
    for (pattern, path, matches) in [
        ("*.rs", "src/deep/a.rs", true),
        ("./*.rs", "a.rs", true),
        ("src/*.rs", "src/a.rs", true),
        ("src/*.rs", "src/deep/a.rs", false),
        ("src/**/*.rs", "src/deep/a.rs", true),
        ("**/a.*", "a.rs", true),
        ("*.{ts,tsx}", "x/b.tsx", true),
    ] {
        let names = Names::new(pattern).unwrap();
        assert_eq!(names.matches(Path::new(path)), matches, "{pattern} {path}");
    }
}

#[test]
fn hidden_files_are_meant_when_named() {
    for (pattern, hidden) in
        [("*", false), ("**/*.yml", false), (".github/*.yml", true), ("**/.env", true), ("{.a,b}", true)]
    {
        assert_eq!(Names::new(pattern).unwrap().hidden, hidden, "{pattern}");
    }
}
