//! The client's picture of the reviews: only what the server sent last, as a client that was
//! reloaded would have it. Each picture is held against the text the client has.

use super::Client;
use serde_json::{Value, json};

/// The state of one review.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// The message as it came.
    pub state: Value,
}

/// One hunk of a review.
#[derive(Debug, Clone, PartialEq)]
pub struct Hunk {
    /// The document.
    pub uri: String,
    /// Its id.
    pub id: String,
    /// `pending`, `accepted`, `rejected` or `stale`.
    pub status: String,
    /// The text it replaces.
    pub old_text: String,
    /// The text it puts there.
    pub new_text: String,
    /// Where, as it came.
    pub range: Value,
}

impl Review {
    /// Its id.
    pub fn id(&self) -> &str {
        self.state["reviewId"].as_str().unwrap_or_default()
    }

    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.state["status"] == "open"
    }

    /// The tool call that made it.
    pub fn call(&self) -> &str {
        self.state["toolCallId"].as_str().unwrap_or_default()
    }

    /// All its hunks.
    pub fn hunks(&self) -> Vec<Hunk> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let files = self.state["files"].as_array().into_iter().flatten();
        files
            .flat_map(|file| {
                file["hunks"].as_array().into_iter().flatten().map(move |hunk| Hunk {
                    uri: text(&file["uri"]),
                    id: text(&hunk["id"]),
                    status: text(&hunk["status"]),
                    old_text: text(&hunk["oldText"]),
                    new_text: text(&hunk["newText"]),
                    range: hunk["range"].clone(),
                })
            })
            .collect()
    }

    /// The hunks that wait for a decision.
    pub fn pending(&self) -> Vec<Hunk> {
        self.hunks().into_iter().filter(|hunk| hunk.status == "pending").collect()
    }

    /// The status of a hunk.
    pub fn status(&self, hunk: &str) -> String {
        let found = self.hunks().into_iter().find(|found| found.id == hunk);
        found.map(|hunk| hunk.status).unwrap_or_default()
    }
}

impl Client {
    pub(super) fn take_review(&mut self, state: &Value) {
        let review = Review { state: state.clone() };
        for file in state["files"].as_array().into_iter().flatten() {
            self.check_file(file);
        }
        if self.reviews.get(review.id()).is_some_and(|before| !before.is_open() && review.is_open()) {
            self.problems.push(format!("review {} was closed and is open again", review.id()));
        }
        if self.accepts_all {
            self.accept_pending(&review);
        }
        self.reviews.insert(review.id().to_owned(), review);
    }

    fn accept_pending(&mut self, review: &Review) {
        let id = review.id().to_owned();
        let new =
            review.pending().into_iter().filter(|hunk| self.accepted.insert((id.clone(), hunk.id.clone())));
        let decisions: Vec<Value> = new.map(|hunk| json!({ "hunk": hunk.id, "accept": true })).collect();
        if decisions.is_empty() {
            return;
        }
        let params = json!({ "reviewId": id, "decisions": decisions });
        let request = self.send_request("_assent/review/decide", params);
        self.unattended.insert(request);
    }

    /// A pending hunk must lie where its old text stands in the version it speaks of.
    fn check_file(&mut self, file: &Value) {
        let Some(document) = file["uri"].as_str().and_then(|uri| self.documents.open.get(uri)) else {
            return;
        };
        if file["version"] != document.version || file["change"] != "edit" {
            return;
        }
        for hunk in file["hunks"].as_array().into_iter().flatten() {
            if hunk["status"] != "pending" {
                continue;
            }
            let encoding = self.documents.encoding;
            let start = encoding.offset(&document.text, &hunk["range"]["start"]);
            let end = encoding.offset(&document.text, &hunk["range"]["end"]);
            let there = document.text.get(start..end).unwrap_or("(no range)");
            if hunk["oldText"] != there {
                self.problems.push(format!("a pending hunk lies on {there:?}: {hunk}"));
            }
        }
    }

    /// Wait until a review fits, and give its state.
    #[track_caller]
    pub fn wait_for_review(&mut self, fits: impl Fn(&Review) -> bool) -> Review {
        self.wait("a review", |client| client.reviews.values().find(|review| fits(review)).cloned())
    }

    /// Wait until the review of a call is open, and give its state.
    #[track_caller]
    pub fn open_review(&mut self, call: &str) -> Review {
        self.wait_for_review(|review| review.is_open() && review.call() == call)
    }

    /// Decide hunks without waiting for the answer.
    pub fn decide_unattended(&mut self, review: &str, hunk: &str, accept: bool) {
        let decisions = json!([{ "hunk": hunk, "accept": accept }]);
        let id =
            self.send_request("_assent/review/decide", json!({ "reviewId": review, "decisions": decisions }));
        self.unattended.insert(id);
    }

    /// Accept everything that is open, and what will be proposed.
    pub fn accept_everything(&mut self) {
        self.accepts_all = true;
        for review in self.reviews() {
            self.accept_pending(&review);
        }
    }

    /// Every review the server told of.
    pub fn reviews(&self) -> Vec<Review> {
        self.reviews.values().cloned().collect()
    }

    /// Decide hunks: `"*"` for all that are open. Gives how many are still open.
    #[track_caller]
    pub fn decide(&mut self, review: &str, hunk: &str, accept: bool) -> u64 {
        let decisions = json!([{ "hunk": hunk, "accept": accept }]);
        let result =
            self.request("_assent/review/decide", json!({ "reviewId": review, "decisions": decisions }));
        match result["open"].as_u64() {
            Some(open) => open,
            None => self.fail(&format!("a decision was answered by {result}")),
        }
    }

    /// Wait for the review of a call and accept all of it.
    #[track_caller]
    pub fn accept_all(&mut self, call: &str) {
        let review = self.open_review(call);
        let open = self.decide(review.id(), "*", true);
        assert_eq!(open, 0, "all hunks are decided");
    }
}
