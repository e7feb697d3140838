use super::*;
use crate::conversation::peer::Dialect;
use assent_base::path::{PathClass, ResolvedPath};
use assent_base::policy::{CommandCall, ResolvedCall};
use assent_base::tool::Effects;
use assent_engine::editor::{Facts, ShownSandbox};
use assent_engine::event::SessionId;

fn approval(command: &str, remember: Option<&str>) -> Approval {
    let directory = ResolvedPath {
        given: ".".into(),
        absolute: "/ws".into(),
        canonical: "/ws".into(),
        class: PathClass::Project,
        protected: None,
    };
    Approval {
        id: "a1".into(),
        session: SessionId("s1".into()),
        title: "Run a command".into(),
        call: ResolvedCall {
            call_id: "c1".into(),
            tool: "bash".into(),
            subject: command.into(),
            effects: Effects::default(),
            paths: Vec::new(),
            command: Some(CommandCall::new(command.into(), directory, |_, _| None)),
            arguments: serde_json::Map::new(),
            program: None,
            notes: Vec::new(),
            unsandboxed: false,
        },
        shown_subject: command.into(),
        rule: "asks by default".into(),
        remember: remember.map(str::to_owned),
        warnings: vec!["1 hidden character".into()],
        agent_path: vec!["assent".into()],
        unsaved: vec![DocumentUri::new("file:///ws/a.rs")],
        can_save: true,
        sandbox: Some(ShownSandbox::none("it is off")),
        digest: "d1".into(),
        facts: Facts::default(),
    }
}

/// The request that asking leads to, and what its answer means.
async fn asked(approval: Approval, answer: Value) -> (Value, Answer) {
    let (peer, mut outbox) = Peer::new(Dialect::Lsp);
    let client = Capabilities::of(&Value::Null);
    let asking = tokio::spawn({
        let peer = peer.clone();
        async move { ask(&peer, &client, Path::new("/nowhere"), &approval).await }
    });
    let request = outbox.next().await.unwrap();
    peer.answered(&request["id"], Ok(answer));
    (request, asking.await.unwrap())
}

#[tokio::test]
async fn the_message_says_everything() {
    let (request, answer) = asked(approval("ls -l", Some("ls*")), json!({ "title": "Allow once" })).await;
    assert_eq!(answer, Answer::AllowOnce);
    assert_eq!(request["method"], "window/showMessageRequest");
    assert_eq!(
        request["params"],
        json!({
            "type": 2,
            "message": "Assent: Run a command\nls -l\nIn: /ws\nSandbox: none, it can do whatever you can: it is off\nWhy it asks: asks by default\n\
                        Warning: 1 hidden character\nNot saved, so a command sees the old text: file:///ws/a.rs\n\"Always\" saves the rule: ls*",
            "actions": [{ "title": "Allow once" }, { "title": "Allow in this session" },
                        { "title": "Always allow in this workspace" }, { "title": "Reject" }],
        })
    );
}

#[tokio::test]
async fn only_a_plain_yes_is_a_yes() {
    let no = Answer::Reject { feedback: None, stop: false };
    for unclear in
        [Value::Null, json!({}), json!({ "title": "allow once" }), json!("Allow once"), json!(true)]
    {
        assert_eq!(asked(approval("ls", None), unclear.clone()).await.1, no, "{unclear}");
    }
    let always = json!({ "title": ALLOW_ALWAYS });
    assert_eq!(asked(approval("ls", None), always.clone()).await.1, no);
    assert_eq!(
        asked(approval("ls", Some("ls")), always).await.1,
        Answer::Remember { span: Span::Workspace, rule: None }
    );
}

#[tokio::test]
async fn what_is_long_is_also_shown_as_a_document_while_it_is_asked() {
    let state = tempfile::tempdir().unwrap();
    let (peer, mut outbox) = Peer::new(Dialect::Lsp);
    let shows = json!({ "capabilities": { "window": { "showDocument": { "support": true } } } });
    let command = "x".repeat(LONG_MESSAGE);
    let asking = tokio::spawn({
        let (peer, folder, asked) = (peer.clone(), state.path().to_owned(), approval(&command, None));
        async move { ask(&peer, &Capabilities::of(&shows), &folder, &asked).await }
    });
    let mut requests = [outbox.next().await.unwrap(), outbox.next().await.unwrap()];
    requests.sort_by_key(|request| request["method"].to_string());
    let [shown, asked] = requests;
    assert_eq!(shown["method"], "window/showDocument");
    let path = DocumentUri::new(shown["params"]["uri"].as_str().unwrap()).to_path().unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().contains(&command));
    peer.answered(&asked["id"], Ok(Value::Null));
    asking.await.unwrap();
    assert!(!path.exists());
}

#[tokio::test]
async fn a_question_is_a_choice_of_its_labels() {
    let options = |labels: &[&str]| labels.iter().map(|label| ((*label).to_owned(), String::new())).collect();
    let mut asked = UserQuestion {
        session: SessionId("s1".into()),
        call_id: "c1".into(),
        question: "Which?".into(),
        options: options(&["A", "B"]),
        multiple: false,
    };
    for (answer, expected) in [
        (json!({ "title": "B" }), Some(vec!["B".to_owned()])),
        (json!({ "title": "C" }), None),
        (Value::Null, None),
    ] {
        let (peer, mut outbox) = Peer::new(Dialect::Lsp);
        let asking = tokio::spawn({
            let (peer, asked) = (peer.clone(), asked.clone());
            async move { question(&peer, &asked).await }
        });
        peer.answered(&outbox.next().await.unwrap()["id"], Ok(answer));
        assert_eq!(asking.await.unwrap(), expected);
    }
    asked.multiple = true;
    assert_eq!(question(&Peer::new(Dialect::Lsp).0, &asked).await, None);
}
