package import MediaModel

/// Which assets to list. Different fields are ANDed, the values of one list are ORed, and a field without a
/// value has no effect.
package struct AssetFilter: Sendable, Hashable {
  package var types: [TypeWord] = []
  package var excludedTypes: [TypeWord] = []
  /// The first wall time.
  package var since: WallDate?
  /// The last wall time, inclusive: to the end of that second, day, month or year.
  package var until: WallDate?
  /// The first instant in UTC at which a scan has added the asset.
  package var addedSince: WallDate?
  /// Absolute paths without symlinks; assets in and below any of them.
  package var folders: [BytePath] = []
  /// Shell patterns for the file's name; case-insensitive.
  package var names: [String] = []
  /// Texts to find in the camera's make and model; case-insensitive.
  package var cameras: [String] = []
  /// Texts to find in the lens's name; case-insensitive.
  package var lenses: [String] = []
  /// Titles of albums: the user's, or folders.
  package var albums: [String] = []
  package var hasLocation: Bool?
  /// Bytes, both ends included.
  package var minimumSize: Int64?
  package var maximumSize: Int64?
  /// Seconds, both ends included; assets without a duration never match.
  package var minimumDuration: Double?
  package var maximumDuration: Double?
  /// Places; the asset must be near one of them.
  package var places: [Condition] = []
  /// Searches, one of which must match.
  package var searches: [SearchText] = []
  /// The `--where` expressions, one of which must hold.
  package var expressions: [Condition] = []
  /// Only missing assets, instead of present ones.
  package var isMissing = false
  /// Only assets that have an exact copy.
  package var areDuplicates = false
  /// Further filters, all of which must hold.
  package var others: [AssetFilter] = []

  package init() {}
}

/// The order of a listing, and its range.
package struct AssetOrder: Sendable, Hashable {
  package enum Key: String, Sendable, CaseIterable {
    /// Newest first.
    case captureDate
    /// Alphabetically.
    case name
    /// Largest first.
    case size
    /// Longest first.
    case duration
    /// Newest first.
    case addedDate
  }

  package var key: Key
  /// Reversed; assets without a value still come last.
  package var isReversed: Bool
  /// At most this number of assets; nil for all.
  package var limit: Int?
  /// The number of assets to skip first.
  package var offset: Int

  package init(
    _ key: Key = .captureDate, isReversed: Bool = false, limit: Int? = nil, offset: Int = 0
  ) {
    self.key = key
    self.isReversed = isReversed
    self.limit = limit
    self.offset = offset
  }
}
