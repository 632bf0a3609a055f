import CLinux
import Glibc

/// The kernel resources that libdispatch, which runs Swift's tasks, needs. Without an event queue it crashes
/// with an illegal instruction, and without threads it waits forever.
package enum RuntimeNeeds {
  /// Checks that the process can create an event queue with an event and a timer, and a thread.
  ///
  /// - Throws: `SystemError`: `ENOMEM` or `ENOSPC` if a limit of the user is reached, `EAGAIN` if no more
  ///   threads can be created.
  package static func check() throws(SystemError) {
    guard try_event_queue() == 0 else { throw .last("make an event queue") }
    guard try_thread() == 0 else { throw .last("start a thread") }
  }
}
