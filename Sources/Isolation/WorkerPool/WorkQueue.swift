import Synchronization

/// A sequence that several consumers share: each element goes to one of them.
package struct WorkQueue<Element: Sendable>: AsyncSequence, Sendable {
  package typealias Failure = Never

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let take: @Sendable () -> Element?

    package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { take() }
  }

  private let take: @Sendable () -> Element?

  /// - Parameter take: returns the next element, nil at the end; may be called concurrently.
  package init(_ take: @escaping @Sendable () -> Element?) {
    self.take = take
  }

  package init(_ elements: [Element]) {
    let counter = Counter()
    self.init {
      let index = counter.next()
      return index < elements.count ? elements[index] : nil
    }
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(take: take)
  }
}

/// A thread-safe counter: returns each number from 0 once.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package func next() -> Int {
    count.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

extension Array {
  /// The elements in order, in batches of `count`.
  package func inBatches(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map {
      Array(self[$0..<Swift.min($0 + count, self.count)])
    }
  }
}
