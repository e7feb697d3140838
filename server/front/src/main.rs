//! The binary `assent`: the only crate that knows LSP, ACP and the terminal. It talks; what is
//! decided is decided in `base`, what is done is done in `engine`.

/// The Agent Client Protocol on stdio.
mod acp;
/// The command line: one file a subcommand.
mod cli;
/// ACP's methods to sessions and events to updates: one implementation for every front.
mod conversation;
/// The language server on stdio.
mod lsp;
/// Our own extension of the wire.
mod protocol;
/// The terminal as an editor.
mod terminal;

fn main() -> std::process::ExitCode {
    cli::main()
}
