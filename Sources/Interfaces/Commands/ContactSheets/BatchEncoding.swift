import Dispatch
import Synchronization
import Terminal

/// Encodes items in batches on another thread than the one that reads them, in their order. In a long listing each
/// takes half of the time.
///
/// At most two batches and their bytes are in memory. A listing that ends before the first batch is full is encoded
/// on the same thread, because starting another would take longer.
final class BatchEncoder<Item: Sendable> {
  private let encode: @Sendable ([Item]) -> [UInt8]
  private let output: Output
  private var batch: [Item] = []
  private var underWay: Encoding?

  private static var batchSize: Int { 256 }

  /// One batch that is being encoded.
  private final class Encoding: Sendable {
    let bytes = Mutex<[UInt8]>([])
    let isDone = DispatchSemaphore(value: 0)
  }

  init(to output: Output, encode: @escaping @Sendable ([Item]) -> [UInt8]) {
    self.output = output
    self.encode = encode
  }

  /// Adds an item, and writes the bytes that were encoded meanwhile.
  func append(_ item: Item) throws {
    batch.append(item)
    guard batch.count == Self.batchSize else { return }
    let encoding = Encoding()
    DispatchQueue.global().async { [batch, encode] in
      let bytes = encode(batch)
      encoding.bytes.withLock { $0 = bytes }
      encoding.isDone.signal()
    }
    batch.removeAll(keepingCapacity: true)
    let last = underWay
    underWay = encoding
    try last.map(write)
  }

  /// Writes all that is left.
  func finish() throws {
    try underWay.map(write)
    underWay = nil
    try output.append(encode(batch))
    batch.removeAll()
  }

  private func write(_ encoding: Encoding) throws {
    encoding.isDone.wait()
    try output.append(encoding.bytes.withLock { $0 })
  }
}
