//! What the system knows about a process: its processor time and its peak memory. Linux only;
//! elsewhere there is no figure.

use std::time::Duration;

/// Processor time so far, of all threads; still known of a process that ended and was not waited
/// for. In steps of 10 ms.
pub fn processor_time(id: u32) -> Option<Duration> {
    let fields = stat(id)?;
    // After the name and the state: fields 14 and 15 of proc(5).
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    // The length of a tick is part of Linux's interface to programs.
    Some(Duration::from_millis(ticks * 10))
}

/// Whether a process has ended and waits to be waited for.
pub fn has_ended(id: u32) -> bool {
    stat(id).is_none_or(|fields| fields[0] == "Z")
}

/// The fields behind the process's name, which may itself hold blanks.
fn stat(id: u32) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.split_whitespace().map(str::to_owned).collect())
}

/// Peak of the memory in use, in megabytes.
pub fn peak_memory(id: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<f64>().ok()? / 1024.0)
}
