//! What the user said of one folder, on disk: a file of its own, so that a broken one costs the
//! trust in one folder, and two windows on different folders never meet.

use super::shown::{Item, Shown};
use super::{Kind, owner};
use crate::limits;
use crate::private;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// The version written today.
const VERSION: u32 = 1;

/// One folder's record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Record {
    version: u32,
    /// The canonical folder, for readers and against a record under another's name.
    folder: String,
    /// When it was last looked at.
    since: String,
    /// The digest of each thing that was looked at, by kind and name.
    pub(super) approved: BTreeMap<String, String>,
    /// The project's settings as they were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) settings: Option<Settings>,
}

/// A settings file, whole: what it narrows holds on until its change was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) name: String,
    pub(super) text: String,
}

/// Under which name a thing is kept.
pub(super) fn key(kind: Kind, name: &str) -> String {
    format!("{}:{name}", kind.name())
}

impl Record {
    /// This record after the user looked at what was shown. What is not there at present (another
    /// branch has it) stays approved as it was.
    pub(super) fn with(mut self, shown: &Shown) -> Self {
        let now = |item: &Item| Some((key(item.kind, &item.name), item.digest.clone()?));
        if self.approved.len() > limits::TRUSTED_THINGS {
            self.approved.clear();
        }
        self.approved.extend(shown.items.iter().filter_map(now));
        let settings = shown.settings.as_ref();
        Self {
            version: VERSION,
            folder: name(&shown.folder),
            since: jiff::Timestamp::now().to_string(),
            approved: self.approved,
            settings: settings.map(|(name, text)| Settings { name: name.clone(), text: text.clone() }),
        }
    }
}

fn name(folder: &Path) -> String {
    folder.display().to_string()
}

/// The record in a file, if there is one. Whatever is not certainly ours is an error.
pub(super) fn read(file: &Path, root: &Path) -> Result<Option<Record>, String> {
    let broken = |why: &str| {
        format!(
            "The record of what you trust does not count, so nothing of this workspace does ({}: {why}). \
             `assent trust` lets you look at it anew.",
            file.display()
        )
    };
    let Some(text) = text(file).map_err(|why| broken(&why))? else { return Ok(None) };
    let record: Record = serde_json::from_str(&text).map_err(|why| broken(&why.to_string()))?;
    if record.version != VERSION {
        return Err(broken(&format!("it is of version {}", record.version)));
    }
    if record.folder != name(root) {
        return Err(broken(&format!("it is about {}", record.folder)));
    }
    Ok(Some(record))
}

fn text(file: &Path) -> Result<Option<String>, String> {
    let found = match private::open(file) {
        Ok(found) => found,
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(problem) => return Err(problem.to_string()),
    };
    folder_is_ours(file.parent().unwrap_or(file)).map_err(|problem| problem.to_string())?;
    let mut text = String::new();
    found.take(limits::TRUST_RECORD).read_to_string(&mut text).map_err(|problem| problem.to_string())?;
    Ok(Some(text))
}

fn folder_is_ours(folder: &Path) -> io::Result<()> {
    let data = fs::symlink_metadata(folder)?;
    owner::only_ours(&data).map_err(|why| io::Error::other(format!("its folder {why}")))
}

/// Put a record in the place of the one before, in one step.
pub(super) fn write(file: &Path, record: &Record) -> Result<(), String> {
    let written = || -> io::Result<()> {
        let folder = file.parent().ok_or_else(|| io::Error::other("it lies in no folder"))?;
        private::private_folder(folder)?;
        folder_is_ours(folder)?;
        private::replace(file, &serde_json::to_vec_pretty(record)?)
    };
    written().map_err(|problem| {
        format!(
            "The trust can't be kept, {} can't be written: {problem}. Check the folder's permissions and free space.",
            file.display()
        )
    })
}

/// Remove a record; says whether there was one.
pub(super) fn remove(file: &Path) -> Result<bool, String> {
    match fs::remove_file(file) {
        Ok(()) => Ok(true),
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(problem) => Err(format!(
            "{} can't be removed, so the folder is still trusted: {problem}. Remove the file yourself.",
            file.display()
        )),
    }
}
