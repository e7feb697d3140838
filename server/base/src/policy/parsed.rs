//! The commands of a call as an approval shows them: the words each program gets, which program that
//! is, and what to know of it.

use super::command::{is_builtin, runs_project_code};
use super::{Program, ResolvedCall};
use std::path::PathBuf;

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// Program and arguments, after quote removal.
    pub argv: Vec<String>,
    /// The program, absolute; `None` for a builtin, and where none was found.
    pub program: Option<PathBuf>,
    /// What to know of it.
    pub marks: Vec<Mark>,
}

/// Something to know of a program before it is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It lies in the workspace.
    ProjectBinary,
    /// The shell does it itself.
    ShellBuiltin,
    /// It does what files of the project tell it to.
    RunsProjectCode,
}

impl Mark {
    /// For display.
    pub fn words(self) -> &'static str {
        match self {
            Self::ProjectBinary => "project binary",
            Self::ShellBuiltin => "shell builtin",
            Self::RunsProjectCode => "runs project code",
        }
    }
}

/// The commands that a call runs, in order; none for a call that runs nothing.
pub fn parsed(call: &ResolvedCall, roots: &[PathBuf]) -> Vec<Parsed> {
    if let Some(program) = &call.program {
        let name = program.program.to_string_lossy().into_owned();
        let argv = std::iter::once(name).chain(program.arguments.iter().cloned()).collect();
        return vec![one(argv, Some(&program.found()), roots)];
    }
    let Some(command) = &call.command else { return Vec::new() };
    let programs = command.programs.iter().map(Option::as_ref).chain(std::iter::repeat(None));
    let commands = command.analysis.commands.iter().zip(programs);
    commands.map(|(simple, program)| one(simple.argv.clone(), program, roots)).collect()
}

fn one(argv: Vec<String>, program: Option<&Program>, roots: &[PathBuf]) -> Parsed {
    let builtin = program.is_none() && argv.first().is_some_and(|name| is_builtin(name));
    let marks = [
        (program.is_some_and(|program| program.lies_in(roots)), Mark::ProjectBinary),
        (builtin, Mark::ShellBuiltin),
        (runs_project_code(&argv), Mark::RunsProjectCode),
    ];
    let marks = marks.into_iter().filter(|(holds, _)| *holds).map(|(_, mark)| mark).collect();
    Parsed { argv, program: program.map(|program| program.path.clone()), marks }
}
