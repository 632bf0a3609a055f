/// An orientation as the three moves that make a stored picture upright: exchange the axes, then mirror
/// each of them.
package struct Turning: Sendable, Hashable {
  package var swapsAxes: Bool
  /// Left and right exchanged, after the axes.
  package var mirrorsX: Bool
  /// Top and bottom exchanged, after the axes.
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

  /// This turn, and then the other one, as one.
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
