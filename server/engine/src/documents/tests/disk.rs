use super::*;
use std::fs;
use tempfile::TempDir;

async fn text_at(path: &Path) -> Result<String, LoadError> {
    let reader = OpenDocuments::new().reader();
    load(&reader, &Texts::default(), &session(), path).await.map(|snapshot| snapshot.text.to_string())
}

#[tokio::test]
async fn an_open_document_is_its_buffer() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("a b.txt");
    fs::write(&path, "disk").unwrap();
    let documents = opened(&path, "buffer");
    let snapshot = load(&documents.reader(), &Texts::default(), &session(), &path).await.unwrap();
    assert_eq!((snapshot.text.to_string(), snapshot.is_open()), ("buffer".into(), true));
    assert!(has_unsaved_changes(&snapshot).await);
    assert!(!has_unsaved_changes(&opened(&path, "disk").reader().all()[0]).await);
}

#[cfg(unix)]
#[tokio::test]
async fn an_open_document_is_found_through_a_link() {
    let dir = TempDir::new().unwrap();
    let (path, link) = (dir.path().join("a.txt"), dir.path().join("link.txt"));
    fs::write(&path, "disk").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let documents = opened(&path, "buffer");
    let snapshot = load(&documents.reader(), &Texts::default(), &session(), &link).await.unwrap();
    assert_eq!(snapshot.text, "buffer");
    assert_eq!(snapshot.uri, DocumentUri::from_path(&path));
}

#[tokio::test]
async fn a_client_that_keeps_files_knows_better_than_the_disk() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("a.txt");
    fs::write(&path, "disk").unwrap();
    let texts = Texts(HashMap::from([(DocumentUri::from_path(&path), "client".to_owned())]));
    let snapshot = load(&OpenDocuments::new().reader(), &texts, &session(), &path).await.unwrap();
    assert_eq!(
        (snapshot.text.to_string(), snapshot.dirty, snapshot.is_open()),
        ("client".into(), true, false)
    );
}

#[tokio::test]
async fn r1_what_is_no_file_is_an_error_at_once() {
    let dir = TempDir::new().unwrap();
    let shown = |name: &str| dir.path().join(name).display().to_string();
    assert_eq!(text_at(&dir.path().join("gone")).await, Err(LoadError::NotFound(shown("gone"))));
    fs::create_dir(dir.path().join("dir")).unwrap();
    assert_eq!(text_at(&dir.path().join("dir")).await, Err(LoadError::Directory(shown("dir"))));
    fs::write(dir.path().join("empty"), "").unwrap();
    assert_eq!(text_at(&dir.path().join("empty")).await, Ok(String::new()));
    #[cfg(unix)]
    {
        let fifo = dir.path().join("fifo");
        rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RWXU).unwrap();
        assert_eq!(text_at(&fifo).await, Err(LoadError::NotRegular(shown("fifo"))));
        assert_eq!(text_at(Path::new("/dev/zero")).await, Err(LoadError::NotRegular("/dev/zero".into())));
    }
}

#[tokio::test]
async fn r2_the_bytes_say_what_it_is() {
    let dir = TempDir::new().unwrap();
    let path = |name: &str| dir.path().join(name);
    fs::write(path("shot.png"), b"\xFF\xD8\xFF\xE0rest").unwrap();
    fs::write(path("icon.png"), "{\"ok\":true}").unwrap();
    fs::write(path("bin"), b"find\0me").unwrap();
    let reader = OpenDocuments::new().reader();
    let Loaded::Image(image) =
        load_any(&reader, &Texts::default(), &session(), &path("shot.png")).await.unwrap()
    else {
        panic!("an image")
    };
    assert_eq!(image.media_type, "image/jpeg");
    assert_eq!(text_at(&path("icon.png")).await, Ok("{\"ok\":true}".into()));
    assert_eq!(text_at(&path("bin")).await, Err(LoadError::Binary(path("bin").display().to_string())));
}

#[tokio::test]
async fn a_written_file_comes_back_as_it_was_but_for_the_text() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("new/deep/a.txt");
    for bytes in [&b"\xEF\xBB\xBFk;v\r\n"[..], b"x=1", b"", b"a=1\r\nb=2\n"] {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        let snapshot =
            load(&OpenDocuments::new().reader(), &Texts::default(), &session(), &path).await.unwrap();
        fs::remove_dir_all(dir.path().join("new")).unwrap();
        write_atomic(&path, &snapshot.text, &snapshot.format).await.unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn e7_the_file_object_stays_the_same() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("bin")).unwrap();
    let (script, link) = (dir.path().join("bin/go.sh"), dir.path().join("go.sh"));
    fs::write(&script, "echo 1\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("bin/go.sh", &link).unwrap();
    let snapshot = load(&OpenDocuments::new().reader(), &Texts::default(), &session(), &link).await.unwrap();
    write_atomic(&link, &Rope::from("echo 2\n"), &snapshot.format).await.unwrap();

    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&script).unwrap(), "echo 2\n");
    assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o7777, 0o755);
    assert_eq!(fs::read_dir(dir.path().join("bin")).unwrap().count(), 1);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[tokio::test]
async fn a_write_that_fails_leaves_the_old_file_and_nothing_else() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let format = assent_base::text::Format::of_text("old");
    let error = write_atomic(&path, &Rope::from("new"), &format).await.unwrap_err().to_string();
    assert_eq!(error, format!("{} can't be written: it is read-only.", path.display()));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    let into_a_file = write_atomic(&path.join("b"), &Rope::from("new"), &format).await;
    assert!(into_a_file.is_err());
}
