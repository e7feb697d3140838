use super::*;

fn variables(set: &'static [(&str, &str)]) -> impl Fn(&str) -> Option<String> + Send + Sync + 'static {
    move |name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
}

#[test]
fn named_folders_win() {
    let environment =
        environment(None, variables(&[("ASSENT_CONFIG_DIR", "/c"), ("ASSENT_STATE_DIR", "/s")])).unwrap();
    assert_eq!((environment.config, environment.state), (PathBuf::from("/c"), PathBuf::from("/s")));
    assert_eq!(environment.tools, PathBuf::from("/c/tools"));
}

#[test]
fn without_a_home_it_says_what_to_set() {
    let error = environment(None, variables(&[("ASSENT_CONFIG_DIR", "")])).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("ASSENT_CONFIG_DIR"), "{error}");
}

#[cfg(unix)]
#[test]
fn what_is_private_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("a/b");
    private_folder(&folder).unwrap();
    private_file().write(true).open(folder.join("f")).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join("f"))), (0o700, 0o600));
}
