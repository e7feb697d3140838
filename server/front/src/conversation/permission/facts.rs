//! An approval as data: from the engine's words to those of the wire.

use crate::protocol::{
    CommandMeta, CommandPart, CwdMeta, EnvMeta, FileMeta, FileOperation, PermissionMeta, ReasonMeta,
    SandboxMeta, ToolMeta,
};
use assent_base::clip::visible_line;
use assent_base::policy::Parsed;
use assent_engine::editor::{Approval, Operation, ShownCommand, ShownFile, ShownSandbox};

/// What is judged and why it is asked.
pub fn facts(approval: &Approval) -> PermissionMeta {
    let (call, facts) = (&approval.call, &approval.facts);
    let directory = call.command.as_ref().map(|command| &command.directory.canonical);
    PermissionMeta {
        id: approval.id.clone(),
        request_id: approval.id.clone(),
        digest: approval.digest.clone(),
        prompt: facts.prompt.clone(),
        subject: approval.shown_subject.clone(),
        tool: ToolMeta {
            name: facts.tool.name.clone(),
            kind: facts.tool.kind.clone(),
            source: facts.tool.source.clone(),
            overrides: facts.tool.overrides.clone(),
        },
        command: facts.command.as_ref().map(command),
        cwd: facts.cwd.as_ref().map(|cwd| CwdMeta { path: cwd.path.clone(), inside: cwd.inside }),
        env: facts
            .env
            .iter()
            .map(|(name, value)| EnvMeta { name: name.clone(), value: value.clone() })
            .collect(),
        files: facts.files.iter().map(file).collect(),
        arguments: facts.arguments.clone(),
        network: facts.network.clone(),
        reads: call.effects.reads,
        writes: call.effects.writes,
        exec: call.effects.exec,
        rule: approval.rule.clone(),
        reasons: facts
            .reasons
            .iter()
            .map(|step| ReasonMeta { what: step.what.clone(), source: step.source.clone() })
            .collect(),
        remember: approval.remember.clone(),
        remember_scopes: facts.scopes.clone(),
        warnings: approval.warnings.clone(),
        agent_path: approval.agent_path.clone(),
        unsaved: approval.unsaved.iter().map(|uri| uri.as_str().to_owned()).collect(),
        sandbox: approval.sandbox.as_ref().map(sandbox),
        directory: directory.map(|directory| visible_line(&directory.to_string_lossy())),
    }
}

fn sandbox(shown: &ShownSandbox) -> SandboxMeta {
    SandboxMeta {
        name: shown.name.to_owned(),
        network: shown.network,
        writable: shown.writable.iter().map(|path| visible_line(&path.to_string_lossy())).collect(),
        words: visible_line(&shown.words),
    }
}

fn command(command: &ShownCommand) -> CommandMeta {
    let part = |part: &Parsed| CommandPart {
        argv: part.argv.clone(),
        program: part.program.as_ref().map(|program| program.to_string_lossy().into_owned()),
        marks: part.marks.iter().map(|mark| mark.words().to_owned()).collect(),
    };
    let parsed = command.parsed.iter().map(part).collect();
    CommandMeta { lines: command.lines, bytes: command.bytes, parsed }
}

fn file(file: &ShownFile) -> FileMeta {
    let operation = match file.operation {
        Operation::Read => FileOperation::Read,
        Operation::Create => FileOperation::Create,
        Operation::Edit => FileOperation::Edit,
        Operation::Delete => FileOperation::Delete,
        Operation::Mode => FileOperation::Mode,
    };
    FileMeta {
        path: file.path.clone(),
        target: file.target.clone(),
        operation,
        protected: file.protected.clone(),
    }
}
