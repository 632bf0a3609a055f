import MediaEdits
import MediaModel
import MetadataRemoval

extension CatalogFacts {
  /// What the catalog knows of an asset.
  ///
  /// - Parameters:
  ///   - asset: with its keywords and people.
  ///   - source: the file that the described result is made from.
  ///   - policy: what is left out.
  init(_ asset: AssetRecord, source: BytePath, _ policy: MetadataPolicy) {
    self.init()
    let album = asset.albumTitle ?? readableName(asset.path.parent.lastComponent)
    var seen: Set<String> = []
    albums = ([album] + asset.albums + asset.copiesInAlbums.map(\.album))
      .filter { !$0.isEmpty && seen.insert($0).inserted }
    captureTime = asset.captureTime
    location = asset.location
    (title, caption) = (asset.title, asset.caption)
    (keywords, people) = (asset.keywords, asset.people)
    (label, pick, keywordPaths) = (asset.label, asset.recordedPick, asset.keywordPaths)
    originalName =
      (source == asset.path ? asset.originalName : nil) ?? readableName(source.lastComponent)
    (rating, isFavorite) = (asset.rating, asset.isFavorite)
    remove(policy)
  }

  /// The facts of an asset that do not come from its own file: those of its sidecars, and a capture time that only its
  /// name contains.
  init(besidesFile asset: AssetRecord, source: BytePath, _ policy: MetadataPolicy) {
    self.init(asset, source: source, policy)
    let values = asset.sidecarValues
    let isNameTime = captureTime?.source.hasPrefix("name:") == true
    if !values.contains(.captureTime), !isNameTime { captureTime = nil }
    if !values.contains(.location) { location = nil }
    if !values.contains(.title) { title = nil }
    if !values.contains(.caption) { caption = nil }
    if !values.contains(.rating) { rating = nil }
    if !values.contains(.favorite) { isFavorite = false }
    if !values.contains(.keywords) { keywords = [] }
    if !values.contains(.people) { people = [] }
    if !values.contains(.label) { label = nil }
    if !values.contains(.pick) { pick = nil }
    if !values.contains(.keywordPaths) { keywordPaths = [] }
    // The folder's and the file's own names are not facts of a sidecar.
    if asset.albumTitle == nil { albums = albums.filter(asset.albums.contains) }
    if source != asset.path || asset.originalName == readableName(source.lastComponent)
      || asset.originalName == nil
    {
      originalName = nil
    }
    replacing = values.intersection([
      .replacedTitle, .replacedCaption, .replacedRating, .replacedLabel, .replacedPick,
    ])
  }

  /// Leaves out what a policy removes. With captions go the title and the description, with the location the coordinates,
  /// a time zone that is inferred from them, and the albums, whose names may be those of places. The source's name goes with either.
  private mutating func remove(_ policy: MetadataPolicy) {
    if policy == .appearanceOnly {
      self = CatalogFacts()
      return
    }
    if policy.contains(.withoutLocation) {
      (location, albums) = (nil, [])
      captureTime = captureTime?.withoutZoneOfPlace
    }
    if policy.contains(.withoutCaptions) { (title, caption) = (nil, nil) }
    if policy != .keep { originalName = nil }
    title = policy.allowed(title)
    caption = policy.allowed(caption)
    label = policy.allowed(label)
    keywords = policy.allowed(keywords)
    keywordPaths = policy.allowed(paths: keywordPaths)
    people = policy.allowed(people)
  }

  /// A digest of the facts, by which a later export notices that the catalog knows something else by now.
  var digest: String {
    var parts = [
      captureTime?.iso8601, location.map { "\($0.latitude) \($0.longitude)" },
      location?.altitude.map { "\($0)" }, title, caption, originalName, rating.map { "\($0)" },
      "\(isFavorite) \(replacing.rawValue)",
    ].map { $0 ?? "\u{1}" }
    for list in [albums, keywords, people] { parts.append(list.joined(separator: "\u{2}")) }
    // Most assets have none of them.
    if label != nil || pick != nil || !keywordPaths.isEmpty {
      parts += [label ?? "\u{1}", pick?.word ?? "\u{1}", keywordPaths.joined(separator: "\u{2}")]
    }
    return String(FNV1a(parts.joined(separator: "\u{3}").utf8).value, radix: 16)
  }
}

extension MetadataPolicy {
  /// A title or a description, unless the location is removed and the text contains coordinates.
  fileprivate func allowed(_ text: String?) -> String? {
    guard let text, contains(.withoutLocation) else { return text }
    return LocationDetection.recordsPlace(Array(text.utf8), key: "title") ? nil : text
  }

  /// The keywords or people, without `geo:lat=…` and the like, or coordinates, if the location is removed.
  fileprivate func allowed(_ keywords: [String]) -> [String] {
    guard contains(.withoutLocation) else { return keywords }
    return keywords.filter { !LocationDetection.isMachineTag($0.utf8) && allowed($0) != nil }
  }

  /// The hierarchical keywords, without those with such a level. The last level is a keyword, too.
  fileprivate func allowed(paths: [String]) -> [String] {
    paths.filter { path in
      let levels = path.split(separator: KeywordPath.separator).map(String.init)
      return allowed(levels) == levels
    }
  }
}
