import ByteReading

/// The descriptors of a program or a stream (ISO/IEC 13818-1 §2.6, ETSI EN 300 468 §6).
struct MPEGDescriptors: Sendable, Hashable {
  /// The numbers of the descriptors.
  private(set) var tags: Set<UInt8> = []
  /// `HDMV` for Blu-ray and AVCHD, `AC-3`, `HEVC` …
  private(set) var registration: FourCC?

  init(_ content: [UInt8]) {
    var position = 0
    while let tag = content.u8(at: position), let length = content.u8(at: position + 1) {
      tags.insert(tag)
      if tag == 5 { registration = registration ?? content.fourCC(at: position + 2) }
      position += 2 + Int(length)
    }
  }
}
