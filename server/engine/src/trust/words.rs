//! Trust in words: what the user is shown before saying yes, and what is said where something of a
//! project does not count.

use super::{Item, ItemState, Kind, Reason, Shown, Standing, State, Trust, files};
use assent_base::clip::make_visible;
use std::path::Path;

/// Everything that is shown of a folder, the same wherever it is shown.
pub fn summary(shown: &Shown) -> String {
    let folder = visible(&shown.folder.display().to_string());
    let mut text = match shown.state {
        State::Trusted => format!("{folder} is trusted, and nothing of it has changed since.\n"),
        State::Pending => format!("{folder} is trusted. Something is there that you have not looked at.\n"),
        State::Untrusted => format!("{folder} is not trusted. Nothing of it counts.\n"),
    };
    match &shown.reason {
        Some(Reason::Restricted) => text.push_str("The editor has it in its restricted mode.\n"),
        Some(Reason::Broken(words)) => text.push_str(&format!("{words}\n")),
        Some(Reason::NotYet) | None => {}
    }
    if shown.items.is_empty() {
        text.push_str(
            "\nThere is nothing in it that trust would make count: no assent.yaml, no .assent/agents, no .assent/tools.\n",
        );
    } else {
        text.push_str("\nTrust covers this folder alone, no other above or below it. With it count:\n");
    }
    for item in &shown.items {
        text.push_str(&line(shown, item));
    }
    if shown.items.iter().any(|item| !matches!(item.kind, Kind::Settings | Kind::Agent)) {
        text.push_str(
            "\nThe agent can then call these tools, which run programs on this machine as you. Each call still \
             goes through your rules and questions, and each file counts only as long as it stays as it is now.\n",
        );
    }
    section(&mut text, "Does not count, trusted or not:", &shown.ignored);
    section(&mut text, "Has mistakes, and with them no turn or no tool starts:", &shown.mistakes);
    text
}

fn line(shown: &Shown, item: &Item) -> String {
    let state = match (shown.state, item.state) {
        (State::Untrusted, _) | (_, ItemState::Approved) => "",
        (_, ItemState::New) => " (new)",
        (_, ItemState::Changed) => " (changed)",
    };
    let of = match item.kind {
        Kind::Mcp | Kind::Module => {
            format!(" in {}", item.path.file_name().unwrap_or_default().to_string_lossy())
        }
        Kind::Settings | Kind::Agent | Kind::Tool => String::new(),
    };
    let name = visible(&format!("{}{of}", item.name));
    format!("- {} {name}{state}\n    {}\n", item.kind.name(), item.detail.replace('\n', "\n    "))
}

fn section<T: ToString>(text: &mut String, head: &str, rows: &[T]) {
    if !rows.is_empty() {
        text.push_str(&format!("\n{head}\n"));
        rows.iter().for_each(|row| text.push_str(&format!("- {}\n", visible(&row.to_string()))));
    }
}

/// What the user should know of a folder when work in it begins, if there is something. Of a
/// folder that is not trusted no file is read for it. Blocks.
pub fn notice(trust: &Trust, folder: &Path) -> Option<String> {
    match trust.of(folder) {
        Standing::Untrusted(reason) => {
            let files = files::project_files(folder);
            let names: Vec<String> = files.iter().map(|file| super::shown::tool_name(folder, file)).collect();
            (!names.is_empty()).then(|| not_trusted(&reason, &names))
        }
        Standing::Trusted(_) => {
            let shown = Shown::look(trust, folder).ok()?;
            let waits = |item: &&Item| item.state != ItemState::Approved;
            let names: Vec<String> = shown.items.iter().filter(waits).map(|item| item.name.clone()).collect();
            (!names.is_empty()).then(|| {
                let names = some(&names);
                format!(
                    "New or changed since you trusted this workspace: {names}. Until you look at it, with \
                     `assent trust` in its folder, it runs nothing and can only narrow what is allowed."
                )
            })
        }
    }
}

fn not_trusted(reason: &Reason, names: &[String]) -> String {
    let names = some(names);
    match reason {
        Reason::NotYet => format!(
            "This workspace is not trusted, so what came with it does not count: {names}. `assent trust` in its \
             folder shows what that could run, and asks."
        ),
        Reason::Restricted => format!(
            "The editor has this workspace in its restricted mode, so what came with it does not count: {names}."
        ),
        Reason::Broken(words) => format!("{words} Without effect: {names}."),
    }
}

/// The first names, and how many more there are.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text = visible(&names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", "));
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

fn visible(text: &str) -> String {
    make_visible(text).0
}
