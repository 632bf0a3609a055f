// TurboJPEG: a wrapper of libjpeg-turbo's TurboJPEG interface.
//
// Encoding a JPEG from the planes of a HEIC's decoder costs a third of encoding it from RGB. TurboJPEG accepts planes
// without conversion. It reports errors where libjpeg would jump or end the process. libjpeg itself decodes only the
// subsamplings that TurboJPEG refuses.
import CTurboJPEG

/// Why TurboJPEG could not decode or encode.
package struct JPEGError: Error, Sendable, Hashable {
  package enum Reason: Sendable {
    case damaged, unsupported, tooLarge, outOfMemory
  }

  package var reason: Reason
  /// TurboJPEG's message, such as `Premature end of JPEG file`.
  package var detail: String

  /// The error of a handle's last call.
  init(_ reason: Reason, _ handle: tjhandle) {
    self.reason = reason
    detail = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "Unknown error"
  }

  init(_ reason: Reason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }
}

/// A JPEG's chroma subsampling.
package enum JPEGSampling: Sendable, Hashable {
  case gray, yuv444, yuv422, yuv420, yuv440, yuv411

  var code: Int32 {
    switch self {
    case .gray: Int32(TJSAMP_GRAY.rawValue)
    case .yuv444: Int32(TJSAMP_444.rawValue)
    case .yuv422: Int32(TJSAMP_422.rawValue)
    case .yuv420: Int32(TJSAMP_420.rawValue)
    case .yuv440: Int32(TJSAMP_440.rawValue)
    case .yuv411: Int32(TJSAMP_411.rawValue)
    }
  }

  init?(code: Int32) {
    let all: [JPEGSampling] = [.gray, .yuv444, .yuv422, .yuv420, .yuv440, .yuv411]
    guard let found = all.first(where: { $0.code == code }) else { return nil }
    self = found
  }
}
