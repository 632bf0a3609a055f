import SystemPackage

/// Work that has begun: its progress as a stream of events, and its result. ``ScanSession`` and the other sessions consist
/// of one.
///
/// The work goes on whether or not the events are read. It is cancelled by ``cancel()``, by cancelling a task that waits
/// for an event or the result, or by releasing this object.
final class RunningWork<Progress: Sendable, Result: Sendable>: Sendable {
  /// Only the newest event is kept, if the reader is slower than the work.
  let events: AsyncStream<Progress>
  private let task: Task<Swift.Result<Result, PhotoLibraryError>, Never>

  /// Begins the work.
  ///
  /// - Parameters:
  ///   - kind: what telemetry calls it.
  ///   - count: the number of items in its result.
  ///   - catalog: the catalog's path, for errors.
  ///   - held: lives as long as the work.
  ///   - body: receives where to report progress. The stream is finished for it.
  init(
    _ kind: Telemetry.Work, measuredBy telemetry: Telemetry,
    counting count: @escaping @Sendable (Result) -> Int, catalog: FilePath,
    holding held: (any Sendable)? = nil,
    _ body: @escaping @Sendable (AsyncStream<Progress>.Continuation) async throws -> Result
  ) {
    let (events, reporter) = AsyncStream.makeStream(
      of: Progress.self, bufferingPolicy: .bufferingNewest(1))
    self.events = events
    task = Task {
      defer {
        reporter.finish()
        withExtendedLifetime(held) {}
      }
      do throws(PhotoLibraryError) {
        return .success(
          try await telemetry.measure(kind, counting: count) { () throws(PhotoLibraryError) in
            do {
              return try await body(reporter)
            } catch {
              throw PhotoLibraryError(error, catalog: catalog)
            }
          })
      } catch {
        return .failure(error)
      }
    }
  }

  deinit { task.cancel() }

  /// Ends the work soon.
  func cancel() { task.cancel() }

  /// The result, when the work has ended.
  ///
  /// - Throws: why it failed.
  var result: Result {
    get async throws(PhotoLibraryError) {
      let task = task
      return try await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }.get()
    }
  }

  /// The next event; nil at the end of the work.
  ///
  /// - Throws: why the work failed.
  func next(
    _ events: inout AsyncStream<Progress>.Iterator, isolation actor: isolated (any Actor)?
  ) async throws(PhotoLibraryError) -> Progress? {
    if let event = await events.next(isolation: actor) { return event }
    if Task.isCancelled { cancel() }
    _ = try await result
    return nil
  }
}
