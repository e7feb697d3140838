use super::*;

/// Made up, and put together here so that no scanner takes this file for a leak.
fn samples() -> Vec<(&'static str, String)> {
    let long = "Ab3".repeat(30);
    vec![
        ("AWS access key", format!("AKIA{}", "ABCDEFGHIJ234567")),
        ("AWS secret key", format!("aws_secret_access_key = {}", &long[..40])),
        ("GitHub token", format!("ghp_{}", &long[..36])),
        ("GitHub token", format!("github_pat_{}", &long[..40])),
        ("GitLab token", format!("glpat-{}", &long[..20])),
        ("Slack token", format!("xoxb-{}", &long[..24])),
        ("Slack webhook", format!("https://hooks.slack.com/services/{}", &long[..30])),
        ("Anthropic key", format!("sk-ant-api03-{}", &long[..60])),
        ("OpenRouter key", format!("sk-or-v1-{}", &long[..64])),
        ("OpenAI key", format!("sk-proj-{}", &long[..48])),
        ("API key", format!("sk-{}", &long[..48])),
        ("Google key", format!("AIza{}", &long[..35])),
        ("Stripe key", format!("sk_live_{}", &long[..24])),
        ("npm token", format!("npm_{}", &long[..36])),
        ("PyPI token", format!("pypi-{}", &long[..60])),
        ("Hugging Face token", format!("hf_{}", &long[..34])),
        ("Azure key", format!("AccountName=a;AccountKey={}==", &long[..86])),
        ("web token", format!("eyJ{}.eyJ{}.{}", &long[..20], &long[..30], &long[..40])),
        ("password", "postgres://app:correct-horse-battery@db.example.com/x".to_owned()),
        (
            "private key",
            format!("-----BEGIN {0}PRIVATE KEY-----\nabc\ndef\n-----END {0}PRIVATE KEY-----", "RSA "),
        ),
    ]
}

#[test]
fn tokens_are_found_by_their_shape_wherever_they_stand() {
    for (kind, sample) in samples() {
        for around in [("", ""), ("key: \"", "\"\n"), ("    12\tlet x = '", "';"), ("(", ")"), ("a=", " b")] {
            let text = format!("{}{sample}{}", around.0, around.1);
            let hidden = hide(&text);
            assert_eq!(hidden.kinds, [kind], "{text}");
            assert!(hidden.text.starts_with(around.0) && hidden.text.ends_with(around.1), "{}", hidden.text);
            assert!(hidden.text.contains(&format!("{PLACEHOLDER}{kind}, ")), "{}", hidden.text);
            // Twice is as good as once.
            assert_eq!(hide(&hidden.text).kinds, Vec::<&str>::new(), "{}", hidden.text);
        }
    }
}

#[test]
fn a_key_that_is_cut_is_hidden_to_its_end() {
    let text = format!("before\n-----BEGIN {}PRIVATE KEY-----\nabc\nstill the key", "EC ");
    assert!(!hide(&text).text.contains("still"));
}

#[test]
fn ordinary_code_is_left_alone() {
    for text in [
        "fn sk_live() {}",
        "postgres://postgres:postgres@localhost/db",
        "http://user:${PASSWORD_OF_THE_USER}@host/",
        "sk-learn and sk-1",
        "AKIA",
        "npm_config_cache",
        "https://example.com:8080/a@b",
        "x: eyJ.eyJ.z",
        "let hash = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\";",
        "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----",
        "",
        "mailto:someone@example.com",
        "scp://host:a/long/path/without@password",
    ] {
        assert_eq!(hide(text), Hidden { text: Cow::Borrowed(text), kinds: Vec::new() });
    }
}

#[test]
fn files_of_secrets_are_known_by_name() {
    let kind = |path: &str| file_of_secrets(Path::new(path));
    for path in
        [".env", "a/.ENV", "/x/.env.local", ".env.production", ".envrc", ".npmrc", "h/.aws/credentials"]
    {
        assert_eq!(kind(path), Some(SecretFile::Values), "{path}");
    }
    for path in [
        "id_rsa",
        ".ssh/id_ed25519",
        "tls/server.key",
        "a.PEM",
        ".netrc",
        ".docker/config.json",
        ".kube/config",
        "store.p12",
    ] {
        assert_eq!(kind(path), Some(SecretFile::Whole), "{path}");
    }
    for path in [
        ".env.example",
        ".env.sample",
        ".env.template",
        "config.json",
        "credentials",
        "src/key.rs",
        "id_rsa.pub",
        "server.public.pem",
        "release.tar.gz.asc",
        "config",
        "environment",
        "",
    ] {
        assert_eq!(kind(path), None, "{path}");
    }
}

#[test]
fn of_a_file_of_values_the_names_are_seen() {
    let text = "# how to: use\nDEBUG=true\nexport TOKEN=abcdef123\r\n     7\tURL: \"https://x\"\nempty=\nplain words\n";
    let hidden = hide_file(text, SecretFile::Values);
    let shown = "# how to: use\nDEBUG=true\nexport TOKEN=[kept secret: value, 9 characters]\r\n     7\tURL: [kept secret: value, 11 characters]\nempty=\nplain words\n";
    assert_eq!(hidden.text, shown);
    assert_eq!(hidden.kinds.len(), 2);
    let whole = hide_file("line\nline\n", SecretFile::Whole);
    assert!(!whole.text.contains("line"), "{}", whole.text);
}
