import CLinux
import Glibc

/// The privileges that a process gives up before it reads hostile bytes.
///
/// They apply to all threads only if the process gives them up before it starts another thread.
package enum Confinement {
  /// The purpose of the process.
  package enum Purpose: Sendable {
    /// It opens files and answers over its standard output.
    case reading
    /// It also creates files.
    case writing
  }

  /// Gives up what `purpose` does not need:
  ///
  /// - The process and the programs it executes never gain privileges (`no_new_privs`).
  /// - It is killed when the thread that started it ends, so a killed parent leaves no worker running.
  /// - It can open 256 files at once. If it only reads, it cannot write to a regular file.
  /// - Of the superuser's capabilities it keeps those for reading (`CAP_DAC_READ_SEARCH`, and `CAP_FOWNER`
  ///   for `O_NOATIME`) and, if it writes, `CAP_DAC_OVERRIDE` for other users' folders.
  ///
  /// There is no limit on processes (`RLIMIT_NPROC`): it would count the threads of all of the user's
  /// processes, and encoders need threads.
  ///
  /// - Throws: `SystemError` if the kernel refuses a step.
  package static func enter(for purpose: Purpose) throws(SystemError) {
    guard set_process_option(PR_SET_PDEATHSIG, UInt(SIGKILL)) == 0,
      set_process_option(PR_SET_NO_NEW_PRIVS, 1) == 0
    else { throw .last("prctl") }
    OpenFileLimit.lower(to: 256)
    if purpose == .reading {
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }
    try keepCapabilities(
      purpose == .reading
        ? [readSearch, fileOwner] : [readSearch, fileOwner, override])
  }

  // Numbers of `linux/capability.h`.
  private static let override: UInt32 = 1  // CAP_DAC_OVERRIDE
  private static let readSearch: UInt32 = 2  // CAP_DAC_READ_SEARCH
  private static let fileOwner: UInt32 = 3  // CAP_FOWNER

  /// Drops all capabilities except `numbers`.
  private static func keepCapabilities(_ numbers: [UInt32]) throws(SystemError) {
    // Version 3: two words of 32 capabilities each. The kept ones are all in the first.
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
    let kept = words[0].permitted & numbers.reduce(0) { $0 | 1 << $1 }
    let wanted = [
      capability_words(effective: kept, permitted: kept, inheritable: 0), none,
    ]
    let set = unsafe wanted.withUnsafeBufferPointer { unsafe capset(&header, $0.baseAddress) }
    guard set == 0 else { throw .last("capset") }
  }
}
