import CTurboJPEG
package import MediaModel

extension JPEGDecoder {
  /// The JPEG, turned without decoding and without metadata: no pixel changes.
  ///
  /// Nil if that is impossible: its edges are not whole blocks, or it is damaged.
  package static func turned(_ bytes: [UInt8], _ orientation: Orientation) -> [UInt8]? {
    guard let handle = unsafe tjInitTransform() else { return nil }
    defer { unsafe tjDestroy(handle) }
    var transform = unsafe tjtransform()
    unsafe transform.op = Int32(operation(orientation).rawValue)
    unsafe transform.options = TJXOPT_PERFECT | TJXOPT_COPYNONE
    var target: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { unsafe tjFree(target) }
    let flags = Int32(TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING)
    let result = unsafe tjTransform(
      handle, bytes, UInt(bytes.count), 1, &target, &count, &transform, flags)
    guard result == 0, let found = unsafe target else { return nil }
    return unsafe [UInt8](UnsafeBufferPointer(start: found, count: Int(count)))
  }

  private static func operation(_ orientation: Orientation) -> TJXOP {
    switch orientation {
    case .up: TJXOP_NONE
    case .upMirrored: TJXOP_HFLIP
    case .down: TJXOP_ROT180
    case .downMirrored: TJXOP_VFLIP
    case .leftMirrored: TJXOP_TRANSPOSE
    case .right: TJXOP_ROT90
    case .rightMirrored: TJXOP_TRANSVERSE
    case .left: TJXOP_ROT270
    }
  }
}
