package import AsyncAlgorithms

/// A queue without a buffer between a task that finds work and the workers: sending waits until a worker
/// takes the batch.
package struct BatchFeed<Item: Sendable>: AsyncSequence, Sendable {
  package typealias Failure = Never

  private let channel = AsyncChannel<[Item]>()

  package func send(_ batch: [Item]) async {
    await channel.send(batch)
  }

  package func makeAsyncIterator() -> AsyncChannel<[Item]>.Iterator {
    channel.makeAsyncIterator()
  }

  /// The batches, of which up to `count` are taken before they are wanted.
  package func buffered(_ count: Int) -> some AsyncSequence<[Item], Never> & Sendable {
    channel.buffer(policy: .bounded(count))
  }

  /// Finds work and processes it concurrently, until all of it is done or no worker takes more.
  ///
  /// - Parameters:
  ///   - find: sends batches; its return ends the sequence.
  ///   - work: takes the batches.
  /// - Throws: the first error of the two; the other task is cancelled.
  package static func run(
    finding find: @escaping @Sendable (BatchFeed) async throws -> Void,
    working work: @escaping @Sendable (BatchFeed) async throws -> Void
  ) async throws {
    let feed = BatchFeed()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { @concurrent in
        defer { feed.channel.finish() }
        try await find(feed)
      }
      group.addTask { @concurrent in
        // Without this a sender would wait forever after the workers have ended.
        defer { feed.channel.finish() }
        try await work(feed)
      }
      while try await group.next() != nil {}
    }
  }
}
