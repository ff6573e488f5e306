//! Takes from this process, for good, what a program under test must not reach: files (Landlock),
//! and sockets, other processes and the rest of the system (seccomp).
//!
//! Both are Linux's own, need no rights and no helper program, and cannot be undone from inside.
//! Listed is what is refused: a list of what Python may need would differ by version and C library.

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
    SeccompRule, apply_filter,
};

type Failure = Box<dyn std::error::Error>;

/// Leaves this process what lies under some paths, to be read. The names of what the system lacks.
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

/// Whether the kernel sees to files. What later versions of Landlock add is refused as calls, too.
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
    // glibc makes threads with `clone3` and falls back to `clone`, whose flags a filter can see.
    apply(BTreeMap::from([(libc::SYS_clone3, vec![])]), libc::ENOSYS)?;
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().chain(REFUSED_OLD).map(|call| (*call, vec![])).collect();
    let own = u64::from(std::process::id());
    let is_thread = u64::try_from(libc::CLONE_THREAD)?;
    rules.insert(libc::SYS_clone, vec![rule(&[(0, SeccompCmpOp::MaskedEq(is_thread), 0)])?]);
    for call in [libc::SYS_kill, libc::SYS_tgkill] {
        rules.insert(call, vec![rule(&[(0, SeccompCmpOp::Ne, own)])?]);
    }
    let foreign = [(0, SeccompCmpOp::Ne, 0), (0, SeccompCmpOp::Ne, own)];
    rules.insert(libc::SYS_prlimit64, vec![rule(&foreign)?]);
    // A pair of streams leads nowhere else; asyncio wakes itself with one.
    let kinds = [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_RDM, libc::SOCK_SEQPACKET];
    let pairs = kinds.map(|kind| rule(&[(1, SeccompCmpOp::MaskedEq(0xf), kind as u64)]));
    rules.insert(libc::SYS_socketpair, pairs.into_iter().collect::<Result<_, _>>()?);
    #[cfg(target_arch = "x86_64")]
    {
        // The same calls for programs with short pointers, some under numbers of their own.
        let short: Vec<i64> = rules.keys().map(|call| call | X32).chain(REFUSED_X32).collect();
        rules.extend(short.into_iter().map(|call| (call, vec![])));
    }
    apply(rules, libc::EPERM)
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

fn apply(rules: BTreeMap<i64, Vec<SeccompRule>>, error: i32) -> Result<(), Failure> {
    let action = SeccompAction::Errno(u32::try_from(error)?);
    let arch = std::env::consts::ARCH.try_into()?;
    let program: BpfProgram =
        SeccompFilter::new(rules, SeccompAction::Allow, action, arch)?.try_into()?;
    Ok(apply_filter(&program)?)
}

/// Sockets; other processes; rights and times of files, which Landlock does not know; calls that go
/// around filters; what belongs to the whole system.
const REFUSED: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setaffinity,
    libc::SYS_truncate,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_open_by_handle_at,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_reboot,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_personality,
];

/// Older forms of the above.
#[cfg(target_arch = "x86_64")]
const REFUSED_OLD: &[i64] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_iopl,
    libc::SYS_ioperm,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_OLD: &[i64] = &[];

#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;
/// ptrace, execve, the signals with values, and the rest of what x32 numbers anew.
#[cfg(target_arch = "x86_64")]
const REFUSED_X32: [i64; 7] =
    [X32 | 520, X32 | 521, X32 | 524, X32 | 536, X32 | 539, X32 | 540, X32 | 545];
