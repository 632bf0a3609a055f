package import MediaModel

/// Which assets are asked for: what stands in different fields is ANDed, what stands in one list is
/// ORed, and a field left as it is asks nothing.
package struct AssetFilter: Sendable, Hashable {
  package var types: [TypeWord] = []
  package var excludedTypes: [TypeWord] = []
  /// The first wall time wanted.
  package var since: WallDate?
  /// The last wall time wanted: all of that second, day, month or year.
  package var until: WallDate?
  /// Absolute paths without symlinks; assets in and below any of them.
  package var folders: [BytePath] = []
  /// Shell patterns for the file's name, letters in either case.
  package var names: [String] = []
  /// Texts to be found in the camera's make and model, letters in either case.
  package var cameras: [String] = []
  /// Texts to be found in the lens's name, letters in either case.
  package var lenses: [String] = []
  package var hasLocation: Bool?
  /// Bytes, both ends included.
  package var minimumSize: Int64?
  package var maximumSize: Int64?
  /// Seconds, both ends included; what has no duration is in neither range.
  package var minimumDuration: Double?
  package var maximumDuration: Double?
  /// Places, of which the asset is near to one.
  package var places: [Condition] = []
  /// Words to be searched for, of which one text must be found.
  package var searches: [SearchText] = []
  /// What was asked in `--where`, of which one must hold.
  package var expressions: [Condition] = []
  /// The missing ones instead of those that are there.
  package var isMissing = false
  /// Those only that have an exact copy.
  package var areDuplicates = false
  /// Other filters that must hold too.
  package var others: [AssetFilter] = []

  package init() {}
}

/// In which order, and how many.
package struct AssetOrder: Sendable, Hashable {
  package enum Key: String, Sendable, CaseIterable {
    /// Newest first.
    case captureDate
    /// By the alphabet.
    case name
    /// Largest first.
    case size
    /// Longest first.
    case duration
    /// Newest first.
    case addedDate
  }

  package var key: Key
  /// The other way round; what has no value still comes last.
  package var isReversed: Bool
  /// At most so many; nil for all.
  package var limit: Int?
  /// So many are passed over first.
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
