import Synchronization

/// Values that come in from several tasks.
final class Collected<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Mutex<[Key: Value]>([:])

  var all: [Key: Value] { values.withLock { $0 } }

  subscript(key: Key) -> Value? {
    get { values.withLock { $0[key] } }
    set { values.withLock { $0[key] = newValue } }
  }
}
