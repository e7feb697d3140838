//! `assent explain-rule`: what would become of a call, and why. Nothing is run and nobody is asked.

use super::run::ModeName;
use super::tools::{ByHand, by_hand};
use super::{Exit, environment};
use assent_base::clip::visible_line;
use assent_base::policy::{Decision, ResolvedCall, Verdict};
use assent_engine::main_loop::Environment;
use assent_engine::permission::Explain;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// What `assent explain-rule` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The tool.
    tool: String,
    /// The arguments of the call, as a JSON object.
    #[arg(value_name = "JSON")]
    call: String,
    /// The workspace folder; the current one without it.
    #[arg(short = 'C', value_name = "DIR")]
    directory: Option<PathBuf>,
    /// The mode that the call would be made in.
    #[arg(long, value_enum)]
    mode: Option<ModeName>,
    /// As JSON: {"tool", "subject", "verdict", "rule", "reasons": [{"what", "source"}], "remember"}.
    #[arg(long)]
    json: bool,
}

/// Whether a decision was reached. A call that no tool takes never gets to the gate.
static DECIDED: AtomicBool = AtomicBool::new(false);

/// Explain, on stdout.
pub async fn run(arguments: Arguments, environment: Environment) -> anyhow::Result<Exit> {
    let folder = match environment::folder(arguments.directory.as_deref()) {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!("assent: {error:#}");
            return Ok(Exit::Usage);
        }
    };
    let explain: Explain = if arguments.json { as_json } else { in_words };
    let how = ByHand { folder: &folder, mode: arguments.mode.map(Into::into), explain: Some(explain) };
    let exit = by_hand(&arguments.tool, &arguments.call, how, environment).await?;
    Ok(if DECIDED.load(Ordering::Relaxed) { Exit::Done } else { exit })
}

fn verdict(decision: &Decision) -> &'static str {
    match (decision.verdict, decision.as_review) {
        (Verdict::Allow, true) => "review",
        (Verdict::Allow, false) => "allow",
        (Verdict::Ask, _) => "ask",
        (Verdict::Deny, _) => "deny",
    }
}

fn as_json(call: &ResolvedCall, decision: &Decision) -> String {
    DECIDED.store(true, Ordering::Relaxed);
    let reasons: Vec<Value> =
        decision.steps.iter().map(|step| json!({ "what": step.what, "source": step.source })).collect();
    let explained = json!({
        "tool": call.tool,
        "subject": call.subject,
        "verdict": verdict(decision),
        "rule": decision.rule,
        "reasons": reasons,
        "remember": decision.remember.as_ref().map(ToString::to_string),
    });
    format!("{explained:#}")
}

fn in_words(call: &ResolvedCall, decision: &Decision) -> String {
    DECIDED.store(true, Ordering::Relaxed);
    let outcome = match verdict(decision) {
        "review" => "is reviewed, hunk by hunk",
        "allow" => "runs",
        "ask" => "asks",
        _ => "is refused",
    };
    let mut text = format!("{}: {}\n", call.tool, visible_line(&call.subject));
    for (nth, step) in decision.steps.iter().enumerate() {
        let (what, source) = (visible_line(&step.what), visible_line(&step.source));
        text.push_str(&format!("  {}. {what} ({source})\n", nth + 1));
    }
    text.push_str(&format!("It {outcome}.\n"));
    if let Some(rule) = &decision.remember {
        text.push_str(&format!("\"Always\" would save the rule: {}\n", visible_line(&rule.to_string())));
    }
    text
}
