//! What the built server costs as a process, the model's time taken out: it talks to a model
//! server on loopback that does nothing but keep the time. Prints a table and fails no build.
//!
//! `cargo bench -p assent --bench process` (some minutes to build; `--profile dev` to try it out).

mod headless;
mod process;
mod provider;
mod search;
mod table;
mod warm;

/// The built server.
const PROGRAM: &str = env!("CARGO_BIN_EXE_assent");

fn main() {
    table::head();
    headless::measure();
    warm::measure();
    search::measure();
}
