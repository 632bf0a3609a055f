import Foundation
import MediaModel
import SeededRandom

/// A picture that a formula gives at every place, so that crops and scaled versions are exact: a sum of soft spots.
struct MadePicture {
  private struct Spot {
    var x: Double, y: Double, width: Double, height: Double, brightness: Double
  }

  private let spots: [Spot]
  private let tint: (blue: Double, red: Double)
  /// Width divided by height.
  var aspect = 4.0 / 3

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    spots = (0..<40).map { _ in
      Spot(
        x: .random(in: 0...1, using: &random), y: .random(in: 0...1, using: &random),
        width: .random(in: 0.03...0.3, using: &random),
        height: .random(in: 0.03...0.3, using: &random),
        brightness: .random(in: -70...70, using: &random))
    }
    tint = (.random(in: 108...148, using: &random), .random(in: 108...148, using: &random))
  }

  private func brightness(_ x: Double, _ y: Double) -> Double {
    spots.reduce(128) { sum, spot in
      let (across, down) = ((x - spot.x) / spot.width, (y - spot.y) / spot.height)
      return sum + spot.brightness * exp(-across * across - down * down)
    }
  }

  /// A part of the picture as a camera or a program writes it.
  struct Version {
    var left = 0.0, top = 0.0, right = 1.0, bottom = 1.0
    /// By what brightness is multiplied.
    var gain = 1.0
    /// The standard deviation of random errors, as of coarse quantisation.
    var noise = 0.0
    /// Something that is not in the picture: its edges.
    var patch: (left: Double, top: Double, side: Double)?
    var blue = 0.0
  }

  func signature(_ version: Version = Version(), seed: UInt64 = 1) throws -> PictureSignature {
    var random = SeededGenerator(seed: seed)
    let side = PictureSignature.side
    // Four samples on each axis of a cell.
    let fine = side * 4
    var grey: [UInt8] = []
    for row in 0..<side {
      for column in 0..<side {
        var sum = 0.0
        for part in 0..<16 {
          let u = (Double(column * 4 + part % 4) + 0.5) / Double(fine)
          let v = (Double(row * 4 + part / 4) + 0.5) / Double(fine)
          let x = version.left + u * (version.right - version.left)
          let y = version.top + v * (version.bottom - version.top)
          var value = brightness(x, y)
          if let patch = version.patch, x > patch.left, x < patch.left + patch.side,
            y > patch.top, y < patch.top + patch.side
          {
            value = 255 - value
          }
          sum += value
        }
        let error =
          version.noise == 0
          ? 0
          : (0..<12).reduce(-6) { sum, _ in sum + .random(in: 0...1, using: &random) }
            * version.noise
        grey.append(UInt8(min(max(sum / 16 * version.gain + error, 0), 255)))
      }
    }
    let cells = PictureSignature.colorSide * PictureSignature.colorSide
    let colors =
      [UInt8](repeating: UInt8(tint.blue + version.blue), count: cells)
      + [UInt8](repeating: UInt8(tint.red), count: cells)
    let height = 240.0
    let shape = aspect * (version.right - version.left) / (version.bottom - version.top)
    let size = PixelSize(width: Int((height * shape).rounded()), height: Int(height))
    guard let signature = PictureSignature(size: size, grey: grey, colors: colors) else {
      throw UnusablePicture()
    }
    return signature
  }

  struct UnusablePicture: Error {}
}
