//! What a child of our own binary does before it becomes the program: it gives up rights, by
//! Landlock and by a filter of system calls, which it and all that it starts can't get back.

use super::{Command, Launcher};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

/// What is left to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rights {
    /// Files and folders, with all that is in them, that it may write.
    pub write: Vec<PathBuf>,
    /// The network.
    pub network: bool,
    /// Nothing else holds it: it fails where the kernel can't, and what a network of its own would
    /// keep away is kept away here.
    pub alone: bool,
}

/// The Landlock that is needed where nothing else holds a process: with it a file outside can't be
/// cut off either.
const NEEDED: ABI = ABI::V3;
/// What is used of a newer one.
const KNOWN: ABI = ABI::V9;

/// Devices that programs write to.
const DEVICES: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// The words that make our binary do it, the program and its arguments behind.
pub(super) fn arguments(launcher: &Launcher, rights: &Rights, command: &Command) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec![launcher.0.clone().into(), launcher.1.into()];
    for path in &rights.write {
        words.extend([OsString::from("--write"), path.into()]);
    }
    words.extend(rights.network.then(|| OsString::from("--network")));
    words.extend(rights.alone.then(|| OsString::from("--alone")));
    words.extend([OsString::from("--"), command.program.clone().into()]);
    words.extend(command.arguments.iter().map(OsString::from));
    words
}

/// Gives up all other rights and becomes the program. Comes back only with the reason why not.
pub fn launch(rights: &Rights, program: &OsStr, arguments: &[OsString]) -> String {
    if let Err(words) = restrict(rights) {
        return words;
    }
    let error = std::process::Command::new(program).args(arguments).exec();
    format!("{} can't be started: {error}", Path::new(program).display())
}

fn restrict(rights: &Rights) -> Result<(), String> {
    match landlock(rights) {
        Ok(()) => {}
        // A second layer that the kernel does not have is no reason not to run in the first.
        Err(_) if !rights.alone => {}
        Err(error) => return Err(format!("the kernel has no Landlock that is enough (Linux 6.2): {error}")),
    }
    let filter = filter(rights).map_err(|error| format!("no filter of system calls: {error}"))?;
    seccompiler::apply_filter(&filter).map_err(|error| format!("no filter of system calls: {error}"))
}

fn landlock(rights: &Rights) -> Result<(), RulesetError> {
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(KNOWN))?
        .scope(Scope::from_all(KNOWN))?;
    if rights.alone && !rights.network {
        rules = rules.handle_access(AccessNet::from_all(KNOWN))?;
    }
    let mut rules = rules.create()?;
    rules = allow(rules, Path::new("/"), AccessFs::from_read(KNOWN))?;
    let all = AccessFs::from_all(KNOWN) & !AccessFs::ResolveUnix;
    for path in &rights.write {
        rules = allow(rules, path, all)?;
    }
    // Inside another sandbox the devices are its own.
    let devices: &[&str] = if rights.alone { &DEVICES } else { &["/dev"] };
    for path in devices.iter().chain(&["/dev/shm"]) {
        rules = allow(rules, Path::new(path), all)?;
    }
    rules.restrict_self().map(drop)
}

/// What is not there can't be written either.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(file) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(KNOWN) };
    rules.add_rule(PathBeneath::new(file, access))
}

/// Refused with an error, whoever asks: sockets beyond those that the sandbox itself holds, and the
/// ways into other processes, the kernel's keys, and io_uring, which goes around such a filter.
fn filter(rights: &Rights) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut families = vec![libc::AF_NETLINK];
    if rights.network || !rights.alone {
        families.extend([libc::AF_INET, libc::AF_INET6]);
    }
    let other = families.iter().map(|family| argument(0, SeccompCmpOp::Ne, family.unsigned_abs()));
    // A pair is two ends of one pipe, except that datagrams of one can be sent elsewhere.
    let kinds = SeccompCmpOp::MaskedEq(0xf);
    let datagrams = argument(1, kinds, libc::SOCK_DGRAM.unsigned_abs());
    let mut rules = BTreeMap::from([
        (libc::SYS_socket, vec![SeccompRule::new(other.collect::<Result<_, _>>()?)?]),
        (libc::SYS_socketpair, vec![SeccompRule::new(vec![datagrams?])?]),
    ]);
    let never = [
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_getfd,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_io_uring_setup,
        libc::SYS_io_uring_enter,
        libc::SYS_io_uring_register,
    ];
    rules.extend(never.map(|call| (call, Vec::new())));
    // The same calls by the numbers of x32, which count as another architecture nowhere.
    #[cfg(target_arch = "x86_64")]
    {
        const X32: i64 = 0x4000_0000;
        let twins: Vec<_> = rules.iter().map(|(call, rules)| (call | X32, rules.clone())).collect();
        rules.extend(twins);
        rules.extend([521, 539, 540].map(|call| (call | X32, Vec::new())));
    }
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    SeccompFilter::new(rules, SeccompAction::Allow, refused, std::env::consts::ARCH.try_into()?)?.try_into()
}

fn argument(at: u8, how: SeccompCmpOp, value: u32) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(at, SeccompCmpArgLen::Dword, how, value.into())
}
