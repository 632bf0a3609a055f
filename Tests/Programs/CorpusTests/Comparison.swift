import Foundation
import Testing

/// One column of facts that the catalog and the references both have.
enum Comparison: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case displaySize, orientation, captureTime, make, model, location, duration, videoCodec

  var testDescription: String { rawValue }

  /// What the references say of a file, as text to print; nil if they say nothing.
  func expected(of file: ManifestFile) -> String? {
    switch self {
    case .displaySize:
      guard let width = file["display_width"], let height = file["display_height"] else {
        return nil
      }
      return "\(width)x\(height)"
    case .orientation:
      // 0 is not an orientation, and exiftool's own words for a maker's tag are not EXIF's.
      return file["exif_orientation"].flatMap { (1...8).contains(Int($0) ?? 0) ? $0 : nil }
    case .captureTime:
      // If the time of capture is unknown, the manifest has the time of the last change. A
      // year alone, or a row of zeros, is not a date.
      guard file["capture_time_tag"] != "IFD0:ModifyDate", let time = file["capture_time"],
        time.count > 4, !time.hasPrefix("0000")
      else { return nil }
      return time
    case .make: return file["make"]
    case .model: return file["model"]
    case .location:
      guard let latitude = file["gps_lat"], let longitude = file["gps_lon"] else { return nil }
      return "\(latitude),\(longitude)"
    case .duration:
      // A header that promises no frames has no duration; the references print 0.
      guard file["media_type"] == "video", let duration = file["duration_s"] else { return nil }
      return duration == "0.0" ? nil : duration
    case .videoCodec: return file["media_type"] == "video" ? file["video_codec"] : nil
    }
  }

  /// What the catalog says, in the same form.
  func value(of facts: CatalogFacts) -> String? {
    switch self {
    case .displaySize:
      guard let width = facts.pixel_width, let height = facts.pixel_height else { return nil }
      return "\(width)x\(height)"
    case .orientation: return facts.orientation.map(String.init)
    case .captureTime: return facts.capture_date
    case .make: return facts.make
    case .model: return facts.model
    case .location:
      guard let latitude = facts.latitude, let longitude = facts.longitude else { return nil }
      return "\(latitude),\(longitude)"
    case .duration: return facts.duration.map { String($0) }
    case .videoCodec: return facts.video_codec
    }
  }

  /// Whether both mean the same.
  func agrees(_ got: String?, with expected: String) -> Bool {
    guard let got else { return false }
    switch self {
    case .displaySize, .orientation, .videoCodec: return got == expected
    case .make, .model:
      // The manifest has its blanks tidied.
      return got.split(separator: " ") == expected.split(separator: " ")
    case .captureTime: return Moment(got)?.isSame(as: Moment(expected)) ?? false
    case .location: return isNear(numbers(got), numbers(expected), by: 1e-4)
    case .duration:
      // The container's duration or the video track's: both are answers.
      let seconds = numbers(expected)
      return isNear(numbers(got), seconds, by: max(0.05, (seconds.first ?? 0) / 1000))
    }
  }

  private func numbers(_ text: String) -> [Double] {
    text.split(separator: ",").compactMap { Double($0) }
  }

  private func isNear(_ some: [Double], _ others: [Double], by tolerance: Double) -> Bool {
    !some.isEmpty && some.count == others.count
      && zip(some, others).allSatisfy { abs($0 - $1) <= tolerance }
  }
}

/// A time as exiftool (`2019:10:19 18:24:29.318+02:00`, also `…ZZ` and `…GMT+02:00`) or ISO 8601 writes it, whole or only a date.
struct Moment {
  /// Seconds on the wall clock since an arbitrary day; whole, as the programs differ in how many
  /// digits of a fraction they keep.
  private var wall: Int
  /// Minutes east of UTC.
  private var offset: Int?
  /// Whether there is only a date.
  private var isDate: Bool

  init?(_ text: String) {
    let pattern =
      /(\d{4})[:-](\d{2})[:-](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(ZZ?|(?:GMT)?([+-])(\d{2}):?(\d{2}))?)?/
    guard let match = text.wholeMatch(of: pattern) else { return nil }
    func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
    var components = DateComponents()
    components.year = number(match.1)
    components.month = number(match.2)
    components.day = number(match.3)
    components.hour = number(match.4)
    components.minute = number(match.5)
    components.second = number(match.6)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    guard let date = calendar.date(from: components) else { return nil }
    wall = Int(date.timeIntervalSinceReferenceDate)
    isDate = match.4 == nil
    if match.7?.first == "Z" { offset = 0 }
    if let sign = match.8 {
      offset = (sign == "-" ? -1 : 1) * (number(match.9) * 60 + number(match.10))
    }
  }

  /// Equal instants where both have a zone, else equal wall times; equal days where one has
  /// only that.
  func isSame(as other: Moment?) -> Bool {
    guard let other else { return false }
    if isDate || other.isDate { return wall / 86_400 == other.wall / 86_400 }
    guard let offset, let otherOffset = other.offset else { return wall == other.wall }
    return wall - offset * 60 == other.wall - otherOffset * 60
  }
}
