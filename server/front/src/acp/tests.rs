use super::*;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

/// A client on a pipe of its own. Waits are bounded, so that a missing answer fails.
struct Client {
    lines: BufReader<ReadHalf<DuplexStream>>,
    writer: Option<WriteHalf<DuplexStream>>,
    server: JoinHandle<Exit>,
    folder: tempfile::TempDir,
}

const PATIENCE: Duration = Duration::from_secs(20);

impl Client {
    /// A server whose model follows this script.
    fn start(answers: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script.json");
        std::fs::write(&script, json!({ "answers": answers }).to_string()).unwrap();
        let model = format!("scripted/{}", script.display());
        let environment = Environment {
            config: folder.path().join("config"),
            state: folder.path().join("state"),
            home: None,
            tools: std::path::PathBuf::from("/nonexistent"),
            own_binary: None,
            variable: Arc::new(move |name| match name {
                "ASSENT_MODEL" => Some(model.clone()),
                "PATH" => std::env::var("PATH").ok(),
                _ => None,
            }),
        };
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (reader, writer) = tokio::io::split(theirs);
        let server = tokio::spawn(serve_on(environment, reader, writer));
        let (lines, writer) = tokio::io::split(ours);
        Self { lines: BufReader::new(lines), writer: Some(writer), server, folder }
    }

    async fn initialized(answers: Value) -> Self {
        Self::initialized_with(answers, json!({})).await
    }

    async fn initialized_with(answers: Value, capabilities: Value) -> Self {
        let mut client = Self::start(answers);
        let params = json!({ "protocolVersion": 1, "clientCapabilities": capabilities });
        client.request(0, "initialize", params).await;
        client.answer(&json!(0)).await;
        client
    }

    async fn raw(&mut self, line: &[u8]) {
        self.writer.as_mut().unwrap().write_all(line).await.unwrap();
    }

    async fn send(&mut self, message: Value) {
        self.raw(format!("{message}\n").as_bytes()).await;
    }

    async fn request(&mut self, id: i64, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
    }

    async fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        tokio::time::timeout(PATIENCE, self.lines.read_line(&mut line))
            .await
            .expect("an answer in time")
            .unwrap();
        (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap())
    }

    /// The answer to a request, and what came before it.
    async fn answer(&mut self, id: &Value) -> (Value, Vec<Value>) {
        let mut before = Vec::new();
        loop {
            let message = self.next().await.expect("an answer");
            if message.get("method").is_none() && message["id"] == *id {
                return (message, before);
            }
            before.push(message);
        }
    }

    async fn new_session(&mut self) -> String {
        let cwd = self.folder.path().to_owned();
        self.request(1, "session/new", json!({ "cwd": cwd, "mcpServers": [] })).await;
        let (answer, _) = self.answer(&json!(1)).await;
        answer["result"]["sessionId"].as_str().unwrap().to_owned()
    }

    async fn prompt(&mut self, id: i64, session: &str, text: &str) {
        let prompt = json!([{ "type": "text", "text": text }]);
        self.request(id, "session/prompt", json!({ "sessionId": session, "prompt": prompt })).await;
    }

    /// Wait for an update of this kind.
    async fn update(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.expect("an update");
            if message["params"]["update"]["sessionUpdate"] == kind {
                return message;
            }
        }
    }

    /// Wait for a request of the server's.
    async fn asked(&mut self, method: &str) -> Value {
        loop {
            let message = self.next().await.expect("a request");
            if message["method"] == method {
                return message;
            }
        }
    }

    async fn reply(&mut self, request: &Value, result: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": request["id"], "result": result })).await;
    }

    /// Close our end; the server must end by itself.
    async fn close(&mut self) -> Vec<Value> {
        self.writer.take().unwrap().shutdown().await.unwrap();
        let mut rest = Vec::new();
        while let Some(message) = self.next().await {
            rest.push(message);
        }
        let exit = tokio::time::timeout(PATIENCE, &mut self.server).await.expect("the server ends");
        assert_eq!(exit.unwrap(), Exit::Done);
        rest
    }
}

fn words(messages: &[Value]) -> String {
    let chunks = messages
        .iter()
        .filter(|message| message["params"]["update"]["sessionUpdate"] == "agent_message_chunk");
    chunks.filter_map(|message| message["params"]["update"]["content"]["text"].as_str()).collect()
}

#[tokio::test]
async fn the_handshake_says_what_the_agent_can_do() {
    let mut client = Client::start(json!([]));
    client.request(0, "initialize", json!({ "protocolVersion": 7, "clientCapabilities": {} })).await;
    let (answer, _) = client.answer(&json!(0)).await;
    assert_eq!(answer["result"]["protocolVersion"], 1);
    assert_eq!(answer["result"]["agentCapabilities"]["loadSession"], true);
    assert_eq!(answer["result"]["agentCapabilities"]["promptCapabilities"]["image"], true);
    assert_eq!(answer["result"]["agentCapabilities"]["promptCapabilities"]["embeddedContext"], true);
    client.request(1, "initialize", json!({ "protocolVersion": 1 })).await;
    assert_eq!(client.answer(&json!(1)).await.0["error"]["code"], -32600);
    client.close().await;
}

#[tokio::test]
async fn nothing_goes_before_initialize() {
    let mut client = Client::start(json!([]));
    client.request(1, "session/new", json!({ "cwd": "/", "mcpServers": [] })).await;
    assert_eq!(client.answer(&json!(1)).await.0["error"]["code"], -32600);
    client.close().await;
}

#[tokio::test]
async fn lines_that_make_no_sense_are_answered_and_survived() {
    let mut client = Client::initialized(json!([])).await;
    for (line, code) in [
        (&b"{ not json\n"[..], -32700),
        (b"\xff\xfe\n", -32700),
        (b"[1, 2]\n", -32700),
        (b"{\"jsonrpc\":\"2.0\"}\n", -32600),
        (b"{\"method\":5}\n", -32600),
    ] {
        client.raw(line).await;
        let (answer, _) = client.answer(&Value::Null).await;
        assert_eq!(answer["error"]["code"], code, "{line:?}");
    }
    client.send(json!({ "jsonrpc": "2.0", "method": "nobody/knows", "params": {} })).await;
    client.send(json!({ "jsonrpc": "2.0", "id": 99, "result": {} })).await;
    client.request(2, "nobody/knows", json!({})).await;
    assert_eq!(client.answer(&json!(2)).await.0["error"]["code"], -32601);
    client.request(3, "session/prompt", json!({ "sessionId": 5 })).await;
    assert_eq!(client.answer(&json!(3)).await.0["error"]["code"], -32602);
    client.close().await;
}

#[tokio::test]
async fn the_answer_to_a_prompt_comes_behind_its_updates() {
    let mut client = Client::initialized(json!([[{ "say": "One two three." }]])).await;
    let session = client.new_session().await;
    client.prompt(2, &session, "go").await;
    let (answer, before) = client.answer(&json!(2)).await;
    assert_eq!(answer["result"]["stopReason"], "end_turn");
    assert_eq!(words(&before), "[scripted model] One two three.");
    assert_eq!(client.close().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_cancel_ends_the_turn_and_is_its_answer() {
    let mut client = Client::initialized(json!([[{ "say": "Wait" }, { "hang": true }]])).await;
    let session = client.new_session().await;
    client.prompt(2, &session, "go").await;
    client.update("agent_message_chunk").await;
    client
        .send(json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": session } }))
        .await;
    assert_eq!(client.answer(&json!(2)).await.0["result"]["stopReason"], "cancelled");
    client.close().await;
}

#[tokio::test]
async fn a_request_that_is_taken_back_has_one_answer() {
    let mut client = Client::initialized(json!([[{ "say": "Wait" }, { "hang": true }]])).await;
    let session = client.new_session().await;
    client.prompt(2, &session, "go").await;
    client.update("agent_message_chunk").await;
    for id in [2, 2, 77] {
        client
            .send(json!({ "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": id } }))
            .await;
    }
    assert_eq!(client.answer(&json!(2)).await.0["error"]["code"], -32800);
    let rest = client.close().await;
    assert!(rest.iter().all(|message| message["id"] != 2), "{rest:?}");
}

#[tokio::test]
async fn a_client_that_leaves_ends_everything() {
    let mut client = Client::initialized(json!([[{ "say": "Wait" }, { "hang": true }]])).await;
    let session = client.new_session().await;
    client.prompt(2, &session, "go").await;
    client.update("agent_message_chunk").await;
    let rest = client.close().await;
    let answer = rest.iter().find(|message| message["id"] == 2).expect("the prompt is answered");
    assert_eq!(answer["result"]["stopReason"], "cancelled");
}
/// The first option, which is the yes.
fn yes(asked: &Value) -> Value {
    let option = asked["params"]["options"][0]["optionId"].clone();
    json!({ "outcome": { "outcome": "selected", "optionId": option } })
}

#[tokio::test]
async fn a_proposal_is_a_permission_with_the_diff() {
    let script = json!([
        [{ "call": "write", "with": { "filePath": "{folder}/new.txt", "content": "hello\n" } }],
        [{ "say": "Done." }]
    ]);
    let mut client = Client::initialized(script).await;
    let session = client.new_session().await;
    client.prompt(2, &session, "go").await;
    let asked = client.asked("session/request_permission").await;
    let diff = &asked["params"]["toolCall"]["content"][0];
    assert_eq!((diff["type"].as_str(), diff["newText"].as_str()), (Some("diff"), Some("hello\n")));
    let file = client.folder.path().join("new.txt");
    assert!(!file.exists(), "nothing changes before the answer");
    client.reply(&asked, yes(&asked)).await;
    assert_eq!(client.answer(&json!(2)).await.0["result"]["stopReason"], "end_turn");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "hello\n");
    client.close().await;
}

#[tokio::test]
async fn what_is_no_answer_is_a_no() {
    for answer in [
        Value::Null,
        json!({ "outcome": { "outcome": "cancelled" } }),
        json!({ "outcome": { "outcome": "selected", "optionId": "something else" } }),
    ] {
        let script = json!([
            [{ "call": "bash", "with": { "command": "touch ran", "description": "x" } }],
            [{ "say": "Done." }]
        ]);
        let mut client = Client::initialized(script).await;
        let session = client.new_session().await;
        client.prompt(2, &session, "go").await;
        let asked = client.asked("session/request_permission").await;
        assert_eq!(asked["params"]["toolCall"]["_meta"]["assent"]["subject"], "touch ran");
        client.reply(&asked, answer).await;
        assert_eq!(client.answer(&json!(2)).await.0["result"]["stopReason"], "end_turn");
        assert!(!client.folder.path().join("ran").exists());
        client.close().await;
    }
}

/// What a client does with a text that it is asked to write; it says yes to all of it.
#[derive(Clone, Copy, PartialEq)]
enum Write {
    ToDisk,
    /// Into a buffer that its user has not saved yet.
    ToBuffer,
    Nowhere,
}

/// A turn that reads and edits `a.txt` in a client with a file system. While it waits for the user,
/// something happens in another session.
async fn edit_through_the_client(write: Write, expected: &str) {
    let script = json!([
        [{ "call": "read", "with": { "filePath": "{folder}/a.txt" } }],
        [{ "call": "edit", "with": { "filePath": "{folder}/a.txt", "oldString": "two", "newString": "2" } }],
        [{ "expect": expected }, { "say": "Done." }]
    ]);
    let capabilities = json!({ "fs": { "readTextFile": true, "writeTextFile": true } });
    let mut client = Client::initialized_with(script, capabilities).await;
    let session = client.new_session().await;
    let other = client.new_session().await;
    let file = client.folder.path().join("a.txt");
    std::fs::write(&file, "one\ntwo\n").unwrap();
    let mut buffer = None;
    client.prompt(2, &session, "go").await;
    let answer = loop {
        let message = client.next().await.expect("more");
        match message["method"].as_str() {
            Some("fs/read_text_file") => {
                assert_eq!(message["params"]["sessionId"], *session);
                let content = buffer.clone().unwrap_or_else(|| std::fs::read_to_string(&file).unwrap());
                client.reply(&message, json!({ "content": content })).await;
            }
            Some("fs/write_text_file") => {
                assert_eq!(message["params"]["sessionId"], *session);
                let text = message["params"]["content"].as_str().unwrap();
                match write {
                    Write::ToDisk => std::fs::write(&file, text).unwrap(),
                    Write::ToBuffer => buffer = Some(text.to_owned()),
                    Write::Nowhere => {}
                }
                client.reply(&message, json!({})).await;
            }
            Some("session/request_permission") => {
                let plan = json!({ "sessionId": other, "modeId": "plan" });
                client.request(7, "session/set_mode", plan).await;
                client.answer(&json!(7)).await;
                client.reply(&message, yes(&message)).await;
            }
            Some(_) => {}
            None => break message,
        }
    };
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    let on_disk = std::fs::read_to_string(&file).unwrap();
    assert_eq!(on_disk == "one\n2\n", write == Write::ToDisk, "nobody else writes: {on_disk}");
    client.close().await;
}

#[tokio::test]
async fn a_client_with_a_file_system_reads_and_writes_itself() {
    edit_through_the_client(Write::ToDisk, "accepted").await;
}

#[tokio::test]
async fn a_client_may_keep_what_it_writes_in_a_buffer() {
    edit_through_the_client(Write::ToBuffer, "accepted").await;
}

#[tokio::test]
async fn a_client_that_only_says_that_it_wrote_is_not_believed() {
    edit_through_the_client(Write::Nowhere, "not as it should be").await;
}
