import CTIFF

/// Supplies libtiff with bytes from a closure, keeps the read position for it, and the first error.
@safe final class TIFFReader {
  private let size: UInt64
  private let read: (_ offset: UInt64, _ count: Int) -> [UInt8]
  private var position: UInt64 = 0
  /// libtiff writes the text of its first error there.
  let message: UnsafeMutablePointer<CChar>

  init(size: UInt64, read: @escaping (_ offset: UInt64, _ count: Int) -> [UInt8]) {
    self.size = size
    self.read = read
    let count = Int(shoebox_tiff_message_size())
    unsafe message = .allocate(capacity: count)
    unsafe message.initialize(repeating: 0, count: count)
  }

  deinit {
    unsafe message.deallocate()
  }

  /// libtiff's first error, in one line; nil without one.
  var complaint: String? {
    let text = unsafe String(cString: message)
    let line = text.map { $0.isNewline || $0.isASCII && ($0.asciiValue ?? 0) < 0x20 ? " " : $0 }
    let end = line.lastIndex { $0 != " " && $0 != "." } ?? -1
    return end < 0 ? nil : String(line[...end])
  }

  /// Opens the file at its first directory.
  ///
  /// - Returns: nil if libtiff cannot read it.
  func open(memory: Int) -> OpaquePointer? {
    unsafe shoebox_tiff_open(
      Unmanaged.passUnretained(self).toOpaque(),
      { reader, target, count in
        guard let reader = unsafe TIFFReader.of(reader), let target = unsafe target, count > 0
        else { return 0 }
        return unsafe Int64(reader.fill(target, count: Int(count)))
      },
      { reader, offset, origin in
        unsafe TIFFReader.of(reader)?.seek(offset, origin: origin) ?? .max
      },
      { reader in unsafe TIFFReader.of(reader)?.size ?? 0 }, Int64(memory), message)
  }

  private static func of(_ reader: UnsafeMutableRawPointer?) -> TIFFReader? {
    unsafe reader.map { unsafe Unmanaged<TIFFReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func fill(_ target: UnsafeMutableRawPointer, count: Int) -> Int {
    guard position < size else { return 0 }
    let wanted = Int(clamping: min(UInt64(count), size - position))
    let bytes = read(position, wanted)
    let found = min(bytes.count, wanted)
    unsafe target.copyMemory(from: bytes, byteCount: found)
    position += UInt64(found)
    return found
  }

  /// - Parameter origin: as of `lseek`: 0 the start, 1 the position, 2 the end.
  /// - Returns: the new position; the largest number for an impossible one.
  private func seek(_ offset: UInt64, origin: Int32) -> UInt64 {
    let base = origin == 1 ? position : origin == 2 ? size : 0
    let (target, overflow) = base.addingReportingOverflow(offset)
    // A negative distance wraps round.
    if overflow, Int64(bitPattern: offset) >= 0 { return .max }
    position = target
    return target
  }
}
