#ifndef SHOEBOX_CLINUX_SHIM_H
#define SHOEBOX_CLINUX_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <linux/stat.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// The C library exports these functions, but declares them only to programs that define _GNU_SOURCE before its first
// header, which a Swift program cannot do.

int renameat2(int old_folder, const char *old_name, int new_folder, const char *new_name,
              unsigned int flags);
ssize_t copy_file_range(int in, __off64_t *in_offset, int out, __off64_t *out_offset, size_t count,
                        unsigned int flags);
int sync_file_range(int descriptor, __off64_t offset, __off64_t count, unsigned int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int pipe2(int ends[2], int flags);
int statx(int folder, const char *name, int flags, unsigned int mask, struct statx *status);

// Whether a file system is mounted at `name` or, if that is empty, at the open folder: 1 or 0; -1 with errno on
// failure, -2 if the kernel does not report it (before Linux 5.8). If `automounting` is 0, a file system that is mounted
// on access (autofs) is not mounted. Swift imports neither a structure that has the name of a function nor the flags:
// do not follow a link (0x100), do not mount (0x800), empty name (0x1000), do not ask a server (0x4000).
static inline int mount_root_state(int folder, const char *name, int automounting) {
  struct statx status;
  int flags = 0x100 | 0x1000 | 0x4000 | (automounting ? 0 : 0x800);
  if (statx(folder, name, flags, 0, &status) != 0) return -1;
  if (!(status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT)) return -2;
  return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

// When the file at `name` was created, which no program can set. Returns 1, or 0 if it is not there or the file system
// does not record it. Swift imports neither the structure nor the flag: do not follow a link (0x100).
static inline int birth_time(int folder, const char *name, int following_links, struct timespec *time) {
  struct statx status;
  if (statx(folder, name, following_links ? 0 : 0x100, STATX_BTIME, &status) != 0) return 0;
  if (!(status.stx_mask & STATX_BTIME)) return 0;
  time->tv_sec = status.stx_btime.tv_sec;
  time->tv_nsec = status.stx_btime.tv_nsec;
  return 1;
}

// The environment. Swift takes the C library's variable for one that several threads write.
static inline char **process_environment(void) { return environ; }

// Creates an event queue that watches an event and a timer, and closes all of them. Returns 0, or -1 with errno. Swift
// does not import the functions of epoll and timers everywhere.
static inline int try_event_queue(void) {
  int queue = epoll_create1(EPOLL_CLOEXEC);
  int event = queue < 0 ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  int timer = event < 0 ? -1 : timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  struct epoll_event wanted = {.events = EPOLLIN};
  int result = timer < 0 ? -1 : epoll_ctl(queue, EPOLL_CTL_ADD, event, &wanted);
  if (result == 0) result = epoll_ctl(queue, EPOLL_CTL_ADD, timer, &wanted);
  int error = errno;
  if (timer >= 0) close(timer);
  if (event >= 0) close(event);
  if (queue >= 0) close(queue);
  errno = error;
  return result;
}

// Whether the limits on processes and memory allow another thread: reserves memory for its stack, and starts a process
// that ends at once. Threads count as processes, but a process with one thread allocates memory faster, so no thread is
// started. Returns 0, or -1 with errno. Swift does not import `vfork`.
static inline int try_thread(void) {
  size_t size = 1 << 20;
  void *stack = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return -1;
  munmap(stack, size);
  pid_t child = vfork();
  if (child < 0) return -1;
  if (child == 0) _exit(0);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  return 0;
}

// `prctl` takes a variable number of arguments, which Swift cannot pass. Returns 0, or -1 with errno.
static inline int set_process_option(int option, unsigned long value) {
  return prctl(option, value, 0UL, 0UL, 0UL);
}

// The capabilities of the calling thread, in the layout of version 3 of the kernel's interface: the C library
// exports the calls, but only libcap has a header for them.
struct capability_header {
  unsigned int version;
  int process;
};
struct capability_words {
  unsigned int effective;
  unsigned int permitted;
  unsigned int inheritable;
};
int capget(struct capability_header *header, struct capability_words *words);
int capset(struct capability_header *header, const struct capability_words *words);
// The magic number (linux/magic.h) of an open file's file system; 0 if it is unknown. Swift does not import a structure
// that has the name of a function.
static inline unsigned int file_system_kind(int descriptor) {
  struct statfs status;
  return fstatfs(descriptor, &status) == 0 ? (unsigned int)status.f_type : 0;
}

// Opens a folder below an open one. Neither a symbolic link nor `..` can lead out of it, even if other processes change
// the path meanwhile. Returns -1 with errno on failure: ENOSYS before Linux 5.6, ELOOP for a link.
static inline int open_beneath(int folder, const char *name, unsigned int flags) {
  struct open_how how = {
      .flags = flags,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
  };
  return (int)syscall(SYS_openat2, folder, name, &how, sizeof how);
}

// Sends bytes over a socket, with open descriptors (unix(7), SCM_RIGHTS). Returns the number of bytes sent, or -1 with
// errno. Swift imports none of the macros for control messages.
static inline ssize_t send_with_descriptors(int socket, const void *bytes, size_t count, const int *descriptors,
                                            size_t descriptor_count) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * 253)];
  } control;
  struct iovec piece = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  if (descriptor_count > 253) {
    errno = EINVAL;
    return -1;
  }
  if (descriptor_count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.space;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

// Waits for bytes from a socket, and for the descriptors that were sent with them: `descriptors` has room for 253, and
// `*descriptor_count` becomes their number. Returns the number of bytes, 0 at the end, or -1 with errno: EMSGSIZE if
// the process may not have as many descriptors.
static inline ssize_t receive_with_descriptors(int socket, void *bytes, size_t count, int *descriptors,
                                               size_t *descriptor_count) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int) * 253)];
  } control;
  struct iovec piece = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  *descriptor_count = 0;
  ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (got < 0) return got;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(descriptors + *descriptor_count, CMSG_DATA(header), found * sizeof(int));
    *descriptor_count += found;
  }
  if (message.msg_flags & MSG_CTRUNC) {
    for (size_t index = 0; index < *descriptor_count; index++) close(descriptors[index]);
    *descriptor_count = 0;
    errno = EMSGSIZE;
    return -1;
  }
  return got;
}

// The status of an open file, by the system call that takes only its number. The C library's `fstat` names an empty
// path, and the system call filter refuses all paths. `status` is a `struct stat`.
static inline int descriptor_status(int descriptor, void *status) {
  return (int)syscall(SYS_fstat, descriptor, status);
}

// Landlock (landlock(7)); the C library has no functions for it. Returns the level of the kernel's interface, or -1
// with errno.
static inline long landlock_level(void) {
  return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

// Applies a ruleset to this thread and the threads that it starts. The ruleset permits none of the given rights to
// files and TCP ports, and has the given scopes; rights beyond the kernel's level must be 0. Older headers lack the
// later fields, so the structure is written out here. Returns 0, or -1 with errno.
static inline int landlock_forbid(unsigned long long file_rights, unsigned long long port_rights,
                                  unsigned long long scopes) {
  struct {
    unsigned long long file_rights, port_rights, scopes;
  } rules = {file_rights, port_rights, scopes};
  size_t size = scopes ? 24 : port_rights ? 16 : 8;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) return -1;
  int result = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
  int error = errno;
  close(ruleset);
  errno = error;
  return result;
}

// Has the kernel run a program of the classic Berkeley Packet Filter for each system call of all threads of this process
// (seccomp(2)). `no_new_privs` must be set. Returns 0, or -1 with errno.
static inline int filter_system_calls(const struct sock_filter *instructions, unsigned short count) {
  struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (result > 0) errno = EBUSY;  // A thread that has another filter.
  return result == 0 ? 0 : -1;
}

// What follows tries acts that the sandbox refuses (ForbiddenAct.swift). Each returns -1 with errno if it is refused,
// and undoes what it does otherwise.

static inline long open_and_close(const char *path, int flags) {
  int descriptor = (int)syscall(SYS_openat, -100 /* AT_FDCWD */, path, flags, 0600);
  if (descriptor >= 0) close(descriptor);
  return descriptor;
}

static inline long try_connection(void) {
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  // Port 9, "discard"; a refused connection is not refused by the sandbox.
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  long result = connect(descriptor, (struct sockaddr *)&address, sizeof address);
  int error = errno;
  close(descriptor);
  errno = error;
  return result;
}

static inline long try_unix_socket(void) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor >= 0) close(descriptor);
  return descriptor;
}

static inline long try_process(void) {
  pid_t child = vfork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child;
}

static inline long try_memory_of(pid_t process) {
  char byte = 0;
  struct iovec here = {&byte, 1}, there = {&byte, 1};
  return syscall(SYS_process_vm_readv, process, &here, 1, &there, 1, 0);
}

static inline long try_tracing(pid_t process) {
  long result = syscall(SYS_ptrace, 0x4206 /* PTRACE_SEIZE */, process, 0, 0);
  if (result == 0) syscall(SYS_ptrace, 17 /* PTRACE_DETACH */, process, 0, 0);
  return result;
}

static inline long try_limits_of(pid_t process) {
  unsigned long long limit[2];
  return syscall(SYS_prlimit64, process, 7 /* RLIMIT_NOFILE */, NULL, limit);
}

static inline long try_ring(void) { return syscall(425 /* io_uring_setup */, 0, NULL); }

// An unknown flag: a kernel that permits the call answers EINVAL.
static inline long try_namespace(void) { return syscall(SYS_unshare, 1); }

#if defined(__x86_64__)
#define SHOEBOX_AUDIT_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SHOEBOX_AUDIT_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static inline unsigned int audit_architecture(void) { return SHOEBOX_AUDIT_ARCHITECTURE; }

#endif
