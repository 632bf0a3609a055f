import Catalog
import Query

/// How a fetch is sorted, and how many assets it has.
public struct FetchOptions: Sendable, Hashable {
  /// The key by which assets are sorted.
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

  /// The key by which assets are sorted. Those without a value are last in either order.
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
/// Assets that are added or removed while it is read may or may not be part of it. One whose place in the order changes
/// meanwhile, because it is renamed in a listing by name, may be left out or be in it twice.
public struct FetchResult: AsyncSequence, Sendable {
  /// One asset.
  public typealias Element = Asset
  /// ``PhotoLibraryError/cancelled`` if the task is cancelled, or an error of the catalog.
  public typealias Failure = PhotoLibraryError

  let library: PhotoLibrary
  let filter: Query::AssetFilter
  let options: FetchOptions
  /// The part of the library that the reader may see.
  let visible: Query::AssetFilter

  init(
    _ library: PhotoLibrary, _ filter: Query::AssetFilter, _ options: FetchOptions,
    visible: Query::AssetFilter
  ) {
    (self.library, self.filter, self.options) = (library, filter, options)
    self.visible = visible
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
    return try await library.telemetry.measure(
      .fetch, counting: { $0.assets.count }
    ) { () throws(PhotoLibraryError) in
      try await library.query { [filter, visible, options] catalog in
        let found = try catalog.page(matching: filter, in: order, after: position)
        let page = Array(found.prefix(size))
        let last = found.count > size ? page.last : nil
        return Page(
          assets: try catalog.assets(page, visible: visible),
          next: last.map {
            Cursor(options, AssetPosition(after: $0, in: order.key), count: done + page.count)
          })
      }
    }
  }

  /// Assets in the middle of the listing, for a scroll bar that jumps. ``page(after:size:)`` is faster for the page after
  /// another one.
  ///
  /// If an index has the order and the conditions, as for kinds and months by capture date, 100,000 skipped assets cost
  /// some milliseconds. Assets that are added or removed before the place meanwhile shift the listing.
  ///
  /// - Parameters:
  ///   - offset: the number of assets before the first one, at least 0.
  ///   - size: at most this number of assets, 1 to 10,000.
  /// - Returns: the assets, in order; none if the listing ends before.
  public func page(at offset: Int, size: Int) async throws(PhotoLibraryError) -> [Asset] {
    let offset = Swift.max(0, offset)
    let size = Swift.min(Swift.min(Swift.max(1, size), 10_000), Swift.max(0, limit - offset))
    guard size > 0 else { return [] }
    var order = options.assetOrder(limit: size)
    order.offset = offset
    return try await library.telemetry.measure(
      .fetch, counting: { $0.count }
    ) { [order] () throws(PhotoLibraryError) in
      try await library.query { [filter, visible] catalog in
        try catalog.assets(catalog.page(matching: filter, inRangeOf: order), visible: visible)
      }
    }
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
