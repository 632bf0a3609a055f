import Catalog
import MediaModel
import Query

extension FetchResult {
  /// A period with the number of assets that were taken in it.
  public struct Bucket: Sendable, Hashable, Codable {
    /// The period, as ISO 8601 begins it: `2023`, `2023-05`; nil for assets whose time is unknown.
    public let start: String?
    /// The number of assets, at least 1.
    public let count: Int
  }

  /// The length of a bucket's period.
  public enum Period: Sendable, Hashable, CaseIterable {
    /// A calendar month.
    case month
    /// A calendar year.
    case year
  }

  /// The number of assets in each period that has any, in the order of capture, for a scroll bar; unknown times last.
  /// ``FetchOptions/limit`` has no effect.
  public func buckets(by period: Period) async throws(PhotoLibraryError) -> [Bucket] {
    let months = try await library.telemetry.measure(
      .fetch, counting: { (_: [MonthCount]) in 0 }
    ) { () throws(PhotoLibraryError) in
      try await library.query { [filter] in try $0.months(matching: filter) }
    }
    var buckets: [Bucket] = []
    for month in months {
      let start = month.start.map { String($0.iso8601.prefix(period == .month ? 7 : 4)) }
      if let last = buckets.last, last.start == start {
        buckets[buckets.count - 1] = Bucket(start: start, count: last.count + month.count)
      } else {
        buckets.append(Bucket(start: start, count: month.count))
      }
    }
    guard options.sort == .captureDate, options.order == .ascending else { return buckets }
    return buckets.filter { $0.start != nil }.reversed() + buckets.filter { $0.start == nil }
  }

  /// An album with the number of its assets.
  public struct Album: Sendable, Hashable, Codable {
    /// The album's title or the folder's name, as ``AssetFilter/album(_:)`` takes it.
    public let name: String
    /// The number of assets, at least 1.
    public let count: Int
  }

  /// The albums that have any of the assets, by name: the user's albums and folders. Those whose names differ at most in
  /// case are one album.
  /// ``FetchOptions/limit`` has no effect.
  public func albums() async throws(PhotoLibraryError) -> [Album] {
    try await library.telemetry.measure(
      .fetch, counting: { (_: [Album]) in 0 }
    ) { () throws(PhotoLibraryError) in
      try await library.query { [filter] catalog in
        try catalog.albums(matching: filter).map { Album(name: $0.name, count: $0.count) }
      }
    }
  }
}
