package import ByteReading
import MediaModel

/// The pixel density of a picture for printing.
package struct PixelDensity: Sendable, Hashable {
  /// Pixels per metre in a row. If ``isRatio``, only the ratio of ``x`` and ``y`` has a meaning.
  package private(set) var x: Double
  /// Pixels per metre in a column.
  package private(set) var y: Double
  /// Whether the file records only the aspect ratio of a pixel, without a unit.
  package private(set) var isRatio = false

  private static let inch = 0.0254

  /// Nil for numbers out of range, and for square pixels without a unit.
  init?(x: Double, y: Double, unit: Unit) {
    guard x > 0, y > 0, x < 1e9, y < 1e9, unit != .unknown || x != y else { return nil }
    let scale: Double =
      switch unit {
      case .unknown, .metre: 1
      case .centimetre: 100
      case .inch: 1 / Self.inch
      }
    (self.x, self.y) = (x * scale, y * scale)
    isRatio = unit == .unknown
  }

  enum Unit {
    case unknown, inch, centimetre, metre
  }

  /// The density of the picture rotated by a quarter turn.
  package var transposed: PixelDensity {
    var result = self
    (result.x, result.y) = (y, x)
    return result
  }

  /// Whether pixels are not square, so that the picture would look stretched without its density.
  package var isUneven: Bool { x != y }
}

extension PixelDensity {
  /// The density in a JPEG's JFIF segment (ITU-T T.871 §10.1).
  ///
  /// - Parameter start: the segment's payload, at least 12 bytes of it.
  init?(jfif start: [UInt8]) {
    guard start.hasText("JFIF\0"), let unit = start.u8(at: 7), let x = start.u16(at: 8),
      let y = start.u16(at: 10), unit <= 2
    else { return nil }
    let units: [Unit] = [.unknown, .inch, .centimetre]
    self.init(x: Double(x), y: Double(y), unit: units[Int(unit)])
  }

  /// The density in a PNG's `pHYs` chunk (PNG specification, third edition, §11.3.4.3).
  init?(pHYs content: [UInt8]) {
    guard let x = content.u32(at: 0), let y = content.u32(at: 4), let unit = content.u8(at: 8)
    else { return nil }
    self.init(x: Double(x), y: Double(y), unit: unit == 1 ? .metre : .unknown)
  }

  /// The density in a BMP's header: `biXPelsPerMeter` and `biYPelsPerMeter`.
  package init?(bmp source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: 46)
    guard head.hasText("BM"), let size = head.u32(at: 14, .little), size >= 40,
      let x = head.i32(at: 38, .little), let y = head.i32(at: 42, .little)
    else { return nil }
    self.init(x: Double(x), y: Double(y), unit: .metre)
  }

  /// The density in an EXIF block: XResolution, YResolution and ResolutionUnit, which is inches by default (TIFF 6.0).
  package init?(exif block: [UInt8]) {
    guard let tiff = try? TIFFFile(ArraySource(block)),
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset)
    else { return nil }
    func number(_ tag: UInt16) -> Double? {
      guard let entry = main[tag], entry.type == 5,
        let bytes = try? tiff.bytes(of: entry, limit: 8),
        let numerator = bytes.u32(at: 0, tiff.order),
        let denominator = bytes.u32(at: 4, tiff.order), denominator > 0
      else { return nil }
      return Double(numerator) / Double(denominator)
    }
    guard let x = number(TIFFTag.xResolution), let y = number(TIFFTag.yResolution) else {
      return nil
    }
    let unit = (try? tiff.unsigned(TIFFTag.resolutionUnit, in: main)) ?? 2
    self.init(x: x, y: y, unit: unit == 1 ? .unknown : unit == 3 ? .centimetre : .inch)
  }
}

extension PixelDensity {
  /// The unit and both numbers for a JFIF segment: pixels per inch, or per centimetre if only those are whole
  /// numbers. Nil for numbers that exceed 16 bits.
  package var jfif: [UInt8]? {
    if isRatio { return Self.jfif(unit: 0, x, y) }
    let inches = (x: x * Self.inch, y: y * Self.inch)
    let isWhole = Self.isWhole(inches.x) && Self.isWhole(inches.y)
    if !isWhole, Self.isWhole(x / 100), Self.isWhole(y / 100) {
      return Self.jfif(unit: 2, x / 100, y / 100)
    }
    return Self.jfif(unit: 1, inches.x, inches.y)
  }

  private static func jfif(unit: UInt8, _ x: Double, _ y: Double) -> [UInt8]? {
    guard x >= 0.5, y >= 0.5, x < 65535, y < 65535 else { return nil }
    return [unit] + encoded(Int(x + 0.5), width: 2) + encoded(Int(y + 0.5), width: 2)
  }

  /// Whether a number is whole, with a tolerance. PNG stores pixels per metre, so 300 per inch are read as 299.9994.
  private static func isWhole(_ value: Double) -> Bool {
    abs(value - Double(Int(value + 0.5))) < 0.01
  }

  /// The PNG chunk for this density.
  package var pHYs: [UInt8] {
    PNGChunk.made(
      "pHYs", encoded(Int(x + 0.5), width: 4) + encoded(Int(y + 0.5), width: 4) + [isRatio ? 0 : 1])
  }
}
