//! From a parsed tree to commands, and the check that every byte was understood.

use super::word::{Word, bare, word};
use super::{Analysis, Simple, wrappers};
use tree_sitter::{Node, Parser, Tree};

/// The named nodes that a line may consist of. Everything else makes it opaque.
const KNOWN: [&str; 13] = [
    "program",
    "list",
    "pipeline",
    "command",
    "command_name",
    "word",
    "number",
    "string",
    "string_content",
    "raw_string",
    "concatenation",
    "redirected_statement",
    "variable_name",
];

/// The operators between commands.
const OPERATORS: [&str; 4] = ["&&", "||", ";", "|"];

/// Redirections that neither read nor write a file of anybody's, without blanks.
const HARMLESS: [&str; 11] = [
    "2>&1",
    "1>&2",
    ">&2",
    "1>&1",
    "2>&2",
    ">/dev/null",
    "1>/dev/null",
    "2>/dev/null",
    "&>/dev/null",
    ">>/dev/null",
    "</dev/null",
];

/// The most changes of directory that are followed.
const MAX_CHANGES: usize = 8;

/// What was found in a text.
pub(super) struct Walked {
    pub analysis: Analysis,
    /// Whether the grammar could not read all of it.
    pub broken: bool,
}

/// Parses a text and collects its commands; `None` if there is no parser.
pub(super) fn walk(text: &str) -> Option<Walked> {
    let tree = tree(text)?;
    let mut walker = Walker {
        source: text,
        analysis: Analysis::default(),
        parts: Vec::new(),
        end: 0,
        broken: tree.root_node().has_error(),
    };
    if walker.broken {
        walker.opaque(|| "it is not complete or not understood".to_owned());
    }
    walker.run(&tree);
    let mut analysis = walker.analysis;
    if analysis.commands.is_empty() && analysis.opaque.is_none() {
        analysis.opaque = Some("it contains no command".to_owned());
    }
    analysis.line = walker.parts.join(" ").replace(" ;", ";");
    Some(Walked { analysis, broken: walker.broken })
}

fn tree(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    parser.parse(text, None)
}

struct Walker<'a> {
    source: &'a str,
    analysis: Analysis,
    /// The normalised line so far.
    parts: Vec<String>,
    /// How far the text is covered by nodes.
    end: usize,
    broken: bool,
}

impl Walker<'_> {
    /// Visits every node in the order of the text. The tree may be deep, so this does not recurse.
    fn run(&mut self, tree: &Tree) {
        let mut cursor = tree.walk();
        // A node finds its parent only from the root down, which a long chain makes slow.
        let mut above = Vec::new();
        loop {
            let node = cursor.node();
            let deeper = self.node(node, above.last().copied());
            if deeper && cursor.goto_first_child() {
                above.push(node);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    self.gap(self.source.len());
                    return;
                }
                above.pop();
            }
        }
    }

    /// Notes one node; whether its children are to be visited.
    fn node(&mut self, node: Node<'_>, parent: Option<Node<'_>>) -> bool {
        if node.child_count() == 0 || matches!(node.kind(), "string" | "raw_string") {
            self.gap(node.start_byte());
            self.end = self.end.max(node.end_byte());
        }
        let kind = node.kind();
        match kind {
            "file_redirect" if self.is_harmless(node) => return false,
            "command" => self.command(node, parent),
            "declaration_command" | "unset_command" => {
                self.command(node, parent);
                self.unknown(kind);
            }
            "heredoc_redirect" | "herestring_redirect" => {
                if self.feeds_shell(parent) {
                    super::pieces(&self.source[node.byte_range()], &mut self.analysis);
                }
                self.unknown(kind);
            }
            "variable_assignment" if parent.is_some_and(|parent| parent.kind() == "command") => {}
            _ if node.is_missing() || node.is_error() => self.broken = true,
            _ if node.is_named() && KNOWN.contains(&kind) => {}
            _ if OPERATORS.contains(&kind) => self.parts.push(kind.to_owned()),
            "\"" | "=" | "==" | "=~" => {}
            // Line feeds make the line opaque by themselves.
            "\n" => {}
            _ => self.unknown(kind),
        }
        true
    }

    /// Text that no node covers must be blank.
    fn gap(&mut self, start: usize) {
        let gap = self.source.get(self.end..start.max(self.end));
        if !gap.is_some_and(|gap| gap.chars().all(|c| c == ' ' || c == '\n')) {
            self.opaque(|| "a part of it is not understood".to_owned());
        }
    }

    fn is_harmless(&mut self, node: Node<'_>) -> bool {
        let text: String = self.source[node.byte_range()].chars().filter(|c| *c != ' ').collect();
        let mut cursor = node.walk();
        let targets = node.children_by_field_name("destination", &mut cursor).count();
        let harmless = targets == 1 && HARMLESS.contains(&text.as_str());
        if harmless {
            self.gap(node.start_byte());
            self.end = self.end.max(node.end_byte());
            self.parts.push(text);
        }
        harmless
    }

    fn command(&mut self, node: Node<'_>, parent: Option<Node<'_>>) {
        let (mut words, mut assignments, mut doubt) = (Vec::new(), Vec::new(), None);
        let mut cursor = node.walk();
        let mut end = None;
        for child in node.children(&mut cursor) {
            if end.replace(child.end_byte()) == Some(child.start_byte()) {
                // The grammar parts some words that the shell does not.
                doubt = Some("its words are not clearly apart");
            }
            match child.kind() {
                "file_redirect" | "herestring_redirect" | "heredoc_redirect" => {}
                "variable_assignment" if node.kind() == "command" => {
                    let (assignment, literal) = assignment(child, self.source);
                    assignments.push(assignment);
                    if !literal {
                        doubt = Some("a variable is set to what the shell expands");
                    }
                }
                _ if child.is_named() => words.push(word(child, self.source)),
                kind @ ("==" | "=~") => words.push(bare(kind)),
                _ => words.push(Word {
                    literal: node.kind() != "command",
                    ..bare(&self.source[child.byte_range()])
                }),
            }
        }
        self.behind_redirections(node, parent, &mut words);
        let (first, all) = (words.first(), words.iter().all(|word| word.literal));
        let odd_name = first.is_none_or(|word| !word.plain || !is_plain_name(&word.text));
        let doubt = match (doubt, all, odd_name) {
            (Some(reason), ..) => Some(reason),
            (None, false, _) => Some("the shell expands a part of it"),
            (None, true, true) => Some("the program's name is not a plain word"),
            (None, true, false) => None,
        };
        let changes = self.changes();
        let argv = words.into_iter().map(|word| word.text).collect();
        let simple = Simple { argv, assignments, doubt, changes };
        self.parts.push(simple.full_text());
        self.analysis.commands.push(simple);
    }

    /// Words behind a redirection belong to the command (`rm >f -rf x`), while the grammar gives
    /// them to the redirection.
    fn behind_redirections(&self, command: Node<'_>, parent: Option<Node<'_>>, words: &mut Vec<Word>) {
        let statement = parent.filter(|parent| parent.kind() == "redirected_statement");
        for holder in [Some(command), statement].into_iter().flatten() {
            let mut cursor = holder.walk();
            for redirect in holder.children(&mut cursor) {
                let (field, skipped) = match redirect.kind() {
                    "file_redirect" => ("destination", 1),
                    "heredoc_redirect" => ("argument", 0),
                    _ => continue,
                };
                let mut cursor = redirect.walk();
                let behind = redirect.children_by_field_name(field, &mut cursor).skip(skipped);
                words.extend(behind.map(|node| word(node, self.source)));
            }
        }
    }

    /// Whether the here-document in this node is read by a shell, so that its lines are commands.
    fn feeds_shell(&self, parent: Option<Node<'_>>) -> bool {
        let Some(parent) = parent else { return false };
        let command = parent.child_by_field_name("body").unwrap_or(parent);
        let name = command.child_by_field_name("name").map(|name| word(name, self.source).text);
        name.is_some_and(|name| wrappers::is_shell(&wrappers::name(&name)))
    }

    /// The changes of directory so far.
    fn changes(&mut self) -> Vec<Vec<String>> {
        match self.analysis.commands.last() {
            Some(last) if last.changes.len() >= MAX_CHANGES => {
                let changes = last.changes.clone();
                self.opaque(|| "it changes the directory too often".to_owned());
                changes
            }
            Some(last) if last.argv.first().is_some_and(|program| program == "cd") => {
                let mut changes = last.changes.clone();
                changes.push(last.argv[1..].to_vec());
                changes
            }
            Some(last) => last.changes.clone(),
            None => Vec::new(),
        }
    }

    fn unknown(&mut self, kind: &str) {
        let what = match kind {
            "command_substitution" | "process_substitution" | "`" => "it contains a substitution",
            "simple_expansion" | "expansion" | "arithmetic_expansion" | "$" => "it contains an expansion",
            "file_redirect" => "it redirects to or from a file",
            "heredoc_redirect" | "herestring_redirect" | "heredoc_body" => "it contains a here-document",
            "subshell" | "compound_statement" => "it groups commands",
            "variable_assignment" | "declaration_command" | "unset_command" => "it changes variables",
            "comment" => "it contains a comment",
            "&" | "|&" => "it runs something in the background or joins its error output",
            "ansi_c_string" | "translated_string" => "it contains a text with escapes",
            _ => "it is more than plain commands",
        };
        self.opaque(|| what.to_owned());
    }

    fn opaque(&mut self, reason: impl FnOnce() -> String) {
        if self.analysis.opaque.is_none() {
            self.analysis.opaque = Some(reason());
        }
    }
}

/// Whether a program's name is made of characters that mean nothing to any shell. That leaves
/// out keywords such as `{` and `[[`, and job numbers.
pub(super) fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_./+-@:".contains(c))
}

/// An assignment as `NAME=value` after quote removal, and whether that is exact.
fn assignment(node: Node<'_>, source: &str) -> (String, bool) {
    let text = |node: Node<'_>| source.get(node.byte_range()).unwrap_or_default();
    let (Some(name), value) = (node.child_by_field_name("name"), node.child_by_field_name("value")) else {
        return (text(node).to_owned(), false);
    };
    let letters = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_name = letters(text(name)) && !text(name).starts_with(|c: char| c.is_ascii_digit());
    let plain = name.kind() == "variable_name" && is_name && !text(node).contains("+=");
    let value = value.map_or_else(|| bare(""), |value| word(value, source));
    (format!("{}={}", text(name), value.text), plain && value.literal)
}
