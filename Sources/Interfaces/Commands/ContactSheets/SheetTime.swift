import Linux
import MediaModel

/// The time in a heading of a contact sheet: a year, a month, a day, or unknown.
struct SheetGroup: Hashable {
  /// Nil if the capture time is unknown.
  private let year: Int?
  /// Nil for all of the year.
  private let month: Int?
  /// Nil for all of the month.
  private let day: Int?

  /// The group of a picture; nil if sheets of that kind are not divided.
  init?(_ asset: AssetRecord, by heading: SheetHeading) {
    guard heading != .undivided else { return nil }
    let time = asset.captureWall.map(CivilTime.init(millisecondsSince1970:))
    year = time?.year
    month = heading == .year ? nil : time?.month
    day = heading == .day ? time?.day : nil
  }

  /// `14 May 2023`
  var title: String {
    guard let year else { return "No date" }
    return [day.map { "\($0)" }, monthName, "\(year)"].compactMap { $0 }.joined(separator: " ")
  }

  private var monthName: String? { month.map { Self.monthNames[$0 - 1] } }

  /// What links within the page name it by.
  var anchor: String {
    guard let year else { return "undated" }
    return "t" + [year, month, day].compactMap { $0.map(String.init) }.joined(separator: "-")
  }

  /// The common part of several groups' names, and the part that distinguishes them: `2020s` and `2023`, `2023` and
  /// `May`, `May 2023` and `14`.
  var shelf: (name: String, place: String) {
    guard let year else { return ("–", title) }
    guard let monthName else { return ("\(year / 10 * 10)s", "\(year)") }
    return day.map { ("\(monthName) \(year)", "\($0)") } ?? ("\(year)", monthName)
  }

  fileprivate static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}

extension CivilTime {
  /// The part of a time that the heading does not contain: the time of day under a day, the day and time under
  /// others, and all without a heading.
  func text(under heading: SheetHeading) -> String {
    let time = "\(hour):\(minute < 10 ? "0" : "")\(minute)"
    let name = SheetGroup.monthNames[month - 1]
    return switch heading {
    case .undivided: "\(day) \(name) \(year), \(time)"
    case .year, .month: "\(day) \(name), \(time)"
    case .day: time
    }
  }
}

/// Counts the pictures under each possible heading.
struct SheetCensus {
  private var counts: [SheetHeading: [(group: SheetGroup, count: Int)]] = [:]
  private var total = 0

  /// The least number of pictures under a heading, on average.
  private static let handful = 8

  /// Counts the next picture of a listing that is in order of time.
  mutating func add(_ asset: AssetRecord) {
    total += 1
    for heading in SheetHeading.allCases {
      guard let group = SheetGroup(asset, by: heading) else { continue }
      if counts[heading]?.last?.group != group { counts[heading, default: []].append((group, 0)) }
      let last = counts[heading, default: []].count - 1
      counts[heading]?[last].count += 1
    }
  }

  /// The groups under headings of a kind, in the listing's order.
  func groups(by heading: SheetHeading) -> [(group: SheetGroup, count: Int)] {
    counts[heading] ?? []
  }

  /// Months if there are a few pictures in each, days if all pictures are of a few months, otherwise years.
  var best: SheetHeading {
    func suffices(_ heading: SheetHeading) -> Bool {
      total >= groups(by: heading).count * Self.handful
    }
    if groups(by: .month).count <= 3, suffices(.day) { return .day }
    return suffices(.month) ? .month : .year
  }
}
