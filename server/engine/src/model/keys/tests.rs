use super::*;

fn keys() -> (tempfile::TempDir, Keys) {
    let state = tempfile::tempdir().unwrap();
    let keys = Keys::of(&state.path().join("state"));
    (state, keys)
}

fn refusal(keys: &Keys, provider: &str, host: &str) -> String {
    keys.stored(provider, host).map(|_| ()).unwrap_err()
}

#[test]
fn a_key_is_for_the_host_it_was_stored_for() {
    let (_state, keys) = keys();
    assert!(keys.stored("a", "h:443").unwrap().is_none());
    keys.store("a", "h:443", " the-key\n").unwrap();
    assert!(keys.stored("a", "h:443").unwrap().is_some());
    assert!(keys.stored("b", "h:443").unwrap().is_none());
    let words = refusal(&keys, "a", "evil:443");
    assert!(words.contains("stored for h:443") && words.contains("evil:443"), "{words}");
    keys.look();
    assert!(keys.has("a", "h:443") && !keys.has("a", "evil:443"));
    assert_eq!(keys.list().unwrap(), [("a".to_owned(), "h:443".to_owned())]);
    assert!(keys.remove("a").unwrap() && !keys.remove("a").unwrap());
    assert!(keys.stored("a", "h:443").unwrap().is_none());
}

#[cfg(unix)]
#[test]
fn the_file_is_the_users_alone_and_another_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let (_state, keys) = keys();
    keys.store("a", "h:443", "the-key").unwrap();
    let file = keys.file().unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(file), mode(file.parent().unwrap())), (0o600, 0o700));
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o640)).unwrap();
    assert!(refusal(&keys, "a", "h:443").contains("chmod 600"));
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600)).unwrap();
    let elsewhere = file.with_file_name("moved");
    std::fs::rename(file, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, file).unwrap();
    assert!(refusal(&keys, "a", "h:443").contains("can't be used"));
    std::fs::remove_file(file).unwrap();
    std::fs::write(&elsewhere, "{").unwrap();
    std::fs::rename(&elsewhere, file).unwrap();
    assert!(refusal(&keys, "a", "h:443").contains("can't be used"));
    // What can't be read is not written over.
    assert!(keys.store("b", "h:443", "x").is_err());
    assert_eq!(std::fs::read_to_string(file).unwrap(), "{");
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_is_asked_once_until_its_answer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let script = format!("echo x >> {0}; echo the-key; echo more", count.display());
    let command = ["/bin/sh".to_owned(), "-c".to_owned(), script];
    let asked = || std::fs::read_to_string(&count).unwrap_or_default().lines().count();
    let keys = Keys::default();
    for _ in 0..2 {
        keys.answer_of(&command).await.unwrap();
    }
    assert_eq!(asked(), 1);
    keys.refused(Some(&command));
    keys.answer_of(&command).await.unwrap();
    assert_eq!(asked(), 2);
}

#[cfg(unix)]
#[tokio::test]
async fn a_command_that_fails_says_why() {
    let keys = Keys::default();
    let words = async |script: &str| {
        let command = ["/bin/sh".to_owned(), "-c".to_owned(), script.to_owned()];
        keys.answer_of(&command).await.map(|_| ()).unwrap_err()
    };
    assert!(words("echo locked >&2; exit 3").await.contains("exit status: 3. locked"));
    assert!(words("true").await.contains("answered nothing"));
    let missing = keys.answer_of(&["no-such-program-here".to_owned()]).await.map(|_| ()).unwrap_err();
    assert!(missing.contains("could not be started"), "{missing}");
}
