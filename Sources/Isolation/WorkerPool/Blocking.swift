import Linux

/// The threads of ``blocking(_:)``. Their calls wait for disks, so there are more of them than cores.
private let threads = {
  let threads = BlockingThreads()
  threads.expectWaiting()
  return threads
}()

/// Does work that reads or writes files on a thread of its own, and waits for it. Swift's own threads, one for each core,
/// stay free for the rest of the process: its progress, its time limits and its other clients.
///
/// A call costs some microseconds: let it be about a file, or about 1 MiB. ``GracefulCancellation/isRequested`` is in the
/// work what it is in the task. Other task-local values are not set there.
package func blocking<Value: Sendable, Failure: Error>(
  _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  try await GracefulCancellation.value(on: threads) {
    Result<Value, Failure> { () throws(Failure) in try work() }
  }.get()
}
