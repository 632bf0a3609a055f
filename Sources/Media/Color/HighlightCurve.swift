import Glibc

/// The curve from light to sRGB that leaves room for highlights.
///
/// - Light up to half of paper white (203 cd/m², ITU-R BT.2408) is unchanged: it has the brightness that an SDR picture of
///   the scene would have.
/// - From there a cubic spline in perceptual units (SMPTE ST 2084), as in ITU-R BT.2390-10 §5.4.1, leads to paper white at
///   ``paperLevel``. That level is the same at any peak, so SDR graphics in HDR pictures always have the same white.
/// - A second spline continues with the same slope to white at the peak, where it is level.
///
/// BT.2390's own spline is one piece, whose knee moves with the peak: for a peak of 10,000 cd/m² it would map paper white
/// to 111 cd/m².
struct HighlightCurve {
  /// Paper white in cd/m².
  static let paperWhite: Float = 203
  /// The light of paper white in the result, 1 being white. It is stored as 225 of 255. Phones record much of a bright
  /// scene, such as a cloudy sky, between paper white and three times as much: 30 levels are left for that. A lower level
  /// would make paper grey.
  static let paperLevel: Float = 0.75
  /// The share of paper white up to which light is unchanged.
  private static let knee: Float = 0.5
  /// The slope at paper white in perceptual units. It is close to the mean slope above paper white, so that both splines
  /// always rise.
  private static let paperSlope: Float = 0.15

  private let lower: Spline
  private let upper: Spline

  /// - Parameter peak: the light that becomes white, in cd/m², at least 1000.
  init(peak: Float) {
    let (knee, paper) = (
      PerceptualQuantizer.value(Self.knee * Self.paperWhite),
      PerceptualQuantizer.value(Self.paperWhite)
    )
    let level = PerceptualQuantizer.value(Self.paperLevel * Self.paperWhite)
    lower = Spline(from: (knee, knee, 1), to: (paper, level, Self.paperSlope))
    upper = Spline(
      from: (paper, level, Self.paperSlope), to: (PerceptualQuantizer.value(peak), paper, 0))
  }

  /// The light in the result, 0–1.
  ///
  /// - Parameter light: cd/m².
  func value(_ light: Float) -> Float {
    guard light > Self.knee * Self.paperWhite else { return light / Self.paperWhite }
    let spline = light > Self.paperWhite ? upper : lower
    let value = spline.value(PerceptualQuantizer.value(light))
    return PerceptualQuantizer.light(value) / Self.paperWhite
  }
}

/// A cubic Hermite spline between two points with slopes.
private struct Spline {
  typealias Point = (x: Float, y: Float, slope: Float)

  private let start: Point
  private let end: Point

  init(from start: Point, to end: Point) {
    (self.start, self.end) = (start, end)
  }

  func value(_ x: Float) -> Float {
    let width = end.x - start.x
    let t = min(max((x - start.x) / width, 0), 1)
    let (square, cube) = (t * t, t * t * t)
    return (2 * cube - 3 * square + 1) * start.y + (cube - 2 * square + t) * width * start.slope
      + (3 * square - 2 * cube) * end.y + (cube - square) * width * end.slope
  }
}

/// The transfer function of SMPTE ST 2084, also a scale on which equal steps look equal.
enum PerceptualQuantizer {
  /// cd/m² for a stored value of 0–1.
  static func light(_ value: Float) -> Float {
    let root = powf(max(value, 0), 1 / 78.84375)
    return 10_000
      * powf(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
  }

  /// The stored value, 0–1, for cd/m².
  static func value(_ light: Float) -> Float {
    let power = powf(max(light, 0) / 10_000, 0.1593017578125)
    return powf((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
  }
}
