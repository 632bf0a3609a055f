import CLinux
import Glibc

/// A filter for system calls (seccomp(2)): the kernel refuses what a worker has no use for. A refused call fails with an
/// error, so a library that tries one goes on without it.
///
/// The filter is a list of forbidden calls. A list of permitted calls would be shorter, but every new version of a
/// library or of the C library would need another one.
///
/// Forbidden are all calls that name a path, socket or other process, that change a file's mode, owner, time or
/// attributes, and that concern the whole system. Landlock covers only a part of these. Calls that the kernel introduced
/// after the filter was written fail as unknown ones.
enum SystemCallFilter {
  /// Installs the filter for this process for good.
  ///
  /// - Returns: false if the kernel does not support filters.
  /// - Throws: `SystemError`.
  static func install() throws(SystemError) -> Bool {
    var program = FilterProgram()
    program.add()
    let count = UInt16(clamping: program.instructions.count)
    let result = unsafe program.instructions.withUnsafeBufferPointer {
      unsafe filter_system_calls($0.baseAddress, count)
    }
    if result == 0 { return true }
    if errno == EINVAL || errno == ENOSYS { return false }
    throw .last("seccomp")
  }
}

/// A program of the classic Berkeley Packet Filter over `struct seccomp_data`: the call's number at 0, the architecture
/// at 4, the arguments of 8 bytes each from 16.
private struct FilterProgram {
  private(set) var instructions: [sock_filter] = []

  mutating func add() {
    // A 32-bit program's calls have other numbers.
    load(at: 4)
    unless(equal: audit_architecture()) { $0.fail(EPERM) }
    load(at: 0)
    // Bit 30 marks the calls of x86's x32 interface.
    when(atLeast: 1 << 30) { $0.fail(EPERM) }
    addUnknownCalls()
    for index in 0..<forbidden_path_call_count() {
      when(unsafe forbidden_path_calls()[index]) { $0.fail(EACCES) }
    }
    for index in 0..<forbidden_outer_call_count() {
      when(unsafe forbidden_outer_calls()[index]) { $0.fail(EPERM) }
    }
    addConditions()
    allow()
  }

  /// Calls that are newer than this filter.
  private mutating func addUnknownCalls() {
    // cachestat, map_shadow_stack, futex_wake, futex_wait, futex_requeue, mseal
    let harmless: Set<UInt32> = [451, 453, 454, 455, 456, 462]
    when(atLeast: 450) { program in
      for call in harmless.sorted() { program.when(equal: call) { $0.allow() } }
      program.fail(ENOSYS)
    }
  }

  /// Calls that depend on their arguments.
  private mutating func addConditions() {
    let own = UInt32(bitPattern: getpid())
    // The C library starts a thread with clone if there is no clone3, whose arguments a filter cannot read.
    when(call_clone3()) { $0.fail(ENOSYS) }
    when(call_clone()) { program in
      program.load(argument: 0)
      // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
      program.when(anyOf: 0x7E02_0000) { $0.fail(EPERM) }
      program.when(anyOf: 0x0001_0000) { $0.allow() }  // CLONE_THREAD
      program.fail(EPERM)
    }
    // A process that aborts sends itself a signal.
    for call in [call_kill(), call_tgkill()] {
      when(call) { program in
        program.load(argument: 0)
        program.when(equal: own) { $0.allow() }
        program.fail(EPERM)
      }
    }
    when(call_prlimit()) { program in
      program.load(argument: 0)
      program.when(equal: 0) { $0.allow() }
      program.fail(EPERM)
    }
    when(call_prctl()) { program in
      program.load(argument: 0)
      // Names of threads and of memory (PR_SET_VMA), and questions.
      let harmless = [
        PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP,
      ]
      for option in harmless.map(UInt32.init) + [0x5356_4D41] {
        program.when(equal: option) { $0.allow() }
      }
      program.fail(EPERM)
    }
    when(call_fcntl()) { program in
      program.load(argument: 1)
      // Signals to other processes, and leases on files: F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY.
      for command: UInt32 in [8, 10, 15, 1024, 1026] {
        program.when(equal: command) { $0.fail(EPERM) }
      }
      program.allow()
    }
    when(call_ioctl()) { program in
      program.load(argument: 1)
      // TCGETS (is it a terminal?), FIONREAD, FICLONE, FICLONERANGE. Others change a file's attributes or a device.
      for request: UInt32 in [0x5401, 0x541B, 0x4004_9409, 0x4020_940D] {
        program.when(equal: request) { $0.allow() }
      }
      program.fail(ENOTTY)
    }
  }

  // MARK: Instructions

  private mutating func load(at offset: UInt32) {
    append(BPF_LD | BPF_W | BPF_ABS, offset)
  }

  /// Loads the lower half of an argument. Both architectures store it first.
  private mutating func load(argument: UInt32) {
    load(at: 16 + 8 * argument)
  }

  private mutating func allow() {
    append(BPF_RET | BPF_K, UInt32(SECCOMP_RET_ALLOW))
  }

  private mutating func fail(_ error: Int32) {
    append(BPF_RET | BPF_K, UInt32(SECCOMP_RET_ERRNO) | UInt32(error))
  }

  private mutating func when(_ call: Int32, _ body: (inout FilterProgram) -> Void) {
    when(equal: UInt32(call), body)
  }

  private mutating func when(equal value: UInt32, _ body: (inout FilterProgram) -> Void) {
    branch(BPF_JEQ, value, ifTrue: true, body)
  }

  private mutating func unless(equal value: UInt32, _ body: (inout FilterProgram) -> Void) {
    branch(BPF_JEQ, value, ifTrue: false, body)
  }

  private mutating func when(atLeast value: UInt32, _ body: (inout FilterProgram) -> Void) {
    branch(BPF_JGE, value, ifTrue: true, body)
  }

  private mutating func when(anyOf bits: UInt32, _ body: (inout FilterProgram) -> Void) {
    branch(BPF_JSET, bits, ifTrue: true, body)
  }

  /// Runs `body` in one case and skips it in the other. `body` ends in a verdict, or leaves the loaded value unchanged.
  private mutating func branch(
    _ test: Int32, _ value: UInt32, ifTrue: Bool, _ body: (inout FilterProgram) -> Void
  ) {
    var inner = FilterProgram()
    body(&inner)
    let skip = UInt8(clamping: inner.instructions.count)
    append(BPF_JMP | test | BPF_K, value, ifTrue ? (0, skip) : (skip, 0))
    instructions += inner.instructions
  }

  private mutating func append(
    _ code: Int32, _ value: UInt32, _ jumps: (ifTrue: UInt8, ifFalse: UInt8) = (0, 0)
  ) {
    instructions.append(
      sock_filter(code: UInt16(code), jt: jumps.ifTrue, jf: jumps.ifFalse, k: value))
  }
}
