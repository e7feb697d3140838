//! The gate. Every call, from whatever dialect, goes through [`Granted`]'s only maker.

use assent_base::policy::ResolvedCall;

/// The right to run exactly one resolved call. Only the gate can make one.
#[derive(Debug)]
pub struct Granted {
    call: ResolvedCall,
    auto_accept: bool,
}

impl Granted {
    /// The call that was judged and shown.
    pub fn call(&self) -> &ResolvedCall {
        &self.call
    }
    /// Whether its edits are accepted at once (mode `accept-edits`) instead of hunk by hunk.
    pub fn auto_accept(&self) -> bool {
        self.auto_accept
    }
}
