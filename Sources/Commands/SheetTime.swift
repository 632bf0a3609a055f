import Catalog
import MediaModel

/// A time over the pictures of a contact sheet: a month, a day, or none that is known.
struct SheetGroup: Hashable {
  /// Nil if the file does not tell when it was taken.
  private let year: Int?
  private let month: Int
  private let day: Int?

  /// The group of a picture; nil if sheets of that kind are not divided.
  init?(_ asset: Asset, by heading: SheetHeading) {
    guard heading != .none else { return nil }
    let time = asset.captureWall.map(CivilTime.init(wallMilliseconds:))
    year = time?.year
    month = time?.month ?? 0
    day = heading == .day ? time?.day : nil
  }

  /// `14 May 2023`
  var title: String {
    guard let year else { return "No date" }
    return (day.map { "\($0) " } ?? "") + Self.monthNames[month - 1] + " \(year)"
  }

  /// What links within the page name it by.
  var anchor: String {
    guard let year else { return "undated" }
    return "t\(year)-\(month)" + (day.map { "-\($0)" } ?? "")
  }

  /// What several groups have in common, and what tells them apart: `2023` and `May`, `May 2023` and
  /// `14`.
  var shelf: (name: String, place: String) {
    guard let year else { return ("", "No date") }
    let name = Self.monthNames[month - 1]
    return day.map { ("\(name) \(year)", "\($0)") } ?? ("\(year)", name)
  }

  fileprivate static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}

extension CivilTime {
  init(wallMilliseconds milliseconds: Int64) {
    let seconds = (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000
    self.init(secondsSince1970: seconds)
  }

  /// What a heading leaves open: all of it under none, day and time under a month, the time under a day.
  func text(under heading: SheetHeading) -> String {
    let time = "\(hour):\(minute < 10 ? "0" : "")\(minute)"
    let name = SheetGroup.monthNames[month - 1]
    return switch heading {
    case .none: "\(day) \(name) \(year), \(time)"
    case .month: "\(day) \(name), \(time)"
    case .day: time
    }
  }
}
