use super::*;

#[test]
fn the_system_prompt_says_where_it_is() {
    let surroundings = Surroundings {
        folders: Arc::from([PathBuf::from("/ws"), PathBuf::from("/other")]),
        git: true,
        platform: "linux",
        date: "2026-11-30".into(),
        agent: Some("Answer in verse.".into()),
    };
    let text = system(&surroundings);
    for part in ["  - /ws\n  - /other", "git repository: yes", "date: 2026-11-30", "Answer in verse."] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}
