//! The tools whose file names a program: found once, outside the project, and run with the model's
//! arguments as they are. There is no shell.

use super::command::{self, Command, Finished};
use super::needs::Needs;
use super::{Tool, ToolContext, ToolOutput, output, target};
use crate::event::ToolKind;
use crate::limits;
use crate::permission::Granted;
use crate::process::End;
use assent_base::path::{PathClass, ResolvedPath};
use assent_base::policy::{Access, ProgramCall, ResolvedCall};
use assent_base::tool::{
    ArgumentValue, Definition, Effects, Exec as ExecClass, ExecHandler, Judged, Reads, Told, ValueKind,
    Writes,
};
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the model can do where the sandbox was in the way of a program.
const ADVICE: &str = "[If that is why it failed: tell the user, who can let it write more or use the network by \
                      `sandbox` in assent.yaml, or have its tool file declare what it writes.]";

/// One such tool.
pub(super) struct Exec {
    definition: Arc<Definition>,
    handler: ExecHandler,
    needs: Needs,
    /// It was there when it was looked for, and is no more.
    gone: AtomicBool,
}

impl Exec {
    pub(super) fn new(definition: Arc<Definition>, handler: ExecHandler, needs: Needs) -> Self {
        Self { definition, handler, needs, gone: AtomicBool::new(false) }
    }

    /// A run that ended by itself, in one line, where the file says how.
    fn summary(&self, line: &str, finished: &Finished) -> Option<String> {
        let End::Exited(code) = finished.end else { return None };
        let (output, cut) = (finished.output.head.as_str(), finished.output.tail.is_some());
        self.handler.summary.of(&Told { line, output, cut, code })
    }

    /// The model's arguments behind the fixed words.
    fn words(&self, arguments: &Map<String, Value>) -> (Vec<String>, Vec<String>) {
        let args = arguments.get("args").and_then(Value::as_array).into_iter().flatten();
        let args: Vec<String> = args.filter_map(|arg| arg.as_str().map(str::to_owned)).collect();
        let all = self.handler.subcommand.iter().chain(&args).cloned().collect();
        (args, all)
    }
}

#[async_trait]
impl Tool for Exec {
    fn definition(&self) -> &Arc<Definition> {
        &self.definition
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Execute
    }

    fn missing(&self) -> Option<String> {
        match self.needs.program() {
            Err(reason) => Some(reason.to_owned()),
            Ok(Some(program)) if self.gone.load(Ordering::Relaxed) => {
                Some(format!("{} is there no more", program.display()))
            }
            Ok(_) => None,
        }
    }

    fn title(&self, call: &ResolvedCall) -> String {
        format!("Run {}", call.subject.lines().next().unwrap_or_default())
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        if let Some(reason) = self.missing() {
            return Err(format!("{} can't be used: {reason}.", self.definition.name));
        }
        let (Ok(Some(program)), Some(folder)) = (self.needs.program(), ctx.folders.first()) else {
            return Err("There is no workspace folder to run it in.".into());
        };
        let Ok(real) = tokio::fs::canonicalize(program).await else {
            self.gone.store(true, Ordering::Relaxed);
            let (name, program) = (&self.definition.name, program.display());
            return Err(format!(
                "{program} is there no more. {name} is not offered any more in this session."
            ));
        };
        let (args, words) = self.words(&arguments);
        let judged = self.handler.filter.judge(&args)?;
        let program = ProgramCall {
            program: program.to_owned(),
            real,
            arguments: words,
            directory: folder.clone(),
            environment: self.handler.env.clone(),
        };
        let mut effects = self.definition.effects;
        let paths = paths(&judged, &mut effects, ctx).await?;
        let mut notes = judged.doubts;
        if !notes.is_empty() {
            // Nobody said what it does, so nobody can have said what class it is.
            effects.exec = effects.exec.max(ExecClass::Undeclared);
        }
        notes.push(format!("runs {}", program.program.display()));
        Ok(ResolvedCall {
            call_id: call_id.to_owned(),
            tool: self.definition.name.clone(),
            subject: program.line(&self.handler.bin),
            effects,
            paths,
            command: None,
            program: Some(program),
            arguments,
            notes,
            unsandboxed: false,
        })
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let Some(call) = granted.call().program.clone() else {
            return ToolOutput::error("The call holds no program; nothing was run.");
        };
        let command = Command {
            program: call.program.clone(),
            arguments: call.arguments,
            directory: call.directory,
            environment: call.environment,
            timeout: limits::COMMAND_TIME_DEFAULT,
            spill: output::spill_path(ctx, &self.definition.name),
            sandbox: granted.sandbox(),
        };
        match command::run(ctx, command, ADVICE).await {
            Ok((output, finished)) => {
                ToolOutput { summary: self.summary(&granted.call().subject, &finished), ..output }
            }
            Err(error) => {
                if tokio::fs::metadata(&call.program).await.is_err() {
                    self.gone.store(true, Ordering::Relaxed);
                    let name = &self.definition.name;
                    return ToolOutput::error(format!(
                        "{error} {name} is not offered any more in this session."
                    ));
                }
                ToolOutput::error(error.to_string())
            }
        }
    }
}

/// What the arguments touch. The class that the file declares is that of a call which stays where
/// it belongs; a path that leads elsewhere, or an address, makes it wider.
async fn paths(
    judged: &Judged,
    effects: &mut Effects,
    ctx: &ToolContext,
) -> Result<Vec<(Access, ResolvedPath)>, String> {
    let mut paths = Vec::new();
    for ArgumentValue { kind, text } in &judged.values {
        match kind {
            // Judged below: a text may be a path all the same.
            ValueKind::Text => {}
            ValueKind::Url => effects.reads = effects.reads.max(Reads::Network),
            ValueKind::PathIn => {
                let path = target::path(ctx, text).await?;
                effects.reads = effects.reads.max(target::reads(path.class));
                paths.push((Access::Read, path));
            }
            ValueKind::PathOut => {
                let path = target::path(ctx, text).await?;
                effects.writes = effects.writes.max(target::writes(path.class));
                paths.push((Access::Write, path));
            }
        }
    }
    let texts = judged.values.iter().filter(|value| value.kind == ValueKind::Text);
    let texts = texts.map(|value| without_wildcard(&value.text));
    let unknown = judged.unknown.iter().map(String::as_str).chain(texts);
    for text in unknown.flat_map(perhaps_paths) {
        let path = match target::path(ctx, text).await {
            Ok(path) if path.class == PathClass::Project => continue,
            Ok(path) => Some(path),
            // A name that we can't follow (`//etc/x`, `~/x`) the program may well open.
            Err(_) if leads_away(text) => None,
            Err(_) => continue,
        };
        let class = path.as_ref().map_or(PathClass::External, |path| path.class);
        effects.reads = effects.reads.max(target::reads(class));
        let mut access = Access::Read;
        if effects.writes != Writes::None {
            effects.writes = effects.writes.max(target::writes(class));
            access = Access::Write;
        }
        paths.extend(path.map(|path| (access, path)));
    }
    Ok(paths)
}

/// What a program might take for a path in an argument whose meaning nobody said: all of it, a
/// value glued to a short option, and what stands behind the signs that programs put before one.
fn perhaps_paths(argument: &str) -> impl Iterator<Item = &str> {
    let whole = (!argument.starts_with('-')).then_some(argument);
    let glued = argument.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let glued = glued.and_then(|rest| rest.char_indices().nth(1).map(|(at, _)| &rest[at..]));
    let parts = argument.split(['=', ':', '@', ',']).skip(1);
    whole.into_iter().chain(glued).chain(parts).filter(|text| !text.is_empty())
}

/// `./...` is how some programs say "here and below"; there is no folder of that name.
fn without_wildcard(text: &str) -> &str {
    text.strip_suffix("/...").unwrap_or(text)
}

/// Whether a name looks as if it led out of the folder or to what is hidden.
fn leads_away(text: &str) -> bool {
    text.starts_with(['/', '~', '.', '\\']) || text.contains("..")
}
