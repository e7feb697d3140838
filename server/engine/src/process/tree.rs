//! A process with everything it started. Children inherit a marker variable; on Linux they are
//! found by it wherever they went (`setsid`, reparented), elsewhere by their process group.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The variable that marks a run's processes.
pub(super) const VARIABLE: &str = "ASSENT_RUN";

/// Between asking a process to end and ending it.
const GRACE: Duration = Duration::from_millis(500);
/// How often the living are counted meanwhile.
const STEP: Duration = Duration::from_millis(20);
/// A tree that forks while it is ended is ended again, this many times.
const KILLS: u32 = 50;

/// A marker that no other run has: `all` (unique for each [`super::Processes`]), the owner, a
/// number.
pub(super) fn marker(all: &str, owner: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{all}:{owner}:{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// One run's processes.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    marker: String,
    /// The main process, which leads a session and a group of its own.
    leader: Option<u32>,
}

impl Tree {
    pub(super) fn new(marker: String, leader: Option<u32>) -> Self {
        Self { marker, leader }
    }

    /// Ask all of it to end, then end it.
    pub(super) async fn end(&self) {
        let which =
            Which { marker: self.marker.clone(), exact: true, leaders: self.leader.into_iter().collect() };
        which.end().await;
    }

    /// The same for what it left behind: its main process is gone, and its number may be somebody
    /// else's by now.
    pub(super) async fn end_marked(&self) {
        Which { marker: self.marker.clone(), exact: true, leaders: Vec::new() }.end().await;
    }

    /// End all of it, at once and without waiting.
    pub(super) fn kill_now(&self) {
        let which =
            Which { marker: self.marker.clone(), exact: true, leaders: self.leader.into_iter().collect() };
        which.signal(Signal::Kill);
    }

    /// False only when it is surely gone.
    pub(super) fn may_be_alive(&self) -> bool {
        platform::group_may_be_alive(self.leader)
    }
}

/// End what an owner's runs left behind. Their main processes are gone, so their numbers may be
/// somebody else's by now: only the marker counts, where there is one.
pub(super) async fn end_owner(all: &str, owner: &str, trees: Vec<Tree>) {
    let leaders = if platform::FINDS_BY_MARKER {
        Vec::new()
    } else {
        trees.iter().filter_map(|tree| tree.leader).collect()
    };
    Which { marker: format!("{all}:{owner}:"), exact: false, leaders }.end().await;
}

/// Whether processes are found by their marker, wherever they went.
pub(super) const FINDS_BY_MARKER: bool = platform::FINDS_BY_MARKER;

/// End everything that carries the mark, whoever it belonged to. Blocks, up to a second or two.
pub(super) fn end_marked(all: &str) {
    let which = Which { marker: format!("{all}:"), exact: false, leaders: Vec::new() };
    if which.signal(Signal::Terminate) == 0 {
        return;
    }
    let mut waited = Duration::ZERO;
    while waited < GRACE && platform::count(&which) > 0 {
        std::thread::sleep(STEP);
        waited += STEP;
    }
    for _ in 0..KILLS {
        if which.signal(Signal::Kill) == 0 {
            return;
        }
        std::thread::sleep(STEP);
    }
}

enum Signal {
    Terminate,
    Kill,
}

/// Which processes are meant.
#[derive(Clone)]
struct Which {
    marker: String,
    exact: bool,
    leaders: Vec<u32>,
}

impl Which {
    async fn end(&self) {
        if self.signal_off_thread(Signal::Terminate).await == 0 {
            return;
        }
        let mut waited = Duration::ZERO;
        while waited < GRACE {
            tokio::time::sleep(STEP).await;
            waited += STEP;
            if self.count_off_thread().await == 0 {
                return;
            }
        }
        for _ in 0..KILLS {
            if self.signal_off_thread(Signal::Kill).await == 0 {
                return;
            }
            tokio::time::sleep(STEP).await;
        }
        tracing::warn!(marker = self.marker, "processes of a run could not be ended");
    }

    /// Signals every living process that is meant; gives how many there were.
    fn signal(&self, signal: Signal) -> usize {
        platform::signal(self, signal)
    }

    async fn signal_off_thread(&self, signal: Signal) -> usize {
        let which = self.clone();
        tokio::task::spawn_blocking(move || which.signal(signal)).await.unwrap_or(0)
    }

    async fn count_off_thread(&self) -> usize {
        let which = self.clone();
        tokio::task::spawn_blocking(move || platform::count(&which)).await.unwrap_or(0)
    }

    #[cfg(target_os = "linux")]
    fn is_marked(&self, environment: &[u8]) -> bool {
        environment.split(|byte| *byte == 0).any(|variable| {
            let value = variable.strip_prefix(VARIABLE.as_bytes()).and_then(|rest| rest.strip_prefix(b"="));
            value.is_some_and(|value| {
                if self.exact {
                    value == self.marker.as_bytes()
                } else {
                    value.starts_with(self.marker.as_bytes())
                }
            })
        })
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use super::{Signal, Which};
    use rustix::process::{Pid, kill_process};

    pub(super) const FINDS_BY_MARKER: bool = true;

    pub(super) fn group_may_be_alive(_: Option<u32>) -> bool {
        // The marker finds them; there is nothing to remember.
        false
    }

    pub(super) fn signal(which: &Which, signal: Signal) -> usize {
        let signal = match signal {
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        let found = living(which);
        for pid in &found {
            // It may have ended since it was found.
            let _ = kill_process(*pid, signal);
        }
        found.len()
    }

    pub(super) fn count(which: &Which) -> usize {
        living(which).len()
    }

    fn living(which: &Which) -> Vec<Pid> {
        let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
        entries
            .filter_map(Result::ok)
            .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
            .filter(|number| is_meant(which, *number))
            .filter_map(|number| Pid::from_raw(i32::try_from(number).ok()?))
            .collect()
    }

    fn is_meant(which: &Which, number: u32) -> bool {
        let Some((state, session)) = state_and_session(number) else { return false };
        if matches!(state, 'Z' | 'X') || number == std::process::id() {
            return false;
        }
        // A child that cleared its environment is still in the leader's session.
        which.leaders.contains(&session)
            || std::fs::read(format!("/proc/{number}/environ"))
                .is_ok_and(|environment| which.is_marked(&environment))
    }

    /// From `/proc/N/stat`; the name in it may hold anything, so the fields are counted from its
    /// closing parenthesis.
    fn state_and_session(number: u32) -> Option<(char, u32)> {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_whitespace();
        let state = fields.next()?.chars().next()?;
        let session = fields.nth(2)?.parse().ok()?;
        Some((state, session))
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod platform {
    use super::{Signal, Which};
    use rustix::process::{Pid, kill_process_group, test_kill_process_group};

    pub(super) const FINDS_BY_MARKER: bool = false;

    pub(super) fn group_may_be_alive(leader: Option<u32>) -> bool {
        leader.and_then(group).is_some_and(|group| test_kill_process_group(group).is_ok())
    }

    pub(super) fn signal(which: &Which, signal: Signal) -> usize {
        let signal = match signal {
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        let groups = which.leaders.iter().filter_map(|leader| group(*leader));
        groups.filter(|group| kill_process_group(*group, signal).is_ok()).count()
    }

    pub(super) fn count(which: &Which) -> usize {
        which.leaders.iter().filter(|leader| group_may_be_alive(Some(**leader))).count()
    }

    fn group(leader: u32) -> Option<Pid> {
        Pid::from_raw(i32::try_from(leader).ok()?)
    }
}

#[cfg(not(unix))]
mod platform {
    //! The job object that a run's processes are in ends them.
    use super::{Signal, Which};

    pub(super) const FINDS_BY_MARKER: bool = false;

    pub(super) fn group_may_be_alive(_: Option<u32>) -> bool {
        false
    }

    pub(super) fn signal(_: &Which, _: Signal) -> usize {
        0
    }

    pub(super) fn count(_: &Which) -> usize {
        0
    }
}
