import Linux

/// Does work in a task that is cancelled when the user presses Ctrl-C or the system asks this process to end. What has
/// been done by then is kept.
///
/// - Throws: what the work throws, as `CancellationError`.
func cancelledBySignals<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let task = Task { try await work() }
  try TerminationSignals.handle { task.cancel() }
  return try await task.value
}
