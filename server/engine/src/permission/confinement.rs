//! Which sandbox a call gets. It is settled before the user is asked, so that what is shown is what
//! holds; a call that can't be held as the settings demand does not run.

use super::{Gate, Refusal, refusal};
use crate::editor::ShownSandbox;
use crate::process::sandbox::{Profile, Wish};
use assent_base::manifest::SandboxMode;
use assent_base::policy::ResolvedCall;
use assent_base::tool::{Reads, Writes};
use std::sync::Arc;

/// What holds a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Confinement {
    /// It starts no process.
    Needless,
    /// Nothing, for this reason.
    Free(String),
    /// This.
    Held(Arc<Profile>),
}

impl Confinement {
    /// The same for the user.
    pub(super) fn shown(&self) -> Option<ShownSandbox> {
        match self {
            Self::Needless => None,
            Self::Free(why) => Some(ShownSandbox::none(why)),
            Self::Held(profile) => Some(ShownSandbox {
                name: profile.name(),
                network: profile.network,
                writable: profile.writable.clone(),
                words: profile.to_string(),
            }),
        }
    }

    pub(super) fn into_profile(self) -> Option<Arc<Profile>> {
        match self {
            Self::Needless | Self::Free(_) => None,
            Self::Held(profile) => Some(profile),
        }
    }
}

impl Gate {
    /// Settles it. Where nothing can hold the call it runs free only if the settings let it.
    pub(super) async fn confinement(&self, call: &ResolvedCall) -> Result<Confinement, Refusal> {
        if !call.runs() {
            return Ok(Confinement::Needless);
        }
        let setup = &self.setup;
        let settings = &setup.settings.sandbox;
        if settings.mode == SandboxMode::Off {
            return Ok(Confinement::Free("`sandbox: off` in the settings".into()));
        }
        let found = match leaves(call) {
            Some(why) => Err(why),
            None => {
                let wish = Wish {
                    settings,
                    folders: &setup.folders,
                    own: &setup.own,
                    home: setup.home.as_deref(),
                    scratch: &setup.scratch,
                    network: call.effects.reads == Reads::Network,
                };
                setup.processes.sandbox(wish).await
            }
        };
        match (found, settings.mode) {
            (Ok(profile), _) => Ok(Confinement::Held(Arc::new(profile))),
            (Err(why), SandboxMode::Required) => Err(refusal(format!(
                "Refused, and not run: the settings demand a sandbox (`sandbox: required`), and there is none for \
                 this call: {why}. Do it without a command, or tell the user what you need."
            ))),
            (Err(why), SandboxMode::Preferred | SandboxMode::Off) => Ok(Confinement::Free(why)),
        }
    }
}

/// Why a call is not there to be held: it says so itself, or its tool's file declares what no
/// sandbox lets through. Either is asked about.
fn leaves(call: &ResolvedCall) -> Option<String> {
    if call.unsandboxed {
        return Some("the call asks to run without one".into());
    }
    let writes = match call.effects.writes {
        Writes::None | Writes::Artifacts | Writes::Project | Writes::ProjectIgnore => return None,
        Writes::ProjectDot => "hidden files of the project",
        Writes::External => "outside the project",
        Writes::Remote => "to another machine",
    };
    Some(format!("its tool file says that it writes {writes}"))
}
