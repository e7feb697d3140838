use super::*;
use reqwest::header::{HeaderName, HeaderValue};

fn now() -> Timestamp {
    "2026-11-03T10:00:00Z".parse().unwrap()
}

fn pause(name: &'static str, value: &'static str) -> Option<Duration> {
    let headers = HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_static(value))]);
    retry_after(&headers, now())
}

fn words(status: u16, body: &str) -> ModelError {
    let names = ["TEST_KEY".to_owned()];
    let key = Secret::new("sk-secret");
    let complaint = Complaint::from_body(Some(status), body, None);
    explain(Trouble::Said(complaint), &Origin { place: "test (host)", key_names: &names, key: Some(&key) })
}

#[test]
fn v6_retry_after_forms() {
    assert_eq!(pause("retry-after", "7"), Some(Duration::from_secs(7)));
    assert_eq!(pause("retry-after", "Tue, 03 Nov 2026 10:00:12 GMT"), Some(Duration::from_secs(12)));
    assert_eq!(pause("retry-after", "Tue, 03 Nov 2026 09:00:00 GMT"), Some(Duration::ZERO));
    assert_eq!(pause("retry-after-ms", "1500"), Some(Duration::from_millis(1500)));
    assert_eq!(pause("retry-after", "90000"), Some(Duration::from_secs(90_000)));
    assert_eq!(pause("retry-after", "soon"), None);
    assert_eq!(pause("retry-after", "-3"), None);
    assert_eq!(pause("x-other", "7"), None);
}

#[test]
fn v11_a_prompt_that_is_too_long_is_known_by_code_or_words() {
    for body in [
        r#"{"error":{"code":"context_length_exceeded","message":"no"}}"#,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 9000."}}"#,
        r#"{"error":{"code":400,"type":"exceed_context_size_error","message":"the request exceeds the available context size"}}"#,
    ] {
        assert!(matches!(words(400, body), ModelError::ContextTooLong(_)), "{body}");
    }
    assert!(matches!(words(400, r#"{"error":{"message":"bad tool"}}"#), ModelError::Fatal(_)));
    assert!(matches!(
        words(429, r#"{"error":{"message":"maximum context length"}}"#),
        ModelError::Transient { .. }
    ));
}

#[test]
fn statuses_fall_into_classes() {
    for status in [408, 409, 429, 500, 502, 503, 529] {
        assert!(matches!(words(status, "busy"), ModelError::Transient { .. }), "{status}");
    }
    for status in [401, 403] {
        let ModelError::Unauthorized(text) = words(status, "no") else { panic!("{status}") };
        assert!(text.contains("TEST_KEY"), "{text}");
    }
    let google = r#"[{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"API key not valid. Pass a valid one."}}]"#;
    assert!(matches!(words(400, google), ModelError::Unauthorized(_)));
    for status in [302, 400, 402, 404, 418, 422] {
        assert!(matches!(words(status, "no"), ModelError::Fatal(_)), "{status}");
    }
    let quota = r#"{"error":{"type":"insufficient_quota","message":"pay"}}"#;
    assert!(matches!(words(429, quota), ModelError::Fatal(_)));
}

#[test]
fn a_providers_words_are_one_bounded_line_without_the_key() {
    let body = format!(r#"{{"error":{{"message":"key sk-secret\n\u001b[31mis {}"}}}}"#, "x".repeat(5_000));
    let ModelError::Fatal(text) = words(400, &body) else { panic!() };
    assert!(text.contains("key [redacted] [31mis x"), "{text}");
    assert!(text.chars().count() < 700 && !text.contains('\u{1b}'));
}

#[test]
fn error_bodies_of_many_shapes() {
    let message = |body| Complaint::from_body(None, body, None).message;
    assert_eq!(message(r#"{"error":"plain"}"#), "plain");
    assert_eq!(message(r#"{"error":{"message":"inner"}}"#), "inner");
    assert_eq!(message(r#"[{"error":{"message":"listed"}}]"#), "listed");
    assert_eq!(message(r#"{"message":"bare"}"#), "bare");
    assert_eq!(message(r#"{"detail":[{"loc":["x"]}]}"#), r#"[{"loc":["x"]}]"#);
    assert_eq!(message("<h1>Bad Gateway</h1>"), "<h1>Bad Gateway</h1>");
}

#[test]
fn a_key_is_never_printed() {
    assert_eq!(format!("{:?}", Secret::new("sk-secret")), "[redacted]");
    assert_eq!(format!("{:?}", Secret::new("sk-secret").header("Bearer ").unwrap()), "Sensitive");
    assert_eq!(Secret::new("sk-secret").cut_from("a sk-secret b"), "a [redacted] b");
    assert_eq!(Secret::new("x").cut_from("next"), "next");
}
