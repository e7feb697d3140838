//! Embeds the Neovim plugin, so that one file on the disk is the whole product.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The folders of the plugin that Neovim reads.
const FOLDERS: [&str; 4] = ["doc", "lsp", "lua", "plugin"];

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let plugin = here.join("../../editors/neovim").canonicalize()?;
    let mut files = Vec::new();
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={}", plugin.join(folder).display());
        find(&plugin.join(folder), &mut files)?;
    }
    files.sort();

    let mut code = String::from("[\n");
    for file in &files {
        let name = file.strip_prefix(&plugin).unwrap_or(file).to_string_lossy().replace('\\', "/");
        // Writing to a string can't fail.
        let _ = writeln!(code, "    ({name:?}, include_str!({file:?})),");
    }
    code.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("neovim_plugin.rs"), code)
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            find(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}
