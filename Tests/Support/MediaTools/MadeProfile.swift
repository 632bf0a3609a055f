import Foundation

/// An ICC profile that a test makes from formulas (ICC.1:2022, and ICC.1:2001 for version 2).
package struct MadeProfile: Sendable {
  package var bytes: [UInt8]

  /// From a device colour, 0–1, to CIE XYZ relative to D50.
  package typealias Color = @Sendable ([Double]) -> [Double]

  /// A curve from stored values to light.
  package enum Curve: Sendable {
    case gamma(Double)
    /// sRGB's, as a parametric curve.
    case sRGB
    /// A list of values at equal steps.
    case table([Double])

    package func light(_ value: Double) -> Double {
      switch self {
      case .gamma(let gamma): pow(value, gamma)
      case .sRGB: value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      case .table(let values):
        {
          let place = value * Double(values.count - 1)
          let index = min(Int(place), values.count - 2)
          let share = place - Double(index)
          return values[index] * (1 - share) + values[index + 1] * share
        }()
      }
    }

    fileprivate var tag: [UInt8] {
      switch self {
      case .gamma(let gamma): tagged("curv", number(1) + short(Int(gamma * 256 + 0.5)))
      case .sRGB:
        tagged(
          "para",
          short(3) + short(0)
            + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed))
      case .table(let values):
        tagged("curv", number(values.count) + values.flatMap { short(Int($0 * 65_535 + 0.5)) })
      }
    }
  }

  /// How a table is stored.
  package enum Table: String, Sendable, CaseIterable {
    case mft1, mft2, mAB
  }

  /// RGB by a curve and the chromaticities of D50-adapted columns.
  ///
  /// - Parameter columns: XYZ of red, green and blue.
  package static func matrix(
    _ columns: [[Double]], _ curve: Curve, version: Int = 4
  ) -> MadeProfile {
    let curves = ["rTRC", "gTRC", "bTRC"].map { ($0, curve.tag) }
    let colors = zip(["rXYZ", "gXYZ", "bXYZ"], columns).map {
      ($0, tagged("XYZ ", $1.flatMap(fixed)))
    }
    return profile("RGB ", "XYZ ", colors + curves, version: version)
  }

  /// Grey by one curve.
  package static func gray(_ curve: Curve, version: Int = 4) -> MadeProfile {
    profile("GRAY", "XYZ ", [("kTRC", curve.tag)], version: version)
  }

  /// Colours by a table of CIELab.
  ///
  /// - Parameters:
  ///   - space: `RGB ` or `CMYK`.
  ///   - grid: points in each dimension.
  ///   - lab: L*, a* and b* of a device colour, 0–1.
  package static func table(
    _ space: String, _ kind: Table, grid: Int, version: Int = 4,
    lab: @Sendable ([Double]) -> [Double]
  ) -> MadeProfile {
    let channels = space == "CMYK" ? 4 : 3
    var points: [[Double]] = [[]]
    for _ in 0..<channels {
      points = points.flatMap { point in
        (0..<grid).map { point + [Double($0) / Double(grid - 1)] }
      }
    }
    let colors = points.map { lab($0) }
    let content: [UInt8]
    switch kind {
    case .mft1:
      let ramp = (0...255).map { UInt8($0) }
      let ramps = { (count: Int) in (0..<count).flatMap { _ in ramp } }
      content = tagged(
        "mft1",
        [UInt8(channels), 3, UInt8(grid), 0] + identity + ramps(channels)
          + colors.flatMap {
            [level($0[0] / 100), level(($0[1] + 128) / 255), level(($0[2] + 128) / 255)]
          }
          + ramps(3))
    case .mft2:
      // Lightness 100 is 0xFF00, and a and b are in steps of 1/256 (ICC.1:2022 §10.10).
      let ramps = (0..<(channels + 3)).map { _ in short(0) + short(65_535) }
      content = tagged(
        "mft2",
        [UInt8(channels), 3, UInt8(grid), 0] + identity + short(2) + short(2)
          + ramps[..<channels].flatMap { $0 }
          + colors.flatMap {
            short(Int($0[0] * 652.8 + 0.5)) + short(Int(($0[1] + 128) * 256 + 0.5))
              + short(Int(($0[2] + 128) * 256 + 0.5))
          } + ramps[channels...].flatMap { $0 })
    case .mAB:
      // Curves B, then none for the matrix, the table, curves A (§10.12).
      let line = tagged("curv", number(0))
      let (b, a) = ((0..<3).flatMap { _ in line }, (0..<channels).flatMap { _ in line })
      let sizes = (0..<16).map { UInt8($0 < channels ? grid : 0) }
      let table: [UInt8] =
        sizes + [2, 0, 0, 0]
        + colors.flatMap {
          short(Int($0[0] / 100 * 65_535 + 0.5)) + short(Int(($0[1] + 128) * 257 + 0.5))
            + short(Int(($0[2] + 128) * 257 + 0.5))
        }
      let padded = table + [UInt8](repeating: 0, count: (4 - table.count % 4) % 4)
      let start = 32
      content = tagged(
        "mAB ",
        [UInt8(channels), 3, 0, 0] + number(start) + number(0) + number(0)
          + number(start + b.count) + number(start + b.count + padded.count) + b + padded + a)
    }
    // For perceptual and for relative colorimetric intent.
    return profile(space, "Lab ", [("A2B0", content), ("A2B1", content)], version: version)
  }

  /// XYZ columns of RGB spaces under D50, as their owners publish them.
  package static let displayP3 = [
    [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
  ]
  package static let proPhoto = [
    [0.79767, 0.28804, 0.0], [0.13519, 0.71188, 0.0], [0.03135, 0.00009, 0.82491],
  ]
  package static let adobeRGB = [
    [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
  ]
  package static let sRGB = [
    [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
  ]

  private static func profile(
    _ space: String, _ connection: String, _ tags: [(String, [UInt8])], version: Int
  ) -> MadeProfile {
    let white = tagged("XYZ ", [0.9642, 1, 0.8249].flatMap(fixed))
    let text = Array("Made by a test".utf8)
    let description: [UInt8] =
      version >= 4
      ? tagged(
        "mluc",
        number(1) + number(12) + Array("enUS".utf8) + number(text.count * 2) + number(28)
          + text.flatMap { [0, $0] })
      : tagged("desc", number(text.count + 1) + text + [UInt8](repeating: 0, count: 79))
    let copyright: [UInt8] =
      version >= 4 ? description : tagged("text", text + [0])
    let all = [("desc", description), ("cprt", copyright), ("wtpt", white)] + tags
    var table = number(all.count)
    var contents: [UInt8] = []
    for (name, content) in all {
      let offset = 132 + all.count * 12 + contents.count
      table += Array(name.utf8) + number(offset) + number(content.count)
      contents += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    var header = [UInt8](repeating: 0, count: 128)
    func set(_ bytes: [UInt8], at offset: Int) {
      header.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }
    set(number(128 + table.count + contents.count), at: 0)
    set([UInt8(version), version >= 4 ? 0x40 : 0x20], at: 8)
    set(Array(((space == "CMYK" ? "prtr" : "mntr") + space + connection).utf8), at: 12)
    set([0x07, 0xE8, 0, 1, 0, 1], at: 24)
    set(Array("acsp".utf8), at: 36)
    set([0.9642, 1, 0.8249].flatMap(fixed), at: 68)
    return MadeProfile(bytes: header + table + contents)
  }

  /// The matrix of tables, for XYZ only: one.
  private static var identity: [UInt8] { [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap(fixed) }
}

private func number(_ value: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

private func short(_ value: Int) -> [UInt8] {
  let clamped = min(max(value, 0), 65_535)
  return [UInt8(clamped >> 8), UInt8(clamped & 0xFF)]
}

private func level(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 1) * 255 + 0.5) }

/// s15Fixed16Number (§4.6).
private func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65_536).rounded())) }

/// The content of a tag after its type.
private func tagged(_ type: String, _ content: [UInt8]) -> [UInt8] {
  Array(type.utf8) + [0, 0, 0, 0] + content
}
