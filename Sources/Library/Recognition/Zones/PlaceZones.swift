package import MediaModel

/// The UTC offsets that are in use at each place on land, between 2000 and 2038.
///
/// The data is written by `.ci/place-zones`, which describes its form: rules of the IANA time zone database, and the
/// areas in which they are in use, by the boundaries of OpenStreetMap. It is compiled into the program, so that a library
/// has the same times on each machine. Squares of 5 km with a boundary and the open sea have no rule.
package struct PlaceZones: Sendable {
  /// The offsets of an area, in minutes east of UTC.
  fileprivate struct Rule {
    /// At the beginning of 2000.
    let first: Int
    /// Later ones, with the minutes since the beginning of 2000.
    var changes: [(minute: Int64, offset: Int)] = []
  }

  /// The side of the largest squares in degrees, and their numbers from west to east and from south to north.
  private static let side = 11.25
  private static let (columns, rows) = (32, 16)
  /// How often a square may be divided, and after how many divisions a list of its rules follows.
  private static let (deepest, listed) = (8, 2)
  /// Milliseconds since 1970 of the beginnings of 2000 and of 2038.
  private static let (begin, end): (Int64, Int64) = (946_684_800_000, 2_145_916_800_000)

  private var rules: [Rule] = []
  /// The largest squares row by row, then quarters. A value below ``firstQuarter`` is a rule's number, counted from 1, or
  /// 0 for none; any other is the index of the first of four quarters: southwest, southeast, northwest, northeast.
  private var squares: [UInt32]
  private static let firstQuarter = columns * rows

  /// The zones that this program knows; read when they are first needed.
  package static let known = PlaceZones(PackageResources.place_zones_bin)

  private init(_ data: [UInt8]) {
    var bits = BitReader(data)
    func number(_ width: Int) -> Int {
      (0..<width).reduce(0) { $0 | bits.next(8) << (8 * $1) }
    }
    func offset() -> Int { Int(Int16(truncatingIfNeeded: number(2))) }
    for _ in 0..<number(2) {
      var rule = Rule(first: offset())
      for _ in 0..<number(2) { rule.changes.append((Int64(number(4)), offset())) }
      rules.append(rule)
    }
    squares = Array(repeating: 0, count: Self.firstQuarter)
    for index in squares.indices { read(into: index, depth: 0, list: nil, &bits) }
  }

  /// Reads a square and its quarters.
  ///
  /// - Parameter list: the rules that a square of several has; nil in larger ones.
  private mutating func read(
    into index: Int, depth: Int, list: [UInt32]?, _ bits: inout BitReader
  ) {
    guard depth < Self.deepest, bits.next(1) == 1 else {
      guard let list else {
        squares[index] = UInt32(bits.next(8))
        return
      }
      let place = bits.next((list.count - 1).bitWidth - (list.count - 1).leadingZeroBitCount)
      squares[index] = list.indices.contains(place) ? list[place] : 0
      return
    }
    var list = list
    if depth == Self.listed { list = (0..<bits.next(8)).map { _ in UInt32(bits.next(8)) } }
    let first = squares.count
    squares[index] = UInt32(first)
    squares += [0, 0, 0, 0]
    for quarter in first..<first + 4 { read(into: quarter, depth: depth + 1, list: list, &bits) }
  }

  private func rule(at place: Location) -> Rule? {
    guard abs(place.latitude) <= 90, abs(place.longitude) <= 180 else { return nil }
    var (x, y) = ((place.longitude + 180) / Self.side, (place.latitude + 90) / Self.side)
    // The edges of the map belong to its last squares.
    let column = min(Int(x), Self.columns - 1)
    let row = min(Int(y), Self.rows - 1)
    (x, y) = (x - Double(column), y - Double(row))
    var value = Int(squares[row * Self.columns + column])
    while value >= Self.firstQuarter {
      (x, y) = (x * 2, y * 2)
      let (east, north) = (x >= 1, y >= 1)
      (x, y) = (east ? x - 1 : x, north ? y - 1 : y)
      value = Int(squares[value + (east ? 1 : 0) + (north ? 2 : 0)])
    }
    return value == 0 || value > rules.count ? nil : rules[value - 1]
  }

  /// The offset at a moment.
  ///
  /// - Parameter milliseconds: since 1970, in UTC.
  /// - Returns: minutes east of UTC; nil if the place or the time is not covered.
  package func offset(at place: Location, utc milliseconds: Int64) -> Int? {
    guard (Self.begin..<Self.end).contains(milliseconds), let rule = rule(at: place) else {
      return nil
    }
    return rule.offset(at: (milliseconds - Self.begin) / 60_000)
  }

  /// The offset when the clocks of the place had a time.
  ///
  /// - Parameter milliseconds: since 1970, on the wall clock.
  /// - Returns: minutes east of UTC; nil if the place or the time is not covered, or if the clocks had the time twice or
  ///   never, because they were changed.
  package func offset(at place: Location, wall milliseconds: Int64) -> Int? {
    guard (Self.begin..<Self.end).contains(milliseconds), let rule = rule(at: place) else {
      return nil
    }
    let minute = (milliseconds - Self.begin) / 60_000
    let possible = Set(rule.offsets).filter { rule.offset(at: minute - Int64($0)) == $0 }
    return possible.count == 1 ? possible.first : nil
  }
}

extension PlaceZones.Rule {
  /// - Parameter minute: since the beginning of 2000, in UTC.
  fileprivate func offset(at minute: Int64) -> Int {
    changes.last { $0.minute <= minute }?.offset ?? first
  }

  fileprivate var offsets: [Int] { [first] + changes.map(\.offset) }
}

/// Reads bits, the highest of each byte first. After the end follow zeros.
private struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next bits as a number.
  mutating func next(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      let index = position / 8
      let bit = index < bytes.count ? Int(bytes[index] >> (7 - position % 8)) & 1 : 0
      value = value << 1 | bit
      position += 1
    }
    return value
  }
}
