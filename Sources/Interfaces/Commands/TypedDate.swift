import Foundation
import Query
import ShoeboxKit

extension Date {
  /// The instant that a user typed: a time ago such as `90d`, `yesterday`, or a date such as `2026-05-14`, on this
  /// machine's clock.
  ///
  /// - Throws: `BadValue` for a text of another form.
  init(typed text: String, now: Date = Date()) throws {
    let zone = TimeZone.current
    if let date = RelativeDate(typed: text) {
      self.init(milliseconds: date.instant(now: now.milliseconds, in: zone))
    } else {
      let wall = try WallDate(typed: text).firstMillisecond
      self.init(milliseconds: zone.instant(ofWall: wall))
    }
  }
}
