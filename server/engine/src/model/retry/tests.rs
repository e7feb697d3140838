use super::*;
use crate::model::Stop;
use crate::model::testing::{request, run, user};
use parking_lot::Mutex;
use tokio::time::Instant;

/// Gives these outcomes one after the other, then an answer.
struct Fails(Mutex<Vec<ModelError>>);

#[async_trait]
impl Model for Fails {
    fn name(&self) -> &str {
        "fails"
    }

    fn window(&self) -> Option<u64> {
        None
    }

    fn takes_images(&self) -> bool {
        false
    }

    async fn run(&self, _: &Request, _: &mpsc::Sender<Delta>) -> Result<Answer, ModelError> {
        let mut errors = self.0.lock();
        if errors.is_empty() {
            Ok(Answer { parts: Vec::new(), stop: Stop::End, usage: None })
        } else {
            Err(errors.remove(0))
        }
    }
}

fn transient(seconds: Option<u64>) -> ModelError {
    ModelError::Transient { message: "busy".to_owned(), retry_after: seconds.map(Duration::from_secs) }
}

async fn after(errors: Vec<ModelError>, chance: f64) -> (Result<Answer, ModelError>, Vec<Delta>, Duration) {
    let model = Retrying::new(Arc::new(Fails(Mutex::new(errors))), Arc::new(move || chance));
    let begin = Instant::now();
    let (answer, deltas) = run(&model, &request(vec![user("hi")])).await;
    (answer, deltas, begin.elapsed())
}

#[tokio::test(start_paused = true)]
async fn v6_waits_at_least_as_long_as_asked() {
    for chance in [0.0, 0.99] {
        let (answer, deltas, waited) = after(vec![transient(Some(7))], chance).await;
        assert!(answer.is_ok());
        assert!(waited >= Duration::from_secs(7) && waited < Duration::from_secs(9), "{waited:?}");
        assert!(
            matches!(&deltas[..], [Delta::Retry { after, reason }] if *after >= Duration::from_secs(7) && reason == "busy")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn v6_without_a_word_the_pauses_grow() {
    let (answer, deltas, waited) = after(vec![transient(None), transient(None), transient(None)], 0.99).await;
    assert!(answer.is_ok());
    assert!(waited > Duration::from_secs(6) && waited <= Duration::from_secs(7), "{waited:?}");
    let pauses: Vec<Duration> = deltas
        .iter()
        .map(|delta| match delta {
            Delta::Retry { after, .. } => *after,
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(pauses.is_sorted() && pauses.len() == 3);
}

#[tokio::test(start_paused = true)]
async fn v6_a_pause_too_long_is_not_slept_through() {
    let (answer, deltas, waited) = after(vec![transient(Some(90_000))], 0.0).await;
    assert_eq!((deltas.len(), waited), (0, Duration::ZERO));
    let message = answer.unwrap_err().to_string();
    assert!(message.contains("25 hours") && message.contains("another model"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn v6_what_will_not_help_is_not_tried_again() {
    for error in [
        ModelError::Fatal("bad".to_owned()),
        ModelError::Unauthorized("key".to_owned()),
        ModelError::ContextTooLong("long".to_owned()),
    ] {
        let (answer, deltas, waited) = after(vec![error.clone()], 0.0).await;
        assert_eq!((answer, deltas.len(), waited), (Err(error), 0, Duration::ZERO));
    }
}

#[tokio::test(start_paused = true)]
async fn gives_up_after_its_tries() {
    let (answer, deltas, _) = after(vec![transient(None); 9], 0.0).await;
    assert!(answer.unwrap_err().to_string().contains("Tried 5 times"));
    assert_eq!(deltas.len(), 4);
}

#[tokio::test(start_paused = true)]
async fn v6_a_cancel_ends_the_pause() {
    let model = Retrying::new(Arc::new(Fails(Mutex::new(vec![transient(Some(100))]))), Arc::new(|| 0.0));
    let (request, (sender, mut receiver)) = (request(vec![user("hi")]), mpsc::channel(8));
    let begin = Instant::now();
    tokio::select! {
        _ = model.run(&request, &sender) => panic!("still pausing"),
        // The pause has begun.
        delta = receiver.recv() => assert!(matches!(delta, Some(Delta::Retry { .. }))),
    }
    assert_eq!(begin.elapsed(), Duration::ZERO);
}
