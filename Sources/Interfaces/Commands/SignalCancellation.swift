import Linux

/// Does work in a task that is cancelled when the user presses Ctrl-C or the system asks this process to end.
///
/// - Throws: what the work throws, which is a `CancellationError` if it kept nothing; `SystemError` if signals cannot be
///   handled.
func cancelledBySignals<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let task = Task { try await work() }
  do {
    try TerminationSignals.handle { task.cancel() }
  } catch {
    task.cancel()
    _ = await task.result
    throw error
  }
  return try await task.value
}
