#ifndef SHOEBOX_CLINUX_SHIM_H
#define SHOEBOX_CLINUX_SHIM_H

#include <errno.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

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

#endif
