//! The tool files that ship: what programmers run daily, each offered only where its program is and
//! the workspace is made with it. Read when a turn first needs them.

use assent_base::tool::{Exec, ToolFile, Writes, shipped_tool_file};

macro_rules! shipped {
    ($($name:literal)*) => {
        &[$((concat!($name, ".json"), include_str!(concat!("../../../../tools/", $name, ".json")))),*]
    };
}

/// In the order in which the model gets them: name and text of each file.
pub(super) const FILES: &[(&str, &str)] = shipped! {
    "git_status"
    "git_diff"
    "git_log"
    "git_show"
    "git_blame"
    "git_branches"
    "git_add"
    "git_commit"
    "cargo_build"
    "cargo_check"
    "cargo_test"
    "cargo_clippy"
    "cargo_fmt"
    "go_build"
    "go_test"
    "go_vet"
    "npm_test"
    "npm_run"
    "pnpm_test"
    "pnpm_run"
    "yarn_test"
    "yarn_run"
    "pytest"
    "ruff"
    "mypy"
    "tsc"
    "eslint"
    "make"
    "ctest"
    "gradle_test"
    "maven_test"
    "dotnet_test"
    "docker_compose_ps"
    "docker_compose_logs"
    "gh_issue_view"
    "gh_pr_view"
};

/// All of them, with the name by which each is told. Looking at a repository runs what its own
/// configuration names as a filter; where the user trusts the workspace that is no code of a stranger's.
pub(super) fn files(trusted: bool) -> impl Iterator<Item = (String, ToolFile)> {
    FILES.iter().map(move |(name, text)| {
        let mut file = shipped_tool_file(name, text).expect("a test parses the shipped files");
        let effects = &mut file.definition.effects;
        if trusted && name.starts_with("git_") && effects.writes == Writes::None {
            effects.exec = Exec::None;
        }
        (format!("tools/{name}"), file)
    })
}

#[cfg(test)]
mod tests;
