//! Some hundreds of command lines with what has to become of each: `corpus.txt`.

use super::*;

/// The characters that a line of the file stands for.
fn unescaped(written: &str) -> String {
    let mut text = String::new();
    let mut rest = written;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut chars = rest.chars();
        let known = match chars.next() {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('0') => Some('\0'),
            Some('\\') => Some('\\'),
            _ => None,
        };
        if let Some(c) = known {
            text.push(c);
            rest = chars.as_str();
        } else if let Some((code, after)) = rest.strip_prefix("u{").and_then(|rest| rest.split_once('}')) {
            text.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
            rest = after;
        } else {
            text.push('\\');
        }
    }
    text + rest
}

#[test]
fn every_line_of_the_corpus_gets_its_verdict() {
    let setup = Setup::new(
        r#"bash:
  allow: ["git status", "git diff", "git diff *", "cargo test*", "echo *", "cat *", ls, "ls *"]
  deny: ['/^rm\s+-rf/']"#,
    );
    let (mut wanted, mut count, mut wrong) = (None, 0, Vec::new());
    for written in include_str!("corpus.txt").lines() {
        if written.is_empty() || written.starts_with("# ") || written == "#" {
            continue;
        }
        if let Some(heading) = written.strip_prefix("= ") {
            wanted = Some(match heading.split(' ').next() {
                Some("allow") => Verdict::Allow,
                Some("ask") => Verdict::Ask,
                Some("deny") => Verdict::Deny,
                _ => panic!("{heading}"),
            });
            continue;
        }
        count += 1;
        let decision = setup.decide(&bash(&unescaped(written)));
        if Some(decision.verdict) != wanted {
            wrong.push(format!("{written}\n    {:?}, not {wanted:?}: {}", decision.verdict, decision.rule));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 300, "{count} lines are left");
}
