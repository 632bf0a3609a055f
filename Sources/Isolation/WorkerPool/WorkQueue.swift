import Synchronization

/// Work that lies ready and that several take from, each getting what no other has.
package struct WorkQueue<Element: Sendable>: AsyncSequence, Sendable {
  package typealias Failure = Never

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let take: @Sendable () -> Element?

    package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { take() }
  }

  private let take: @Sendable () -> Element?

  /// - Parameter take: hands the next element out, nil at the end; several may call it at once.
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

/// Numbers from 0 on, each handed out once.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package func next() -> Int {
    count.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

extension Array {
  /// The elements in order, so many at a time.
  package func inBatches(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map {
      Array(self[$0..<Swift.min($0 + count, self.count)])
    }
  }
}
