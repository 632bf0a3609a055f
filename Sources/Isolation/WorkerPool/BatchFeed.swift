package import AsyncAlgorithms

/// Batches on their way from one that finds work to the workers, of which none lies ready: who sends one
/// waits until it is taken.
package struct BatchFeed<Item: Sendable>: AsyncSequence, Sendable {
  package typealias Failure = Never

  private let channel = AsyncChannel<[Item]>()

  package func send(_ batch: [Item]) async {
    await channel.send(batch)
  }

  package func makeAsyncIterator() -> AsyncChannel<[Item]>.Iterator {
    channel.makeAsyncIterator()
  }

  /// Finds work and does it, side by side, until all of it is done or nobody takes any more.
  ///
  /// - Parameters:
  ///   - find: sends batches; when it returns there are no more.
  ///   - work: takes them.
  /// - Throws: what the first of both throws; the other is cancelled.
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
        // Whoever still waits for somebody to take a batch must not wait for ever.
        defer { feed.channel.finish() }
        try await work(feed)
      }
      while try await group.next() != nil {}
    }
  }
}
