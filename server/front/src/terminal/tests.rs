use super::*;
use assent_base::review::{Change, FileReview, Hunk};
use questions::tests::command;
use screen::tests::Paper;
use tokio::sync::mpsc;

/// A terminal whose user types these lines, each after its question stood there.
fn terminal(lines: &'static [&'static str], interactive: bool) -> (Arc<Terminal>, Paper) {
    let paper = Paper::default();
    let screen = Screen::new(
        Box::new(paper.clone()),
        Box::new(paper.clone()),
        Style::PLAIN,
        false,
        PathBuf::from("/ws"),
    );
    let (sender, typed) = mpsc::channel(1);
    let seen = paper.clone();
    tokio::spawn(async move {
        let mut questions = 0;
        for line in lines {
            while seen.text().matches("]: ").count() + seen.text().matches("): ").count() <= questions {
                tokio::task::yield_now().await;
            }
            questions += 1;
            sender.send((*line).to_owned()).await.unwrap();
        }
    });
    let terminal = Terminal::new(screen, Typed::of(typed), Form::Words, Path::new("/ws"), interactive);
    let terminal = Arc::new(terminal);
    let shown = Arc::clone(&terminal);
    tokio::spawn(async move { shown.run().await });
    (terminal, paper)
}

fn review() -> Review {
    let text = "a\nb\nc\nd\ne\nf\n";
    let hunk = |id: &str, at: usize, new: &str| Hunk {
        id: id.into(),
        status: HunkStatus::Pending,
        range: at..at + 2,
        old_text: text[at..at + 2].into(),
        new_text: new.into(),
        changed: None,
    };
    Review {
        id: "r1".into(),
        session: "s1".into(),
        call_id: "c1".into(),
        files: vec![FileReview {
            uri: DocumentUri::from_path(Path::new("/ws/a.txt")),
            version: None,
            change: Change::Edit,
            text: ropey::Rope::from_str(text),
            hunks: vec![hunk("h1", 0, "A\n"), hunk("h2", 4, "C\n"), hunk("h3", 10, "F\n")],
        }],
    }
}

#[tokio::test]
async fn hunks_are_decided_one_by_one() {
    let (terminal, paper) = terminal(&["y", "n", "too early", "y"], true);
    let (decisions, feedback) = terminal.review(&review()).await;
    assert_eq!(decisions, [decision("h1", true), decision("h2", false), decision("h3", true)]);
    assert_eq!(feedback.as_deref(), Some("too early"));
    let shown = paper.text();
    assert!(shown.contains("Edit a.txt") && shown.contains("-a\n+A\n"), "{shown}");
}

#[tokio::test]
async fn all_and_no_more_decide_the_rest() {
    let (all, _) = terminal(&["n", "", "a"], true);
    assert_eq!(all.review(&review()).await, (vec![decision("h1", false), decision("*", true)], None));
    let (none, _) = terminal(&["y", "q", ""], true);
    assert_eq!(none.review(&review()).await, (vec![decision("h1", true), decision("*", false)], None));
}

#[tokio::test]
async fn the_end_of_the_input_is_a_no() {
    let (terminal, _) = terminal(&["y"], true);
    assert_eq!(terminal.review(&review()).await, (vec![decision("h1", true), decision("*", false)], None));
    assert_eq!(terminal.ask(command("ls", None)).await, Answer::Reject { feedback: None, stop: false });
}

#[tokio::test]
async fn without_anybody_everything_is_refused_with_a_reason() {
    let (terminal, paper) = terminal(&[], false);
    let told = Answer::Reject { feedback: Some(NOBODY.into()), stop: false };
    assert_eq!(terminal.ask(command("ls", Some("bash: ls"))).await, told);
    assert_eq!(terminal.review(&review()).await, (vec![decision("*", false)], Some(NOBODY.into())));
    assert_eq!(paper.text(), "");
}

#[tokio::test]
async fn an_approval_defaults_to_no_and_takes_a_reason() {
    let (terminal, paper) = terminal(&["", "use make"], true);
    assert_eq!(
        terminal.ask(command("cargo test", None)).await,
        Answer::Reject { feedback: Some("use make".into()), stop: false }
    );
    assert!(paper.text().contains("    cargo test\n"), "{}", paper.text());
}

#[tokio::test]
async fn what_was_typed_before_a_question_does_not_answer_it() {
    let paper = Paper::default();
    let screen = Screen::new(
        Box::new(paper.clone()),
        Box::new(paper.clone()),
        Style::PLAIN,
        false,
        PathBuf::from("/ws"),
    );
    let (sender, typed) = mpsc::channel(4);
    sender.send("y".to_owned()).await.unwrap();
    let terminal = Terminal::new(screen, Typed::of(typed), Form::Words, Path::new("/ws"), true);
    let asked = async {
        tokio::join!(terminal.ask(command("rm -rf build", None)), async {
            while !paper.text().contains("[n]: ") {
                tokio::task::yield_now().await;
            }
            drop(sender);
        })
    };
    let (answer, ()) = tokio::select! {
        answer = asked => answer,
        () = terminal.run() => unreachable!("it shows for ever"),
    };
    assert_eq!(answer, Answer::Reject { feedback: None, stop: false });
}
