//! Empty folders that stand in a workspace where a protected one is missing, so that a sandbox has
//! something to cover. They are there only while a command runs, are shared by commands that run
//! side by side, and go when they are still empty.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The folders that stand at present, and for how many commands. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Masks(Arc<Mutex<HashMap<PathBuf, usize>>>);

impl Masks {
    /// Makes those that are missing. One that another command has made is held with it.
    pub(super) fn hold(&self, missing: &[PathBuf]) -> Held {
        let mut standing = self.0.lock();
        let mut held: Vec<PathBuf> = missing.to_vec();
        // Another command's stand already, and so were not missing.
        let roots: Vec<PathBuf> = standing.keys().cloned().collect();
        held.extend(roots.into_iter().filter(|path| !missing.contains(path)));
        held.retain(|path| match standing.get_mut(path) {
            Some(count) => {
                *count += 1;
                true
            }
            None => std::fs::create_dir(path).is_ok() && standing.insert(path.clone(), 1).is_none(),
        });
        Held { masks: self.clone(), held }
    }
}

/// Those of one command.
pub(crate) struct Held {
    masks: Masks,
    held: Vec<PathBuf>,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut standing = self.masks.0.lock();
        for path in &self.held {
            let Some(count) = standing.get_mut(path) else { continue };
            *count -= 1;
            if *count == 0 {
                standing.remove(path);
                // Whatever somebody has put into it meanwhile keeps it.
                let _ = std::fs::remove_dir(path);
            }
        }
    }
}
