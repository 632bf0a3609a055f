import CFFmpeg
import Glibc

/// Supplies libavformat with bytes from a closure.
@safe final class MovieInput {
  private let size: UInt64
  private let read: (_ offset: UInt64, _ count: Int) throws -> [UInt8]
  private var position: UInt64 = 0
  /// Whether a read failed: libavformat continues after it as if nothing had happened.
  private(set) var hasFailed = false
  /// Nil if memory ran out. Points back here without keeping this object alive.
  private(set) var context: UnsafeMutablePointer<AVIOContext>?

  private static let bufferSize: Int32 = 32 << 10

  init(size: UInt64, read: @escaping (_ offset: UInt64, _ count: Int) throws -> [UInt8]) {
    self.size = size
    self.read = read
    let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let buffer = unsafe av_malloc(Int(Self.bufferSize)) else { return }
    unsafe context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, owner,
      { owner, target, count in unsafe MovieInput.of(owner)?.fill(target, count: count) ?? -1 },
      nil,
      { owner, offset, origin in unsafe MovieInput.of(owner)?.seek(offset, from: origin) ?? -1 })
  }

  deinit {
    // libavformat may have replaced the buffer.
    if let context = unsafe context { unsafe av_free(context.pointee.buffer) }
    unsafe avio_context_free(&context)
  }

  /// As many of the requested bytes as there are, at any position.
  func bytes(at offset: UInt64, count: Int) -> [UInt8] {
    do {
      return try read(offset, count)
    } catch {
      hasFailed = true
      return []
    }
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> MovieInput? {
    unsafe owner.map { unsafe Unmanaged<MovieInput>.fromOpaque($0).takeUnretainedValue() }
  }

  private func fill(_ target: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
    guard let target = unsafe target, count > 0 else { return shoebox_averror_eof() }
    let bytes = bytes(at: position, count: Int(count))
    if hasFailed { return shoebox_averror(EIO) }
    guard !bytes.isEmpty, bytes.count <= Int(count) else { return shoebox_averror_eof() }
    unsafe target.update(from: bytes, count: bytes.count)
    position += UInt64(bytes.count)
    return Int32(bytes.count)
  }

  private func seek(_ offset: Int64, from origin: Int32) -> Int64 {
    if origin & AVSEEK_SIZE != 0 { return Int64(clamping: size) }
    let base: Int64
    switch origin & ~AVSEEK_FORCE {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = Int64(clamping: position)
    case SEEK_END: base = Int64(clamping: size)
    default: return -1
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, let target = UInt64(exactly: target) else { return -1 }
    position = target
    return Int64(target)
  }
}
