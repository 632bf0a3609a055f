/// Eight rows of eight bytes. Turning a picture by a quarter transposes squares, which takes a quarter of the time that
/// single bytes take.
struct ByteSquare {
  static let side = 8

  /// Two rows in each vector.
  private var rows: (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>)

  /// - Parameters:
  ///   - source: the first byte of the first row.
  ///   - stride: bytes from one row to the next; negative if the next row is before it in memory.
  @inline(__always)
  init(at source: UnsafeRawPointer, stride: Int) {
    rows = unsafe (
      Self.load(source, stride, 0), Self.load(source, stride, 2), Self.load(source, stride, 4),
      Self.load(source, stride, 6)
    )
  }

  /// Exchanges rows and columns.
  ///
  /// A byte's place has six bits: three are its row, three its column. Interleaving the first half of the bytes with the
  /// second one makes the highest bit the lowest, so three times exchange row and column.
  @inline(__always)
  mutating func transpose() {
    for _ in 0..<3 {
      let upper = Self.interleaved(rows.0, rows.2)
      let lower = Self.interleaved(rows.1, rows.3)
      rows = (upper.lowHalf, upper.highHalf, lower.lowHalf, lower.highHalf)
    }
  }

  /// - Parameters:
  ///   - target: the place of the first byte.
  ///   - stride: bytes from one row to the next.
  @inline(__always)
  func write(to target: UnsafeMutableRawPointer, stride: Int) {
    unsafe Self.store(rows.0, target, stride, 0)
    unsafe Self.store(rows.1, target, stride, 2)
    unsafe Self.store(rows.2, target, stride, 4)
    unsafe Self.store(rows.3, target, stride, 6)
  }

  /// A row and the next one.
  @inline(__always)
  private static func load(_ source: UnsafeRawPointer, _ stride: Int, _ row: Int) -> SIMD16<UInt8> {
    let upper = unsafe source + row * stride
    return unsafe SIMD16(
      lowHalf: upper.loadUnaligned(as: SIMD8<UInt8>.self),
      highHalf: upper.loadUnaligned(fromByteOffset: stride, as: SIMD8<UInt8>.self))
  }

  /// Writes a row and the next one.
  @inline(__always)
  private static func store(
    _ rows: SIMD16<UInt8>, _ target: UnsafeMutableRawPointer, _ stride: Int, _ row: Int
  ) {
    let upper = unsafe target + row * stride
    unsafe upper.storeBytes(of: rows.lowHalf, as: SIMD8<UInt8>.self)
    unsafe upper.storeBytes(of: rows.highHalf, toByteOffset: stride, as: SIMD8<UInt8>.self)
  }

  /// A byte of `even`, one of `odd`, and so on. Compilers make two instructions of it.
  @inline(__always)
  private static func interleaved(
    _ even: SIMD16<UInt8>, _ odd: SIMD16<UInt8>
  ) -> SIMD32<UInt8> {
    var bytes = SIMD32<UInt8>()
    bytes.evenHalf = even
    bytes.oddHalf = odd
    return bytes
  }
}
