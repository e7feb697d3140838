use super::*;

#[tokio::test]
async fn todos_are_kept_and_told() {
    let world = World::new();
    assert_eq!(world.ok("todoread", json!({})).await, "The todo list is empty.");
    let todos = json!([{"id": "a", "content": "Look", "status": "completed", "priority": "high"},
                       {"content": "Mend", "status": "in_progress"}]);
    let told = "a. [completed] Look (high)\n2. [in_progress] Mend (medium)";
    assert_eq!(world.ok("todowrite", json!({"todos": todos})).await, told);
    assert_eq!(world.ok("todoread", json!({})).await, told);
    assert_eq!(world.ctx.todos.lock()[1].status, "in_progress");
    world.err("todowrite", json!({"todos": [{"content": "x", "status": "someday"}]})).await;
}

#[tokio::test]
async fn questions_go_to_the_user() {
    let world = World::new();
    *world.state.answers.lock() = vec![Some(vec!["Red".into(), "Blue".into()]), None];
    let questions = json!([
        {"question": "Which colours?", "options": [{"label": "Red", "description": "warm"}], "multiple": true},
        {"question": "Which size?"}, {"question": "Never asked?"}]);
    let told = world.ok("question", json!({"questions": questions})).await;
    assert_eq!(told, "Which colours?\n→ Red, Blue\n\nWhich size?\n→ The user did not answer.");
    let asked = world.state.asked.lock()[0].clone();
    assert_eq!((asked.options, asked.multiple), (vec![("Red".into(), "warm".into())], true));
    let alone = World::with(false);
    let told = alone.err("question", json!({"questions": [{"question": "x?"}]})).await;
    assert!(told.contains("Nobody can answer"));
}

#[tokio::test]
async fn a_call_that_can_not_run_is_answered() {
    let world = World::new();
    let told = world.err("fly", json!({})).await;
    assert!(
        told.starts_with("The call of `fly` was not run: there is no such tool. The tools are: read, edit,")
    );
    assert!(!told.contains("invalid"));
    assert!(world.err("read", json!({})).await.contains("`filePath` is missing"));
    assert!(world.err("read", json!({"path": "x"})).await.contains("`path` is not an argument"));
    let told = world.err("invalid", json!({"tool": "read", "error": "it was cut."})).await;
    assert_eq!(told, "The call of `read` was not run: it was cut.");
    world.put("f", "x");
    assert_eq!(world.ok("Read", json!({"file_path": "f"})).await, "     1\tx\n");
}
