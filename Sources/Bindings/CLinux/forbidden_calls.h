#ifndef SHOEBOX_CLINUX_FORBIDDEN_CALLS_H
#define SHOEBOX_CLINUX_FORBIDDEN_CALLS_H

#include <sys/syscall.h>

// The system calls that a worker has no use for (see SystemCallFilter.swift). Numbers above 423 are equal on all
// architectures; older headers do not name the newest.

// Calls that name a path.
static const int calls_with_path[] = {
    SYS_openat,    437 /* openat2 */,  SYS_mkdirat,   SYS_mknodat,    SYS_unlinkat,   SYS_linkat,
    SYS_symlinkat, SYS_renameat,       SYS_renameat2, SYS_readlinkat, SYS_fchmodat,   452 /* fchmodat2 */,
    SYS_fchownat,  SYS_faccessat,      439 /* faccessat2 */,          SYS_newfstatat, SYS_statx,
    SYS_statfs,    SYS_truncate,       SYS_chdir,     SYS_chroot,     SYS_pivot_root, SYS_setxattr,
    SYS_lsetxattr, SYS_getxattr,       SYS_lgetxattr, SYS_listxattr,  SYS_llistxattr, SYS_removexattr,
    SYS_lremovexattr, SYS_utimensat,   SYS_name_to_handle_at,         SYS_open_by_handle_at,
    SYS_inotify_init1, SYS_inotify_add_watch, SYS_fanotify_init,      SYS_fanotify_mark,
    SYS_mount,     SYS_umount2,        SYS_swapon,    SYS_swapoff,    SYS_acct,       SYS_quotactl,
    428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */,
    433 /* fspick */, 442 /* mount_setattr */, 443 /* quotactl_fd */,
#if defined(__x86_64__)
    SYS_open,   SYS_creat, SYS_stat,   SYS_lstat,   SYS_access,   SYS_mkdir, SYS_rmdir, SYS_rename,
    SYS_link,   SYS_unlink, SYS_symlink, SYS_readlink, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime,
    SYS_utimes, SYS_futimesat, SYS_mknod, SYS_ustat, SYS_sysfs, SYS_uselib, SYS_inotify_init,
#endif
};

// Calls that change a file itself by its descriptor, or that reach another process, the network or the system.
static const int calls_beyond_process[] = {
    // Files. Ownership, mode, time and attributes can be changed through a descriptor that only reads.
    SYS_fchmod, SYS_fchown, SYS_fsetxattr, SYS_fremovexattr, SYS_fchdir, SYS_sync, SYS_syncfs, SYS_memfd_create,
    447 /* memfd_secret */, SYS_lookup_dcookie,
    // Sockets. The worker uses its own with recvmsg(2) and write(2).
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_sendmsg,
    SYS_sendmmsg, SYS_recvfrom, SYS_recvmmsg, SYS_shutdown, SYS_getsockname, SYS_getpeername, SYS_setsockopt,
    SYS_getsockopt,
    // Processes.
    SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_tkill,
    SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_setpgid, SYS_setsid, SYS_getpgid, SYS_getsid, SYS_setpriority,
    SYS_getpriority, SYS_ioprio_set, SYS_ioprio_get, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
    SYS_sched_setaffinity, SYS_migrate_pages, SYS_move_pages, SYS_get_robust_list, SYS_unshare, SYS_setns,
    SYS_wait4, SYS_waitid, 424 /* pidfd_send_signal */, 434 /* pidfd_open */, 438 /* pidfd_getfd */,
    440 /* process_madvise */, 448 /* process_mrelease */,
    // Shared memory, message queues and semaphores.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semctl, SYS_semtimedop, SYS_msgget, SYS_msgsnd,
    SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink, SYS_mq_notify, SYS_mq_timedsend, SYS_mq_timedreceive,
    SYS_mq_getsetattr,
    // Rights.
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setfsuid, SYS_setfsgid,
    SYS_setgroups, SYS_capset, SYS_personality, SYS_seccomp, SYS_keyctl, SYS_add_key, SYS_request_key,
    // The kernel.
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, 425 /* io_uring_setup */, 426 /* io_uring_enter */,
    427 /* io_uring_register */, SYS_reboot, SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module,
    SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname,
    SYS_syslog, SYS_vhangup, SYS_nfsservctl, 444 /* landlock_create_ruleset */, 445 /* landlock_add_rule */,
    446 /* landlock_restrict_self */,
#if defined(__x86_64__)
    SYS_fork, SYS_vfork, SYS_getpgrp, SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_kexec_file_load,
#endif
};

static inline const int *forbidden_path_calls(void) { return calls_with_path; }
static inline long forbidden_path_call_count(void) { return sizeof calls_with_path / sizeof *calls_with_path; }
static inline const int *forbidden_outer_calls(void) { return calls_beyond_process; }
static inline long forbidden_outer_call_count(void) {
  return sizeof calls_beyond_process / sizeof *calls_beyond_process;
}

// Calls that the filter permits with certain arguments only.
static inline int call_clone(void) { return SYS_clone; }
static inline int call_clone3(void) { return 435; }
static inline int call_kill(void) { return SYS_kill; }
static inline int call_tgkill(void) { return SYS_tgkill; }
static inline int call_prlimit(void) { return SYS_prlimit64; }
static inline int call_prctl(void) { return SYS_prctl; }
static inline int call_fcntl(void) { return SYS_fcntl; }
static inline int call_ioctl(void) { return SYS_ioctl; }

#endif
