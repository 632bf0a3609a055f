import CLinux
import Glibc

/// What libdispatch, which runs Swift's tasks, needs of the kernel. Without an event queue it ends the process by
/// an illegal instruction, and without threads it waits for ever.
package enum RuntimeNeeds {
  /// Checks that the kernel grants an event queue with an event and a timer, and a thread.
  ///
  /// - Throws: `SystemError`: `ENOMEM` or `ENOSPC` where a limit of the user is reached, `EAGAIN` if there can be
  ///   no more threads.
  package static func check() throws(SystemError) {
    guard try_event_queue() == 0 else { throw .last("make an event queue") }
    try startThread {}
  }
}
