use super::*;

#[test]
fn secrets_do_not_reach_the_file() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let variables = [
        ("ANTHROPIC_API_KEY", "sk-secret-value"),
        ("Work_Token", "sk-secret-value-longer"),
        ("API_KEY", "short"),
        ("HOME", "somewhere-else"),
    ];
    let secrets = secrets(variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into_iter());
    let mut log = Redacting { file: Arc::new(file.reopen().unwrap()), secrets: secrets.into() };
    log.write_all(b"a sk-secret-value-longer b sk-secret-value c short somewhere-else\n").unwrap();
    assert_eq!(
        std::fs::read_to_string(file.path()).unwrap(),
        "a [secret] b [secret] c short somewhere-else\n"
    );
}
