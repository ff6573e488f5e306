//! The confinement of this process: it gives up, for good, all that a program under test must not reach: files
//! (Landlock), and sockets, other processes and the rest of the system (seccomp).
//!
//! Both are Linux's own, need no rights and no helper program, and cannot be undone from inside. The lists name the
//! calls that are allowed, so that a call which a later kernel adds is refused until it has been reviewed.
//! `docs/threat-model.md` says why each group is there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    Scope, path_beneath_rules,
};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter, sock_filter,
};

type Failure = Box<dyn std::error::Error>;

/// Confines this process to reading files below some paths. The names of the means that the system lacks.
#[pyfunction]
pub(crate) fn confine(readable: Vec<PathBuf>) -> PyResult<Vec<&'static str>> {
    let mut missing = Vec::new();
    if !confine_files(&readable).map_err(|error| PyOSError::new_err(error.to_string()))? {
        missing.push("Landlock");
    }
    if confine_calls().is_err() {
        missing.push("seccomp");
    }
    Ok(missing)
}

/// Confines files. Whether the kernel can. Abilities that later versions of Landlock add are refused as calls, too.
fn confine_files(readable: &[PathBuf]) -> Result<bool, Failure> {
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?
        .add_rules(path_beneath_rules(readable, AccessFs::from_read(ABI::V5)))?
        .add_rules(path_beneath_rules([Path::new("/dev/null")], AccessFs::from_file(ABI::V5)))?
        .restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}

fn confine_calls() -> Result<(), Failure> {
    let own = u64::from(std::process::id());
    let is_thread = u64::try_from(libc::CLONE_THREAD)?;
    let mut allowed: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().chain(ALLOWED_OLD).map(|call| (*call, vec![])).collect();
    allowed
        .insert(libc::SYS_clone, vec![rule(&[(0, SeccompCmpOp::MaskedEq(is_thread), is_thread)])?]);
    for call in [libc::SYS_kill, libc::SYS_tgkill] {
        allowed.insert(call, vec![rule(&[(0, SeccompCmpOp::Eq, own)])?]);
    }
    allowed.insert(libc::SYS_prlimit64, any_of(0, &[0, own])?);
    // A pair of streams leads nowhere else; asyncio wakes itself with one.
    let stream = u64::try_from(libc::SOCK_STREAM)?;
    let pair = [
        (0, SeccompCmpOp::Eq, u64::try_from(libc::AF_UNIX)?),
        (1, SeccompCmpOp::MaskedEq(0xf), stream),
    ];
    allowed.insert(libc::SYS_socketpair, vec![rule(&pair)?]);
    allowed.insert(libc::SYS_fcntl, any_of(1, DESCRIPTOR_COMMANDS)?);
    allowed.insert(libc::SYS_ioctl, any_of(1, DEVICE_COMMANDS)?);
    allowed.insert(libc::SYS_prctl, any_of(0, THREAD_NAMES)?);
    let refused = SeccompAction::Errno(u32::try_from(libc::EPERM)?);
    let arch = std::env::consts::ARCH.try_into()?;
    let listed: BpfProgram =
        SeccompFilter::new(allowed, refused, SeccompAction::Allow, arch)?.try_into()?;
    let program: BpfProgram = unknown_calls()?.into_iter().chain(listed).collect();
    Ok(apply_filter(&program)?)
}

/// The front of the filter: the calls that the kernel denies knowing. C libraries try calls that are newer than this
/// list, and do without where the answer is ENOSYS; they do not where it is EPERM. The same holds for `clone3`:
/// `clone` follows, whose flags a filter can see. The numbers behind jumps count the instructions that are left out.
fn unknown_calls() -> Result<[sock_filter; 4], Failure> {
    const LOAD: u16 = 0x20;
    const IF_EQUAL: u16 = 0x15;
    const IF_GREATER: u16 = 0x25;
    const RETURN: u16 = 0x06;
    const ERRNO: u32 = 0x0005_0000;
    let instruction = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    Ok([
        instruction(LOAD, 0, 0, 0),
        instruction(IF_EQUAL, 1, 0, u32::try_from(libc::SYS_clone3)?),
        instruction(IF_GREATER, 0, 1, NEWEST_REVIEWED),
        instruction(RETURN, 0, 0, ERRNO | u32::try_from(libc::ENOSYS)?),
    ])
}

/// One rule for each value that an argument may have.
fn any_of(argument: u8, values: &[u64]) -> Result<Vec<SeccompRule>, Failure> {
    values.iter().map(|value| rule(&[(argument, SeccompCmpOp::Eq, *value)])).collect()
}

/// A rule that holds where all of its conditions on arguments do.
fn rule(conditions: &[(u8, SeccompCmpOp, u64)]) -> Result<SeccompRule, Failure> {
    let conditions = conditions
        .iter()
        .map(|(argument, operator, value)| {
            SeccompCondition::new(*argument, SeccompCmpArgLen::Dword, operator.clone(), *value)
        })
        .collect::<Result<_, _>>()?;
    Ok(SeccompRule::new(conditions)?)
}

/// The newest call that was reviewed, `file_setattr`: each up to this one is in a list below or was left out on
/// purpose. The numbers of x86-64's programs with short pointers are far above.
const NEWEST_REVIEWED: u32 = 469;

/// The commands on a descriptor that are allowed: copying it, its fate in other programs, whether it waits. No locks
/// and leases, which hold up other programs, and no signals.
const DESCRIPTOR_COMMANDS: &[u64] = &[
    libc::F_DUPFD as u64,
    libc::F_DUPFD_CLOEXEC as u64,
    libc::F_GETFD as u64,
    libc::F_SETFD as u64,
    libc::F_GETFL as u64,
    libc::F_SETFL as u64,
];

/// The device commands that are allowed: for the same purposes, and whether a descriptor is a terminal, and how wide.
#[allow(clippy::unnecessary_cast, reason = "musl has a shorter type for these numbers than glibc")]
const DEVICE_COMMANDS: &[u64] = &[
    libc::FIOCLEX as u64,
    libc::FIONCLEX as u64,
    libc::FIONBIO as u64,
    libc::FIONREAD as u64,
    libc::TCGETS as u64,
    libc::TIOCGWINSZ as u64,
];

/// The commands that name threads and pieces of memory, for debuggers.
const THREAD_NAMES: &[u64] =
    &[libc::PR_SET_NAME as u64, libc::PR_GET_NAME as u64, libc::PR_SET_VMA as u64];

/// The calls that are allowed: those that computing takes, and that change nothing outside this process.
const ALLOWED: &[i64] = &[
    // Memory of its own.
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_membarrier,
    libc::SYS_get_mempolicy,
    // Files to be read, as far as Landlock lets them be opened, and facts about them.
    libc::SYS_openat,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_lseek,
    libc::SYS_fadvise64,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_dup,
    libc::SYS_dup3,
    // Output, and pipes to itself.
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pipe2,
    libc::SYS_eventfd2,
    libc::SYS_sendto,
    libc::SYS_recvfrom,
    libc::SYS_shutdown,
    libc::SYS_getsockopt,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    // Its threads, and how they wait for each other.
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getcpu,
    libc::SYS_exit,
    libc::SYS_exit_group,
    // Waiting for children, of which there are none.
    libc::SYS_wait4,
    libc::SYS_waitid,
    // Signals to itself.
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_restart_syscall,
    // Clocks, to be read and to be waited for.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    // Its own identity, and the machine's.
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getrusage,
    libc::SYS_umask,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getrandom,
];

/// Older forms of the calls above.
#[cfg(target_arch = "x86_64")]
const ALLOWED_OLD: &[i64] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_eventfd,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_pause,
    libc::SYS_alarm,
    libc::SYS_time,
    libc::SYS_getpgrp,
    libc::SYS_getrlimit,
    libc::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const ALLOWED_OLD: &[i64] = &[];
