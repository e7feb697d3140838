//! What of the design a machine can hold: crate borders, module order, file sizes, and a few words
//! that may stand only in some places. Each rule says why it is there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A file of the checkout.
struct Source {
    /// Its name from the root, with slashes.
    name: String,
    text: String,
}

impl Source {
    /// The lines that are code, numbered from 1: no comments, nothing behind `#[cfg(test)]`.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .take_while(|line| line.trim() != "#[cfg(test)]")
            .enumerate()
            .map(|(at, line)| (at + 1, line))
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    fn is_test(&self) -> bool {
        self.name.ends_with("tests.rs")
            || self.name.ends_with("testing.rs")
            || self.name.contains("/tests/")
            || self.name.starts_with("tests/")
            || self.name.contains("/benches/")
    }
}

/// Files below folders of the root whose names end so.
fn sources(folders: &[&str], endings: &[&str]) -> Vec<Source> {
    let root = root();
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            let last = name.rsplit('/').next().unwrap_or_default();
            if path.is_dir() {
                let foreign =
                    last.starts_with("target") || [".git", "node_modules", "__pycache__"].contains(&last);
                if !foreign {
                    folders.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending))
                && let Ok(text) = fs::read_to_string(&path)
            {
                found.push(Source { name, text });
            }
        }
    }
    assert!(!found.is_empty());
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

#[track_caller]
fn none(problems: Vec<String>, why: &str) {
    assert!(problems.is_empty(), "{why}\n  {}", problems.join("\n  "));
}

/// Lines of code, outside tests, that hold one of `words`.
fn lines_with(sources: &[Source], words: &[&str]) -> Vec<String> {
    let lines = sources.iter().filter(|source| !source.is_test()).flat_map(|source| {
        source
            .code()
            .filter(|(_, line)| words.iter().any(|word| line.contains(word)))
            .map(|(at, line)| format!("{}:{at}: {}", source.name, line.trim()))
    });
    lines.collect()
}

/// The names in a section of a crate's Cargo.toml.
fn section(package: &str, section: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(package).join("Cargo.toml")).unwrap();
    let lines =
        text.lines().skip_while(|line| *line != section).skip(1).take_while(|line| !line.starts_with('['));
    lines
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split(['.', ' ', '=']).next().map(str::to_owned))
        .collect()
}

/// Invariant 1: nothing in `base` does IO, waits, or reads a clock. What it may use is a closed list.
#[test]
fn base_uses_only_crates_that_compute() {
    let mut used = section("server/base", "[dependencies]");
    used.sort();
    let allowed = [
        "base64",
        "chardetng",
        "encoding_rs",
        "globset",
        "jsonschema",
        "regex",
        "ropey",
        "serde",
        "serde-saphyr",
        "serde_json",
        "serde_json_canonicalizer",
        "sha2",
        "similar",
        "thiserror",
        "tree-sitter",
        "tree-sitter-bash",
        "url",
    ];
    let strangers = used.into_iter().filter(|name| !allowed.contains(&name.as_str())).collect();
    none(strangers, "`base` decides and does nothing: no crate that acts belongs to it.");
}

/// Invariant 1, the other half: what the standard library has to offer for acting.
#[test]
fn base_does_not_act() {
    let words = [
        "std::fs",
        "std::net",
        "std::process",
        "std::thread",
        "std::env",
        "std::io::std",
        "Instant::now",
        "SystemTime::now",
        "async fn",
        ".await",
        "println!",
    ];
    none(lines_with(&sources(&["server/base/src"], &[".rs"]), &words), "`base` decides and does nothing.");
}

/// Invariant 2: `engine` knows no LSP and no ACP type.
#[test]
fn engine_speaks_no_editor_protocol() {
    let used = section("server/engine", "[dependencies]");
    let spoken = ["tower-lsp", "lsp-types", "agent-client-protocol-schema", "agent-client-protocol", "clap"];
    let found = used.into_iter().filter(|name| spoken.contains(&name.as_str())).collect();
    none(found, "Protocols are the business of `front`.");
}

/// The modules of a crate in the order of its lib.rs.
fn modules(package: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(package).join("src/lib.rs")).unwrap();
    let names = text.lines().filter_map(|line| {
        line.strip_prefix("pub mod ")
            .or_else(|| line.strip_prefix("mod "))?
            .strip_suffix(';')
            .map(str::to_owned)
    });
    names.collect()
}

/// Pairs of modules of which the first uses the second, with a place.
fn uses(package: &str) -> BTreeMap<(String, String), String> {
    let modules = modules(package);
    let source = format!("{package}/src");
    let mut uses = BTreeMap::new();
    for file in sources(&[source.as_str()], &[".rs"]).iter().filter(|file| !file.is_test()) {
        let below = file.name.strip_prefix(&source).unwrap().trim_start_matches('/');
        let module = below.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
        for (at, line) in file.code() {
            for (start, _) in line.match_indices("crate::") {
                let name: String = line[start + "crate::".len()..]
                    .chars()
                    .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                    .collect();
                if name != module && modules.contains(&name) && modules.contains(&module) {
                    let place = || format!("{}:{at}", file.name);
                    uses.entry((module.clone(), name)).or_insert_with(place);
                }
            }
        }
    }
    uses
}

/// Reading a crate from the top, a module uses only what stands above it.
#[track_caller]
fn check_order(package: &str) {
    let modules = modules(package);
    let place = |name: &str| modules.iter().position(|other| other == name);
    let wrong = uses(package)
        .into_iter()
        .filter(|((user, used), _)| place(user) < place(used))
        .map(|((user, used), at)| format!("{user} uses {used}, which stands below it ({at})"));
    none(
        wrong.collect(),
        &format!("{package}/src/lib.rs lists modules so that each uses only those above it."),
    );
}

#[test]
fn modules_of_base_stand_in_reading_order() {
    check_order("server/base");
}

#[test]
fn modules_of_engine_stand_in_reading_order() {
    check_order("server/engine");
}

/// Invariant: one place starts processes, so that all have limits and none holds our pipes.
#[test]
fn only_process_starts_processes() {
    let mut files = sources(&["server"], &[".rs"]);
    files.retain(|file| !file.name.starts_with("server/engine/src/process"));
    none(
        lines_with(&files, &["std::process::Command", "process::Command", "Command::new("]),
        "Processes are started by engine::process alone.",
    );
}

/// Invariant 6: a tool proposes; it never writes. The output rule keeps long results in the
/// session's own folder, and no file of a project.
#[test]
fn tools_write_nothing() {
    let mut files = sources(&["server/engine/src"], &[".rs"]);
    files.retain(|file| file.name.starts_with("server/engine/src/tools"));
    let words = [
        "fs::write",
        "fs::create",
        "fs::remove",
        "fs::rename",
        "fs::copy",
        "fs::set_permissions",
        "File::create",
        "OpenOptions",
    ];
    none(lines_with(&files, &words), "A change of a file is a proposal, given to the reviewer.");
}

/// Invariant 16: stdout belongs to the protocol.
#[test]
fn only_the_command_line_prints() {
    let mut files = sources(&["server"], &[".rs"]);
    let prints = |name: &str| {
        name.starts_with("server/front/src/cli")
            || name.starts_with("server/front/src/terminal")
            || name.ends_with("build.rs")
    };
    files.retain(|file| !prints(&file.name));
    none(
        lines_with(&files, &["println!", "print!(", "dbg!(", "std::io::stdout"]),
        "stdout belongs to the protocol; only the command line and the terminal print.",
    );
}

/// The transport is a choice that must stay easy to change.
#[test]
fn tower_lsp_is_named_by_lsp_alone() {
    let mut files = sources(&["server"], &[".rs"]);
    files.retain(|file| !file.name.starts_with("server/front/src/lsp"));
    none(lines_with(&files, &["tower_lsp"]), "The LSP library is known in front's lsp alone.");
}

#[test]
fn files_stay_small() {
    let long = sources(&["server", "tests", "editors"], &[".rs", ".lua", ".py", ".ts", ".mjs"])
        .into_iter()
        .map(|file| (file.text.lines().count(), file.name))
        .filter(|(lines, _)| *lines > 600)
        .map(|(lines, name)| format!("{name}: {lines} lines"));
    none(long.collect(), "A file has one subject; over 600 lines it has several.");
}

#[test]
fn unit_tests_lie_beside_their_file() {
    let inside = sources(&["server"], &[".rs"]).into_iter().filter(|file| file.text.contains("mod tests {"));
    none(inside.map(|file| file.name).collect(), "Unit tests of foo.rs lie in foo/tests.rs.");
    let named = sources(&["server", "tests"], &[".rs"]).into_iter().map(|file| file.name);
    let named = named.filter(|name| name.ends_with("/mod.rs"));
    none(named.collect(), "foo.rs and foo/bar.rs, never mod.rs.");
}

/// A path of somebody's machine helps nobody else, and tells of it.
#[test]
fn no_path_of_a_machine() {
    // Put together here, so that this file does not hold what it looks for.
    let roots = ["/wo rk/", "/ro ot/", "/ho me/", "/Us ers/"].map(|path| path.replace(' ', ""));
    let endings = [
        ".rs", ".lua", ".py", ".ts", ".mjs", ".toml", ".json", ".md", ".txt", ".sh", ".yaml", "/run",
        "/install",
    ];
    let mut found = Vec::new();
    for file in sources(&["."], &endings) {
        for (at, line) in file.text.lines().enumerate() {
            let named = roots
                .iter()
                .any(|path| line.match_indices(path.as_str()).any(|(start, _)| begins(line, start)));
            if named && !invented(line) {
                found.push(format!("{}:{}: {}", file.name, at + 1, line.trim()));
            }
        }
    }
    none(found, "A path of somebody's machine.");
}

/// Whether a path begins here, and not in the middle of a longer one.
fn begins(line: &str, start: usize) -> bool {
    !line[..start].ends_with(|letter: char| letter.is_alphanumeric() || "._-~}".contains(letter))
}

/// People who are made up, in examples.
fn invented(line: &str) -> bool {
    ["me", "you", "user", "ada", "u"].iter().any(|name| {
        line.match_indices(&format!("/{name}")).any(|(start, found)| {
            !line[start + found.len()..].starts_with(|letter: char| letter.is_alphanumeric())
        })
    })
}
