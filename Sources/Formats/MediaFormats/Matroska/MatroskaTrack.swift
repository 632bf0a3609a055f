import ByteReading
import MediaModel

/// One track of a Matroska movie (RFC 9559 §5.1.4).
struct MatroskaTrack: Sendable, Hashable {
  /// 1 video, 2 audio, 17 subtitles.
  var type: UInt64 = 0
  var uid: UInt64 = 0
  var codecID = ""
  /// The codec's configuration; empty if it is missing or compressed.
  var codecPrivate: [UInt8] = []
  /// Nanoseconds of one frame.
  var defaultDuration: UInt64?
  var name: String?
  var language: String?
  var width: UInt64 = 0
  var height: UInt64 = 0
  var displayWidth: UInt64?
  var displayHeight: UInt64?
  /// 0 pixels, 1 centimetres, 2 inches, 3 the aspect ratio.
  var displayUnit: UInt64 = 0
  var stereoMode: UInt64 = 0
  /// The transfer function's number in ITU-T H.273 §8.2.
  var transfer: Int?
  /// Degrees, counter-clockwise.
  var roll: Double?
  /// Whether the picture is flat: not a sphere.
  var isRectangular = true
  /// Bits of one sample of audio.
  var bitDepth: UInt64 = 0
  var isDolbyVision = false

  private static let maximumPrivate = 64 << 10

  init(_ entry: EBMLElement, _ source: any ByteSource) throws {
    var isCompressed = false
    for element in try source.ebmlElements(in: entry, limit: 256) {
      switch element.id {
      case 0x83: type = try source.ebmlUnsigned(element) ?? 0
      case 0x73C5: uid = try source.ebmlUnsigned(element) ?? 0
      case 0x86: codecID = try source.ebmlText(element) ?? ""
      case 0x63A2:
        codecPrivate = try source.bytes(in: element.payload, limit: Self.maximumPrivate) ?? []
      case 0x23_E383: defaultDuration = try source.ebmlUnsigned(element)
      case 0x536E: name = try source.ebmlText(element)
      case 0x22_B59C: language = try source.ebmlText(element)
      case 0xE0: try read(video: element, source)
      case 0xE1:
        for part in try source.ebmlElements(in: element, limit: 32) where part.id == 0x6264 {
          bitDepth = try source.ebmlUnsigned(part) ?? 0
        }
      case 0x6D80: isCompressed = try coversPrivate(element, source)
      case 0x41E4:
        // A mapping of block additions with the type `dvcC`, `dvvC` or `dvwC`.
        for part in try source.ebmlElements(in: element, limit: 16) where part.id == 0x41E7 {
          let kind = try source.ebmlUnsigned(part) ?? 0
          isDolbyVision = isDolbyVision || [0x6476_6343, 0x6476_7643, 0x6476_7743].contains(kind)
        }
      default: break
      }
    }
    if isCompressed { codecPrivate = [] }
  }

  private mutating func read(video: EBMLElement, _ source: any ByteSource) throws {
    for element in try source.ebmlElements(in: video, limit: 128) {
      switch element.id {
      case 0xB0: width = try source.ebmlUnsigned(element) ?? 0
      case 0xBA: height = try source.ebmlUnsigned(element) ?? 0
      case 0x54B0: displayWidth = try source.ebmlUnsigned(element)
      case 0x54BA: displayHeight = try source.ebmlUnsigned(element)
      case 0x54B2: displayUnit = try source.ebmlUnsigned(element) ?? 0
      case 0x53B8: stereoMode = try source.ebmlUnsigned(element) ?? 0
      case 0x55B0:
        for part in try source.ebmlElements(in: element, limit: 32) where part.id == 0x55BA {
          let number = try source.ebmlUnsigned(part).flatMap { Int(exactly: $0) }
          transfer = number == 2 || number == 0 ? nil : number
        }
      case 0x7670:
        for part in try source.ebmlElements(in: element, limit: 16) {
          if part.id == 0x7671 { isRectangular = try source.ebmlUnsigned(part) == 0 }
          if part.id == 0x7675 { roll = try source.ebmlFloat(part) }
        }
      default: break
      }
    }
  }

  /// Whether an encoding applies to the codec's configuration (§5.1.4.1.31).
  private func coversPrivate(_ encodings: EBMLElement, _ source: any ByteSource) throws -> Bool {
    for encoding in try source.ebmlElements(in: encodings, limit: 16) where encoding.id == 0x6240 {
      for part in try source.ebmlElements(in: encoding, limit: 16) where part.id == 0x5032 {
        if try source.ebmlUnsigned(part) ?? 1 & 2 != 0 { return true }
      }
    }
    return false
  }
}
