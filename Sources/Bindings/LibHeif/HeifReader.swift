import CHeif

/// Supplies libheif with bytes from a closure, and keeps the read position for it.
final class HeifReader {
  private let size: UInt64
  private let read: (_ offset: UInt64, _ count: Int) -> [UInt8]
  private var position: UInt64 = 0

  init(size: UInt64, read: @escaping (_ offset: UInt64, _ count: Int) -> [UInt8]) {
    self.size = size
    self.read = read
  }

  /// libheif keeps the table's address as long as a context exists, so all contexts share one table.
  static var table: UnsafePointer<heif_reader> { unsafe sharedTable.pointer }

  private static let sharedTable = SharedTable()

  private func fill(_ target: UnsafeMutableRawPointer, count: Int) -> Bool {
    let bytes = read(position, count)
    guard bytes.count == count else { return false }
    unsafe target.copyMemory(from: bytes, byteCount: count)
    position += UInt64(count)
    return true
  }

  /// The callbacks. `userData` is the reader, which the opened file keeps alive.
  @safe private struct SharedTable: @unchecked Sendable {
    let pointer: UnsafePointer<heif_reader>

    init() {
      let table = UnsafeMutablePointer<heif_reader>.allocate(capacity: 1)
      unsafe table.initialize(to: heif_reader())
      unsafe table.pointee.reader_api_version = 1
      unsafe table.pointee.get_position = { userData in
        Int64(clamping: unsafe HeifReader.of(userData)?.position ?? 0)
      }
      unsafe table.pointee.read = { target, count, userData in
        // libheif reads 0 bytes to a null pointer for an empty box, such as the av1C of many AVIFs.
        if count == 0 { return 0 }
        guard let reader = unsafe HeifReader.of(userData), let target = unsafe target else {
          return 1
        }
        return unsafe reader.fill(target, count: count) ? 0 : 1
      }
      unsafe table.pointee.seek = { position, userData in
        // libheif asserts that seeking succeeds; a read beyond the end fails.
        guard let reader = unsafe HeifReader.of(userData) else { return 0 }
        reader.position = UInt64(exactly: position) ?? reader.size
        return 0
      }
      unsafe table.pointee.wait_for_file_size = { target, userData in
        guard let reader = unsafe HeifReader.of(userData), let target = UInt64(exactly: target),
          target <= reader.size
        else { return heif_reader_grow_status_size_beyond_eof }
        return heif_reader_grow_status_size_reached
      }
      unsafe pointer = UnsafePointer(table)
    }
  }

  private static func of(_ userData: UnsafeMutableRawPointer?) -> HeifReader? {
    unsafe userData.map { unsafe Unmanaged<HeifReader>.fromOpaque($0).takeUnretainedValue() }
  }
}
