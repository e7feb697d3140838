use super::*;
use assent_base::tool::Content;

fn header(id: &str) -> Header {
    Header {
        version: VERSION,
        id: id.into(),
        folder: Some("/ws".into()),
        created: "2026-11-30T00:00:00Z".into(),
    }
}

fn user(text: &str) -> Entry {
    Entry::Chat(Record::User(vec![Content::Text(text.into())]))
}

#[tokio::test]
async fn entries_come_back_in_order() {
    let state = tempfile::tempdir().unwrap();
    let store = Store::new(state.path());
    let id = SessionId("s1".into());
    let log = store.create(header("s1")).await.unwrap();
    log.append(&Entry::Title("first".into())).await.unwrap();
    log.append(&user("hello")).await.unwrap();
    drop(log);
    let (_log, restored) = store.open(&id).await.unwrap();
    assert_eq!(restored.entries, [Entry::Title("first".into()), user("hello")]);
    assert_eq!(restored.notice, None);
    assert_eq!(store.list(None, None).await.rows[0].title, "first");
    assert!(store.list(Some("/elsewhere".into()), None).await.rows.is_empty());
}

/// cases.md G2.
#[tokio::test]
async fn a_torn_tail_is_cut_and_said() {
    let state = tempfile::tempdir().unwrap();
    let store = Store::new(state.path());
    let id = SessionId("s1".into());
    let log = store.create(header("s1")).await.unwrap();
    log.append(&user("one")).await.unwrap();
    log.append(&user("two")).await.unwrap();
    log.append(&user("n\u{20AC}")).await.unwrap();
    let path = log.path().to_owned();
    drop(log);
    let bytes = std::fs::read(&path).unwrap();
    let inside = bytes.windows(3).rposition(|w| w == "\u{20AC}".as_bytes()).unwrap() + 2;
    std::fs::write(&path, &bytes[..inside]).unwrap();

    let (log, restored) = store.open(&id).await.unwrap();
    assert_eq!(restored.entries, [user("one"), user("two")]);
    assert!(restored.notice.unwrap().contains("cut off"));
    log.append(&user("three")).await.unwrap();
    drop(log);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()), "{text}");
    assert_eq!(store.read(&id).await.unwrap().entries, [user("one"), user("two"), user("three")]);
}

/// cases.md G3 (b): the second opener of one session is refused.
#[tokio::test]
async fn one_window_at_a_time() {
    let state = tempfile::tempdir().unwrap();
    let store = Store::new(state.path());
    let id = SessionId("s1".into());
    let _log = store.create(header("s1")).await.unwrap();
    assert!(matches!(store.open(&id).await, Err(OpenError::InUse(_))));
    assert!(matches!(store.delete(&id).await, Err(OpenError::InUse(_))));
}

/// cases.md G3 (c): nothing is shared between sessions, so nothing can get lost.
#[tokio::test]
async fn two_windows_add_sessions_at_once() {
    let state = tempfile::tempdir().unwrap();
    let make = |window: &'static str| {
        let store = Store::new(state.path());
        async move {
            for n in 0..50 {
                store.create(header(&format!("{window}{n}"))).await.unwrap();
            }
        }
    };
    tokio::join!(make("a"), make("b"));
    assert_eq!(Store::new(state.path()).list(None, None).await.rows.len(), 100);
}

#[tokio::test]
async fn an_id_is_no_path() {
    let state = tempfile::tempdir().unwrap();
    let store = Store::new(state.path());
    for id in ["../x", "", "a/b", "a.b"] {
        assert!(matches!(store.open(&SessionId(id.into())).await, Err(OpenError::Unknown(_))), "{id}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn logs_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let state = tempfile::tempdir().unwrap();
    let log = Store::new(state.path()).create(header("s1")).await.unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(log.path()), mode(log.path().parent().unwrap())), (0o600, 0o700));
}

#[tokio::test]
async fn entries_of_one_write_come_back_in_order_and_a_torn_one_takes_none_before_it() {
    let state = tempfile::tempdir().unwrap();
    let store = Store::new(state.path());
    let id = SessionId("s1".into());
    let log = store.create(header("s1")).await.unwrap();
    log.append_all(&[Entry::Title("first".into()), user("one"), user("two")]).await.unwrap();
    log.append_all(&[]).await.unwrap();
    let path = log.path().to_owned();
    drop(log);
    let (log, restored) = store.open(&id).await.unwrap();
    assert_eq!(restored.entries, [Entry::Title("first".into()), user("one"), user("two")]);
    drop(log);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
    assert_eq!(store.read(&id).await.unwrap().entries, [Entry::Title("first".into()), user("one")]);
}

/// However far behind the first title the last one stands.
#[tokio::test]
async fn the_list_shows_the_last_title() {
    let state = tempfile::tempdir().unwrap();
    let store = Store::new(state.path());
    let id = SessionId("s1".into());
    let log = store.create(header("s1")).await.unwrap();
    log.append(&Entry::Title("first".into())).await.unwrap();
    log.append(&user(&"x".repeat(300_000))).await.unwrap();
    store.rename(&id, "second".into(), true).await.unwrap();
    log.append(&user(&"y".repeat(300_000))).await.unwrap();
    assert_eq!(store.list(None, None).await.rows[0].title, "second");
    assert!(matches!(store.rename(&id, "third".into(), false).await, Err(OpenError::InUse(_))));
    drop(log);
    store.rename(&id, "third".into(), false).await.unwrap();
    assert_eq!(store.list(None, None).await.rows[0].title, "third");
    let gone = SessionId("s2".into());
    for open_here in [true, false] {
        let renamed = store.rename(&gone, "none".into(), open_here).await;
        assert!(matches!(renamed, Err(OpenError::Unknown(_))), "{renamed:?}");
    }
}

#[tokio::test]
async fn pages_of_the_list_join_without_a_gap() {
    let state = tempfile::tempdir().unwrap();
    let store = Store::new(state.path());
    let count = crate::limits::SESSIONS_LISTED * 2 + 7;
    for n in 0..count {
        store.create(header(&format!("s{n:04}"))).await.unwrap();
    }
    let (mut ids, mut after, mut sizes) = (Vec::new(), None, Vec::new());
    loop {
        let page = store.list(None, after.take()).await;
        sizes.push(page.rows.len());
        ids.extend(page.rows.into_iter().map(|row| row.id.to_string()));
        match page.next {
            Some(next) => after = Some(next.to_string().parse().unwrap()),
            None => break,
        }
    }
    assert_eq!(sizes, [crate::limits::SESSIONS_LISTED, crate::limits::SESSIONS_LISTED, 7]);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
    assert!("soon".parse::<Cursor>().unwrap_err().contains("no cursor"));
}
