import Synchronization

/// Work that several take from, each getting what no other has.
struct WorkQueue<Element: Sendable>: AsyncSequence, Sendable {
  typealias Failure = Never

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let take: @Sendable () -> Element?

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { take() }
  }

  private let take: @Sendable () -> Element?

  /// - Parameter take: hands the next element out, nil at the end; several may call it at once.
  init(_ take: @escaping @Sendable () -> Element?) {
    self.take = take
  }

  init(_ elements: [Element]) {
    let position = Position()
    self.init {
      let next = position.advance()
      return next < elements.count ? elements[next] : nil
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(take: take)
  }
}

/// How far a queue has been emptied.
final class Position: Sendable {
  private let count = Atomic(0)

  /// The position before this call, from 0.
  func advance() -> Int {
    count.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

/// Values that come in from several tasks.
final class Collected<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Mutex<[Key: Value]>([:])

  var all: [Key: Value] { values.withLock { $0 } }

  subscript(key: Key) -> Value? {
    get { values.withLock { $0[key] } }
    set { values.withLock { $0[key] = newValue } }
  }
}
