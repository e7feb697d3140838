use super::*;

#[tokio::test]
async fn messages_leave_in_the_order_they_were_sent() {
    let (peer, mut outbox) = Peer::new(Dialect::Acp);
    peer.notify("a", json!(1)).await;
    peer.respond(json!(7), Ok(json!("done"))).await;
    peer.notify("b", json!(2)).await;
    assert_eq!(outbox.next().await, Some(json!({ "jsonrpc": "2.0", "method": "a", "params": 1 })));
    assert_eq!(outbox.next().await, Some(json!({ "jsonrpc": "2.0", "id": 7, "result": "done" })));
    assert_eq!(outbox.next().await, Some(json!({ "jsonrpc": "2.0", "method": "b", "params": 2 })));
}

#[tokio::test]
async fn a_question_gets_its_answer_once() {
    let (peer, mut outbox) = Peer::new(Dialect::Acp);
    let asking = tokio::spawn({
        let peer = peer.clone();
        async move { peer.request("ask", json!({})).await }
    });
    let id = outbox.next().await.unwrap()["id"].clone();
    peer.answered(&json!("no such id"), Ok(json!(0)));
    peer.answered(&id, Ok(json!("yes")));
    peer.answered(&id, Ok(json!("again")));
    assert_eq!(asking.await.unwrap(), Ok(json!("yes")));
}

#[tokio::test]
async fn a_dropped_question_is_taken_back_in_the_peers_words() {
    for (dialect, method, key) in
        [(Dialect::Lsp, "$/cancelRequest", "id"), (Dialect::Acp, "$/cancel_request", "requestId")]
    {
        let (peer, mut outbox) = Peer::new(dialect);
        let asking = tokio::spawn({
            let peer = peer.clone();
            async move { peer.request("ask", json!({})).await }
        });
        let id = outbox.next().await.unwrap()["id"].clone();
        asking.abort();
        let taken_back = outbox.next().await.unwrap();
        assert_eq!(taken_back, json!({ "jsonrpc": "2.0", "method": method, "params": { key: id.clone() } }));
        peer.answered(&id, Ok(json!("too late")));
    }
}

#[tokio::test]
async fn a_lost_peer_fails_every_question() {
    let (peer, mut outbox) = Peer::new(Dialect::Lsp);
    let asking = tokio::spawn({
        let peer = peer.clone();
        async move { peer.request("ask", json!({})).await }
    });
    outbox.next().await.unwrap();
    peer.lost();
    assert_eq!(asking.await.unwrap(), Err(PeerError::Lost));
    assert_eq!(peer.request("ask", json!({})).await, Err(PeerError::Lost));
}

#[test]
fn framing() {
    let message = json!({ "id": "é" });
    let mut bytes = Vec::new();
    frame_lsp(&message, &mut bytes);
    assert_eq!(String::from_utf8(bytes).unwrap(), "Content-Length: 11\r\n\r\n{\"id\":\"é\"}");
    let mut bytes = Vec::new();
    frame_line(&message, &mut bytes);
    assert_eq!(String::from_utf8(bytes).unwrap(), "{\"id\":\"é\"}\n");
}
