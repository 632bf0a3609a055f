import Catalog
import Foundation
import Query

/// How a fetch is sorted, and how many assets it has.
public struct FetchOptions: Sendable, Hashable {
  /// What assets are sorted by.
  public enum SortKey: String, Sendable, Hashable, Codable, CaseIterable {
    /// The time of capture on the wall clock of the place.
    case captureDate
    /// The name of the main file.
    case name
    /// Bytes of the main file.
    case size
    /// The length of videos.
    case duration
    /// When the asset was first scanned.
    case addedDate
  }

  /// The direction of a sorting.
  public enum Order: String, Sendable, Hashable, Codable, CaseIterable {
    /// The first name, the oldest, the smallest first.
    case ascending
    /// The last name, the newest, the largest first.
    case descending
  }

  /// What assets are sorted by. Those without a value are last in either order.
  public var sort: SortKey
  /// The direction.
  public var order: Order
  /// At most this number of assets; nil for all.
  public var limit: Int?

  /// - Parameters:
  ///   - sort: what assets are sorted by.
  ///   - order: the direction.
  ///   - limit: at most this number of assets; nil for all.
  public init(sort: SortKey = .captureDate, order: Order = .descending, limit: Int? = nil) {
    (self.sort, self.order, self.limit) = (sort, order, limit)
  }
}

/// The assets that a fetch found, as `PHFetchResult` is on Apple's systems. It reads them when they are asked for, in
/// pages: a library of a million assets takes no more memory than one of a thousand.
///
/// Assets that are added or removed while it is read may or may not be part of it; none is in it twice.
public struct FetchResult: AsyncSequence, Sendable {
  /// One asset.
  public typealias Element = Asset
  /// ``PhotoLibraryError/cancelled`` if the task is cancelled, or an error of the catalog.
  public typealias Failure = PhotoLibraryError

  let library: PhotoLibrary
  let filter: Query::AssetFilter
  let options: FetchOptions

  init(_ library: PhotoLibrary, _ filter: Query::AssetFilter, _ options: FetchOptions) {
    (self.library, self.filter, self.options) = (library, filter, options)
  }

  /// The largest number of assets, at least 0.
  private var limit: Int { Swift.max(0, options.limit ?? .max) }

  /// The number of assets, at most ``FetchOptions/limit``.
  public var count: Int {
    get async throws(PhotoLibraryError) {
      let found = try await library.telemetry.measure(
        .fetch, counting: { _ in 0 }
      ) { () throws(PhotoLibraryError) in
        try await library.query { [filter] in try $0.count(matching: filter) }
      }
      return Swift.min(found, limit)
    }
  }

  /// Some of the assets, and where the next ones begin.
  public struct Page: Sendable, Hashable, Codable {
    /// The assets, in order.
    public let assets: [Asset]
    /// The place after the last one; nil if there are no more.
    public let next: Cursor?
  }

  /// A page of the assets. However far into the listing it is, it takes the same time.
  ///
  /// - Parameters:
  ///   - cursor: where the page before ended; nil for the first page.
  ///   - size: at most this number of assets, 1 to 10,000.
  /// - Throws: ``PhotoLibraryError/invalidCursor(_:)`` for a cursor of another kind of listing.
  public func page(after cursor: Cursor?, size: Int) async throws(PhotoLibraryError) -> Page {
    let position = try cursor?.position(in: options)
    let done = cursor?.count ?? 0
    let left = Swift.max(0, limit - done)
    let size = Swift.min(Swift.max(1, size), 10_000)
    let order = options.assetOrder(limit: Swift.min(size, left) + (left > size ? 1 : 0))
    var found = try await library.telemetry.measure(
      .fetch, counting: { Swift.min($0.count, size) }
    ) { () throws(PhotoLibraryError) in
      try await library.query { [filter] in
        try $0.page(matching: filter, in: order, after: position)
      }
    }
    let hasMore = found.count > size
    found = Array(found.prefix(size))
    let next = hasMore ? found.last : nil
    return Page(
      assets: found.map(Asset.init),
      next: next.map {
        Cursor(options, AssetPosition(after: $0, in: order.key), count: done + found.count)
      })
  }

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
    let grouping: AssetGrouping = period == .month ? .month : .year
    let groups = try await library.telemetry.measure(
      .fetch, counting: { (_: [AssetGroup]) in 0 }
    ) { () throws(PhotoLibraryError) in
      try await self.groups(by: grouping)
    }
    let buckets = groups.map { group in Bucket(start: group.name, count: group.count) }
    guard options.sort == .captureDate, options.order == .ascending else { return buckets }
    return buckets.filter { $0.start != nil }.reversed() + buckets.filter { $0.start == nil }
  }

  /// Reads the assets in order.
  public func makeAsyncIterator() -> Iterator { Iterator(result: self) }

  /// Reads a page of assets at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private let result: FetchResult
    private var page: ArraySlice<Asset> = []
    private var cursor: Cursor?
    private var isAtEnd = false

    /// Grows, so that a short loop reads little and a long one asks seldom.
    private var size = 100

    fileprivate init(result: FetchResult) { self.result = result }

    /// The next asset; nil after the last one.
    public mutating func next() async throws(PhotoLibraryError) -> Asset? {
      if page.isEmpty, !isAtEnd {
        let read = try await result.page(after: cursor, size: size)
        (page, cursor, isAtEnd) = (read.assets[...], read.next, read.next == nil)
        size = Swift.min(size * 2, 1000)
      }
      return page.popFirst()
    }

    /// The next asset; nil after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PhotoLibraryError) -> Asset? {
      try await next()
    }
  }
}

/// A place in a listing, as a text that may be stored or sent, for example as a query parameter of a server.
public struct Cursor: Sendable, Hashable, Codable, CustomStringConvertible,
  LosslessStringConvertible
{
  /// The text: letters, digits, `-` and `_`.
  public let description: String

  /// Reads a cursor; whether it belongs to a listing, ``FetchResult/page(after:size:)`` checks.
  public init?(_ description: String) {
    guard Self.content(of: description) != nil else { return nil }
    self.description = description
  }

  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let cursor = Cursor(text) else { throw PhotoLibraryError.invalidCursor(text) }
    self = cursor
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  private struct Content: Codable {
    var key: FetchOptions.SortKey
    var order: FetchOptions.Order
    var position: AssetPosition
    /// The assets before it.
    var count: Int
  }

  init(_ options: FetchOptions, _ position: AssetPosition, count: Int) {
    let content = Content(
      key: options.sort, order: options.order, position: position, count: count)
    let bytes = (try? JSONEncoder().encode(content)) ?? Data()
    description = bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private static func content(of text: String) -> Content? {
    guard text.utf8.count <= 4096 else { return nil }
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let bytes = Data(base64Encoded: base64 + padding) else { return nil }
    return try? JSONDecoder().decode(Content.self, from: bytes)
  }

  /// The assets before the place.
  var count: Int { max(0, Self.content(of: description)?.count ?? 0) }

  func position(in options: FetchOptions) throws(PhotoLibraryError) -> AssetPosition {
    guard let content = Self.content(of: description), content.key == options.sort,
      content.order == options.order
    else { throw .invalidCursor(description) }
    return content.position
  }
}

extension FetchOptions {
  /// The catalog's form. It sorts names upwards and all else downwards, unless reversed.
  func assetOrder(limit: Int?) -> AssetOrder {
    let key: AssetOrder.Key =
      switch sort {
      case .captureDate: .captureDate
      case .name: .name
      case .size: .size
      case .duration: .duration
      case .addedDate: .addedDate
      }
    return AssetOrder(key, isReversed: (key == .name) == (order == .descending), limit: limit)
  }
}
