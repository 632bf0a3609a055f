/// The EXIF `Orientation` value (EXIF 2.32 §4.6.4 A): where row 0 and column 0 of the stored pixels
/// lie in the upright picture.
package enum Orientation: UInt8, Sendable, Hashable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8

  /// Whether the upright picture's width is the stored picture's height.
  package var swapsAxes: Bool { rawValue >= 5 }

  /// The upright size for a stored size.
  package func upright(_ stored: PixelSize) -> PixelSize {
    swapsAxes ? stored.transposed : stored
  }
}

extension Orientation {
  /// The orientation for a display matrix (ISO/IEC 14496-12 §8.3.2, libavutil/display.h: x' = a·x + c·y,
  /// y' = b·x + d·y). Only the signs count; nil if it is not a multiple of a quarter turn.
  package init?(a: Int32, b: Int32, c: Int32, d: Int32) {
    switch (a.signum(), b.signum(), c.signum(), d.signum()) {
    case (1, 0, 0, 1): self = .up
    case (-1, 0, 0, 1): self = .upMirrored
    case (-1, 0, 0, -1): self = .down
    case (1, 0, 0, -1): self = .downMirrored
    case (0, 1, 1, 0): self = .leftMirrored
    case (0, 1, -1, 0): self = .right
    case (0, -1, -1, 0): self = .rightMirrored
    case (0, -1, 1, 0): self = .left
    default: return nil
    }
  }

  /// The orientation that a clockwise turn makes upright; nil for anything but 0 to 3 quarters.
  package init?(clockwiseQuarterTurns turns: Int) {
    switch turns {
    case 0: self = .up
    case 1: self = .right
    case 2: self = .down
    case 3: self = .left
    default: return nil
    }
  }

  /// The orientation that a clockwise turn makes upright; nil if it is not a multiple of 90 degrees.
  package init?(clockwiseDegrees degrees: Int) {
    guard degrees % 90 == 0 else { return nil }
    self.init(clockwiseQuarterTurns: (degrees % 360 + 360) % 360 / 90)
  }
}

/// An orientation as the steps that make a stored picture upright: exchange the axes, then mirror each of
/// them.
package struct Turning: Sendable, Hashable {
  package var swapsAxes: Bool
  /// Whether left and right are exchanged, after the axes.
  package var mirrorsX: Bool
  /// Whether top and bottom are exchanged, after the axes.
  package var mirrorsY: Bool

  package init(swapsAxes: Bool, mirrorsX: Bool, mirrorsY: Bool) {
    self.swapsAxes = swapsAxes
    self.mirrorsX = mirrorsX
    self.mirrorsY = mirrorsY
  }
}

extension Orientation {
  package var turning: Turning {
    switch self {
    case .up: Turning(swapsAxes: false, mirrorsX: false, mirrorsY: false)
    case .upMirrored: Turning(swapsAxes: false, mirrorsX: true, mirrorsY: false)
    case .down: Turning(swapsAxes: false, mirrorsX: true, mirrorsY: true)
    case .downMirrored: Turning(swapsAxes: false, mirrorsX: false, mirrorsY: true)
    case .leftMirrored: Turning(swapsAxes: true, mirrorsX: false, mirrorsY: false)
    case .right: Turning(swapsAxes: true, mirrorsX: true, mirrorsY: false)
    case .rightMirrored: Turning(swapsAxes: true, mirrorsX: true, mirrorsY: true)
    case .left: Turning(swapsAxes: true, mirrorsX: false, mirrorsY: true)
    }
  }

  package init(_ turning: Turning) {
    switch (turning.swapsAxes, turning.mirrorsX, turning.mirrorsY) {
    case (false, false, false): self = .up
    case (false, true, false): self = .upMirrored
    case (false, true, true): self = .down
    case (false, false, true): self = .downMirrored
    case (true, false, false): self = .leftMirrored
    case (true, true, false): self = .right
    case (true, true, true): self = .rightMirrored
    case (true, false, true): self = .left
    }
  }

  /// The combination of this turn and a second one.
  package func followed(by next: Orientation) -> Orientation {
    let (first, second) = (turning, next.turning)
    let (x, y) =
      second.swapsAxes ? (first.mirrorsY, first.mirrorsX) : (first.mirrorsX, first.mirrorsY)
    return Orientation(
      Turning(
        swapsAxes: first.swapsAxes != second.swapsAxes, mirrorsX: x != second.mirrorsX,
        mirrorsY: y != second.mirrorsY))
  }
}
