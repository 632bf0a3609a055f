/// A capture time as far as comparing two of them goes.
package struct PairingTime: Sendable, Hashable {
  /// Milliseconds on the wall clock.
  package var wall: Int64
  /// Minutes east of UTC, if known.
  package var offset: Int?
  /// Whether it may be when the file was last saved, as EXIF's DateTime and a movie's header are after
  /// an edit.
  package var mayBeOfEdit: Bool

  package init(wall: Int64, offset: Int? = nil, mayBeOfEdit: Bool = false) {
    self.wall = wall
    self.offset = offset
    self.mayBeOfEdit = mayBeOfEdit
  }

  /// Nil for a time from a file's name: the names are compared already.
  ///
  /// - Parameter source: as in ``CaptureTime/source``.
  package init?(wall: Int64, offset: Int?, source: String) {
    if source.hasPrefix("name:") { return nil }
    let tag = source.prefix { $0 != "+" }
    self.init(
      wall: wall, offset: offset, mayBeOfEdit: ["exif:DateTime", "quicktime:mvhd"].contains(tag))
  }

  private var utc: Int64? { offset.map { wall - Int64($0) * 60_000 } }

  enum Relation {
    case same
    /// The same but for a whole number of quarter hours, as zones differ, where a zone is unknown.
    case sameButForZone
    case different
    case unknown
  }

  /// Milliseconds between two times; nil if either is unknown. Where a zone is missing the distance is
  /// what remains after the nearest quarter hour.
  static func distance(_ left: PairingTime?, _ right: PairingTime?) -> Int64? {
    guard let left, let right else { return nil }
    if let first = left.utc, let second = right.utc { return gap(first, second) }
    let wall = gap(left.wall, right.wall)
    if left.offset == nil, right.offset == nil { return wall }
    guard wall <= widestZone else { return wall }
    let rest = wall % quarterHour
    return min(rest, quarterHour - rest)
  }

  static func relation(
    _ left: PairingTime?, _ right: PairingTime?, within tolerance: Int64
  ) -> Relation {
    guard let left, let right, let distance = distance(left, right) else { return .unknown }
    guard distance <= tolerance else { return .different }
    let isExact = (left.offset == nil) == (right.offset == nil)
    return isExact || gap(left.wall, right.wall) <= tolerance ? .same : .sameButForZone
  }

  private static let quarterHour: Int64 = 15 * 60_000
  /// Zones span UTC−12 to UTC+14.
  private static let widestZone: Int64 = 14 * 3_600_000 + 5_000

  private static func gap(_ left: Int64, _ right: Int64) -> Int64 {
    let (difference, isOverflow) = left.subtractingReportingOverflow(right)
    return isOverflow || difference == .min ? .max : abs(difference)
  }
}
