//! The binary.

/// ACP's methods to sessions and events to updates.
pub mod conversation;
/// Our own extension of the wire.
pub mod protocol;

fn main() {}
