import CFFmpeg
import Glibc

/// Writes libavformat's output into a file that is open already.
@safe final class MovieOutput {
  private let descriptor: Int32
  private var position: Int64 = 0
  private var end: Int64 = 0
  /// The `errno` of the first write that failed.
  private(set) var failure: Int32?
  /// Points back here without keeping this object alive.
  let context: UnsafeMutablePointer<AVIOContext>

  private static let bufferSize: Int32 = 256 << 10

  /// - Parameter descriptor: an empty file, open for writing; the caller closes it.
  init(descriptor: Int32) throws(AudioVideoError) {
    self.descriptor = descriptor
    guard let buffer = unsafe av_malloc(Int(Self.bufferSize)) else { throw .outOfMemory }
    guard
      let context = unsafe avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 1, nil, nil,
        { owner, bytes, count in unsafe MovieOutput.of(owner)?.write(bytes, count) ?? -1 },
        { owner, offset, origin in unsafe MovieOutput.of(owner)?.seek(offset, from: origin) ?? -1 })
    else {
      unsafe av_free(buffer)
      throw .outOfMemory
    }
    unsafe self.context = context
    unsafe context.pointee.opaque = unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    var context: UnsafeMutablePointer<AVIOContext>? = unsafe self.context
    // libavformat may have replaced the buffer.
    unsafe av_free(self.context.pointee.buffer)
    unsafe avio_context_free(&context)
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> MovieOutput? {
    unsafe owner.map { unsafe Unmanaged<MovieOutput>.fromOpaque($0).takeUnretainedValue() }
  }

  private func write(_ bytes: UnsafeRawPointer?, _ count: Int32) -> Int32 {
    guard let bytes = unsafe bytes else { return shoebox_averror(EINVAL) }
    var written = 0
    while written < Int(count) {
      let result = unsafe pwrite(
        descriptor, bytes + written, Int(count) - written, off_t(position) + written)
      if result >= 0 {
        written += result
      } else if errno != EINTR {
        failure = failure ?? errno
        return shoebox_averror(errno)
      }
    }
    position += Int64(written)
    end = max(end, position)
    return count
  }

  private func seek(_ offset: Int64, from origin: Int32) -> Int64 {
    if origin & AVSEEK_SIZE != 0 { return end }
    let base: Int64
    switch origin & ~AVSEEK_FORCE {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END: base = end
    default: return -1
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return target
  }
}
