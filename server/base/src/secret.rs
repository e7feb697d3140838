//! Secrets in what would be sent to a model: files that hold nothing else, and tokens whose shape
//! says what they are. What is found is replaced by a placeholder that says what it was.
//!
//! This is a net, not a wall: a secret without a shape, in a file without a name for it, goes through.

use crate::path::is_env_with_values;
use regex::{Captures, Regex, RegexSet};
use std::borrow::Cow;
use std::path::Path;
use std::sync::LazyLock;

/// What every placeholder begins with. A text with one in it must not be written back.
pub const PLACEHOLDER: &str = "[kept secret: ";

/// Shorter values of a file of secrets (`true`, `8080`) are no secrets.
const SHORTEST_VALUE: usize = 6;
/// Shorter passwords in addresses are those of examples and local databases.
const SHORTEST_PASSWORD: usize = 12;

/// What a file of secrets holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretFile {
    /// Names with values: the names may be seen.
    Values,
    /// One secret, or a form of its own: nothing of it may be seen.
    Whole,
}

/// Files of secrets by name, folded.
const NAMES: [(&str, SecretFile); 20] = [
    (".netrc", SecretFile::Whole),
    ("_netrc", SecretFile::Whole),
    (".npmrc", SecretFile::Values),
    (".pypirc", SecretFile::Values),
    (".git-credentials", SecretFile::Whole),
    (".pgpass", SecretFile::Whole),
    (".my.cnf", SecretFile::Values),
    (".htpasswd", SecretFile::Whole),
    (".dockercfg", SecretFile::Whole),
    (".vault-token", SecretFile::Whole),
    ("id_rsa", SecretFile::Whole),
    ("id_dsa", SecretFile::Whole),
    ("id_ecdsa", SecretFile::Whole),
    ("id_ecdsa_sk", SecretFile::Whole),
    ("id_ed25519", SecretFile::Whole),
    ("id_ed25519_sk", SecretFile::Whole),
    ("credentials.tfrc.json", SecretFile::Whole),
    ("application_default_credentials.json", SecretFile::Whole),
    ("kubeconfig", SecretFile::Whole),
    (".s3cfg", SecretFile::Values),
];

/// The same where the folder says what the file is.
const IN_FOLDER: [(&str, &str, SecretFile); 8] = [
    (".aws", "credentials", SecretFile::Values),
    (".azure", "accesstokens.json", SecretFile::Whole),
    (".docker", "config.json", SecretFile::Whole),
    (".kube", "config", SecretFile::Whole),
    (".cargo", "credentials.toml", SecretFile::Values),
    (".cargo", "credentials", SecretFile::Values),
    (".gem", "credentials", SecretFile::Values),
    ("gh", "hosts.yml", SecretFile::Whole),
];

const EXTENSIONS: [&str; 9] = ["pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "ppk", "asc"];

/// Whether a file holds secrets by its name. Case, and the places where files of this name lie, do
/// not matter.
pub fn file_of_secrets(path: &Path) -> Option<SecretFile> {
    let folded = |name: &std::ffi::OsStr| name.to_string_lossy().to_lowercase();
    let name = folded(path.file_name()?);
    if name == ".env" || name == ".envrc" || is_env_with_values(&name) {
        return Some(SecretFile::Values);
    }
    if let Some((_, kind)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*kind);
    }
    let folder = path.parent().and_then(Path::file_name).map(folded);
    if let Some((.., kind)) =
        IN_FOLDER.iter().find(|(outer, inner, _)| *inner == name && folder.as_deref() == Some(*outer))
    {
        return Some(*kind);
    }
    let (stem, extension) = name.rsplit_once('.')?;
    // `README.asc` is somebody's signature; a public half is public.
    let public =
        stem.ends_with("public") || stem.ends_with(".pub") || extension == "asc" && stem.contains('.');
    (EXTENSIONS.contains(&extension) && !public).then_some(SecretFile::Whole)
}

/// Tokens by their shape. What the group `secret` holds is the secret, else all of it.
const SHAPES: [(&str, &str); 27] = [
    (
        "private key",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\z)",
    ),
    ("AWS access key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    (
        "AWS secret key",
        r#"(?i)aws_?secret_?(?:access_?)?key["'\s]*[:=]["'\s]*(?P<secret>[a-z0-9/+]{40})(?:[^a-z0-9/+=]|\z)"#,
    ),
    ("GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"),
    ("GitHub token", r"\bgithub_pat_[A-Za-z0-9_]{22,255}\b"),
    ("GitLab token", r"\bgl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{20,}"),
    ("Slack token", r"\bxox[abeposr]-[A-Za-z0-9-]{10,}"),
    ("Slack webhook", r"https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}"),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    ("OpenRouter key", r"\bsk-or-v1-[A-Za-z0-9]{32,}"),
    ("OpenAI key", r"\bsk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}"),
    ("API key", r"\bsk-[A-Za-z0-9]{32,}\b"),
    ("Google key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("Google token", r"\bya29\.[A-Za-z0-9_-]{30,}"),
    ("Stripe key", r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("Stripe secret", r"\bwhsec_[A-Za-z0-9+/=]{24,}"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("PyPI token", r"\bpypi-[A-Za-z0-9_-]{50,}"),
    ("crates.io token", r"\bcio[A-Za-z0-9]{32}\b"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}\b"),
    ("DigitalOcean token", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,}"),
    ("Azure key", r"\bAccountKey=(?P<secret>[A-Za-z0-9+/]{60,}={0,2})"),
    ("Databricks token", r"\bdapi[0-9a-f]{32}\b"),
    ("age key", r"\bAGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    ("web token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
    ("password", r"\b[a-z][a-z0-9+.-]*://[^\s/:@'\x22<>]+:(?P<secret>[^\s/@'\x22<>{}$]+)@"),
];

struct Shapes {
    any: RegexSet,
    each: Vec<(&'static str, Regex)>,
}

/// Compiled when the first text is looked through.
static COMPILED: LazyLock<Shapes> = LazyLock::new(|| Shapes {
    any: RegexSet::new(SHAPES.map(|(_, pattern)| pattern)).expect("a test compiles the shapes"),
    each: SHAPES
        .iter()
        .map(|(kind, pattern)| (*kind, Regex::new(pattern).expect("a test compiles the shapes")))
        .collect(),
});

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden<'a> {
    /// The text that may be sent.
    pub text: Cow<'a, str>,
    /// What was replaced, in no particular order.
    pub kinds: Vec<&'static str>,
}

/// The text without tokens whose shape gives them away.
pub fn hide(text: &str) -> Hidden<'_> {
    let mut hidden = Hidden { text: Cow::Borrowed(text), kinds: Vec::new() };
    for at in COMPILED.any.matches(text) {
        let (kind, shape) = &COMPILED.each[at];
        let mut found = 0;
        let replaced = shape.replace_all(&hidden.text, |captures: &Captures<'_>| {
            let whole = captures.get(0).map_or("", |whole| whole.as_str());
            let secret = captures.name("secret").map_or(whole, |secret| secret.as_str());
            if *kind == "password" && secret.len() < SHORTEST_PASSWORD || secret.starts_with(PLACEHOLDER) {
                return whole.to_owned();
            }
            found += 1;
            whole.replacen(secret, &placeholder(kind, secret), 1)
        });
        if found > 0 {
            hidden.text = Cow::Owned(replaced.into_owned());
            hidden.kinds.extend(std::iter::repeat_n(*kind, found));
        }
    }
    hidden
}

/// What is shown of a file of secrets, perhaps with line numbers before its lines.
pub fn hide_file(text: &str, kind: SecretFile) -> Hidden<'_> {
    match kind {
        SecretFile::Whole => Hidden {
            text: Cow::Owned(placeholder("the content of this file", text)),
            kinds: vec!["file of secrets"],
        },
        SecretFile::Values => {
            static LINE: LazyLock<Regex> = LazyLock::new(|| {
                Regex::new(r"(?m)^(?P<name>[^=:\r\n]*[A-Za-z_][^=:\r\n]*[=:][ \t]*)(?P<value>[^\r\n]+?)(?P<end>[ \t]*\r?)$")
                    .expect("a test uses it")
            });
            let mut kinds = Vec::new();
            let replaced = LINE.replace_all(text, |captures: &Captures<'_>| {
                let part = |name| captures.name(name).map_or("", |part| part.as_str());
                let value = part("value");
                if value.len() < SHORTEST_VALUE || part("name").trim_start().starts_with('#') {
                    return captures[0].to_owned();
                }
                kinds.push("value");
                format!("{}{}{}", part("name"), placeholder("value", value), part("end"))
            });
            Hidden { text: replaced, kinds }
        }
    }
}

/// Whether a text holds a placeholder.
pub fn has_placeholder(text: &str) -> bool {
    static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\[kept secret: [^\]\n]{1,40}, [0-9]+ characters\]").expect("a test uses it")
    });
    text.contains(PLACEHOLDER) && WHOLE.is_match(text)
}

/// What stands in the place of a secret.
fn placeholder(kind: &str, secret: &str) -> String {
    format!("{PLACEHOLDER}{kind}, {} characters]", secret.chars().count())
}

#[cfg(test)]
mod tests;
