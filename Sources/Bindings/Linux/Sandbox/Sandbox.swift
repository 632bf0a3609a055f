import CLinux
import Glibc

/// How much of the sandbox a worker must have.
package enum SandboxMode: String, Sendable, CaseIterable {
  /// All that the kernel supports.
  case auto
  /// All of it: a worker does not start on a kernel without Landlock or system call filters.
  case required
  /// Only the limits on memory, files and privileges.
  case off
}

/// The levels of the sandbox that the kernel enforces for a worker.
package struct SandboxState: Sendable, Hashable {
  /// The level of the kernel's Landlock interface that is in use; 0 without Landlock.
  package var landlockLevel: Int
  /// Whether a filter refuses system calls.
  package var filtersCalls: Bool

  package init(landlockLevel: Int = 0, filtersCalls: Bool = false) {
    (self.landlockLevel, self.filtersCalls) = (landlockLevel, filtersCalls)
  }

  /// What the kernel does not support, for a message; nil if nothing is missing.
  package var lack: String? {
    switch (landlockLevel > 0, filtersCalls) {
    case (true, true): nil
    case (false, true): "Landlock"
    case (true, false): "system call filters (seccomp)"
    case (false, false): "Landlock and system call filters (seccomp)"
    }
  }
}

/// What a process gives up for good before it reads hostile bytes.
///
/// The process must have one thread only. It must have opened everything that it needs by a path: libraries, plugins,
/// devices. Afterwards it works with the descriptors that it has or receives.
package struct Sandbox: Sendable {
  package var mode: SandboxMode
  /// The limit on the address space in bytes.
  package var memoryLimit: UInt64
  /// Whether the process may write to the files that it receives.
  package var isWriting: Bool
  /// Does without Landlock, as on a kernel before Linux 5.13, to test that the other levels are enough.
  package var leavesOutLandlock = false

  package init(mode: SandboxMode, memoryLimit: UInt64, isWriting: Bool) {
    (self.mode, self.memoryLimit, self.isWriting) = (mode, memoryLimit, isWriting)
  }

  /// Files that the process may have open: those of one request, and a few of its own.
  private static let openFiles: UInt64 = 256
  /// Bytes of the largest file that is made. It ends a runaway encoder before a large disk is full.
  private static let largestFile: UInt64 = 4 << 40

  /// Applies the limits and the levels of the sandbox:
  ///
  /// - The process is killed when the thread that started it ends, so a killed parent leaves no worker running.
  /// - It never gains privileges (`no_new_privs`), has no capabilities, leaves no core file, and other processes of the
  ///   user cannot read its memory.
  /// - Its memory, its number of open files and the size of files that it writes are limited.
  /// - Landlock denies all files, TCP ports, signals to other processes and abstract sockets.
  /// - A filter refuses system calls (``SystemCallFilter``).
  ///
  /// There is no limit on processes (`RLIMIT_NPROC`): it would count the threads of all of the user's processes, and
  /// encoders need threads.
  ///
  /// - Throws: `SystemError` if the kernel refuses a step; with ``SandboxMode/required`` also if it does not support one.
  package func enter() throws(SystemError) -> SandboxState {
    guard set_process_option(PR_SET_PDEATHSIG, UInt(SIGKILL)) == 0,
      set_process_option(PR_SET_NO_NEW_PRIVS, 1) == 0,
      set_process_option(PR_SET_DUMPABLE, 0) == 0
    else { throw .last("prctl") }
    ProcessSettings.disableCoreDumps()
    OpenFileLimit.lower(to: Self.openFiles)
    try ProcessSettings.limitFileSize(to: isWriting ? Self.largestFile : 0)
    try ProcessSettings.limitMemory(to: memoryLimit)
    try Capabilities.drop()
    guard mode != .off else { return SandboxState() }
    var state = SandboxState()
    if !leavesOutLandlock { state.landlockLevel = try Landlock.denyAll() }
    state.filtersCalls = try SystemCallFilter.install()
    if mode == .required, !leavesOutLandlock || !state.filtersCalls, let lack = state.lack {
      throw SystemError(code: ENOSYS, operation: "use \(lack)")
    }
    return state
  }
}

/// The parts of the superuser's rights.
enum Capabilities {
  /// Drops all capabilities of this process.
  ///
  /// - Throws: `SystemError`.
  static func drop() throws(SystemError) {
    // Version 3: two words of 32 capabilities each.
    var header = capability_header(version: 0x2008_0522, process: 0)
    let none = capability_words(effective: 0, permitted: 0, inheritable: 0)
    var words = [none, none]
    let got = unsafe words.withUnsafeMutableBufferPointer {
      unsafe capget(&header, $0.baseAddress)
    }
    guard got == 0 else { throw .last("capget") }
    // The bounding set: capabilities that a process could regain by executing a program. Only the superuser
    // may drop it, and only the superuser needs to.
    if words[0].effective & 1 << 8 != 0 {  // CAP_SETPCAP
      for capability: UInt in 0..<64 where set_process_option(PR_CAPBSET_DROP, capability) != 0 {
        break  // Beyond the kernel's last one.
      }
    }
    let set = unsafe [none, none].withUnsafeBufferPointer { unsafe capset(&header, $0.baseAddress) }
    guard set == 0 else { throw .last("capset") }
  }
}
