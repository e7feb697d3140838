//! `assent schema`: the JSON Schema of what users write, for editors and other tools.

use super::{Exit, print};
use assent_base::manifest::settings_schema;
use assent_base::tool::tool_file_schema;

/// What `assent schema` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// Of which files.
    #[arg(value_enum)]
    of: Of,
}

/// Which files.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Of {
    /// Tool files.
    Tool,
    /// `assent.yaml`.
    Settings,
}

/// Print it.
pub fn run(arguments: &Arguments) -> Exit {
    let schema = match arguments.of {
        Of::Tool => tool_file_schema(),
        Of::Settings => settings_schema(),
    };
    print(&format!("{schema:#}\n"));
    Exit::Done
}
