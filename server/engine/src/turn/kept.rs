//! What is kept from the model. Everything that goes into a conversation comes through here: what
//! the user says and attaches, and the result of every call.

use crate::event::{EventKind, Level};
use assent_base::policy::ResolvedCall;
use assent_base::secret::{self, Hidden, SecretFile};
use assent_base::tool::{Content, Origin};

/// Takes the secrets out; gives what they were.
pub fn keep_secrets(content: &mut [Content]) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    let mut hide = |text: &mut String| {
        let Hidden { text: hidden, kinds: found } = secret::hide(text);
        if !found.is_empty() {
            let hidden = hidden.into_owned();
            *text = hidden;
            kinds.extend(found);
        }
    };
    for piece in content {
        match piece {
            Content::Text(text) => hide(text),
            Content::Expanded { text, of } => {
                hide(text);
                if let Origin::Command(typed) = of {
                    hide(typed);
                }
            }
            Content::Image { .. } => {}
        }
    }
    kinds
}

/// What a call's result may show of a file, where the call is about a file of secrets.
pub(super) fn secret_file(call: &ResolvedCall) -> Option<SecretFile> {
    let mut names = call.paths.iter().flat_map(|(_, path)| [&path.canonical, &path.absolute]);
    names.find_map(|name| secret::file_of_secrets(name))
}

/// The same for the result of a call that shows a file of secrets.
pub(super) fn keep_file(content: &mut [Content], file: SecretFile) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for piece in content {
        match piece {
            Content::Text(text) => {
                let Hidden { text: hidden, kinds: found } = secret::hide_file(text, file);
                let hidden = hidden.into_owned();
                *text = hidden;
                kinds.extend(found);
            }
            Content::Image { .. } => {
                *piece = Content::Text("(the content of this file is kept from you)".to_owned());
                kinds.push("file of secrets");
            }
            Content::Expanded { .. } => {}
        }
    }
    kinds
}

/// What the user is told of it.
pub fn told(mut kinds: Vec<&'static str>, place: &str) -> Option<EventKind> {
    if kinds.is_empty() {
        return None;
    }
    let count = kinds.len();
    kinds.sort_unstable();
    kinds.dedup();
    let secrets = if count == 1 { "1 secret was" } else { &format!("{count} secrets were") };
    let text = format!("{secrets} kept from the model in {place}: {}.", kinds.join(", "));
    Some(EventKind::Notice { level: Level::Info, text })
}
