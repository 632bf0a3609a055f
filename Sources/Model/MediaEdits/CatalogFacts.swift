package import MediaModel

/// What the catalog knows of an asset, for the metadata of a result or for an XMP file next to it.
package struct CatalogFacts: Sendable, Hashable {
  package var captureTime: CaptureTime?
  package var location: Location?
  /// The titles of the albums that it is in.
  package var albums: [String] = []
  package var title: String?
  package var caption: String?
  package var keywords: [String] = []
  /// Hierarchical keywords, as ``KeywordPath``.
  package var keywordPaths: [String] = []
  package var people: [String] = []
  /// The name that the file had when it was taken or uploaded.
  package var originalName: String?
  /// 0–5; −1 for rejected.
  package var rating: Int?
  package var isFavorite = false
  /// The word of a color label.
  package var label: String?
  package var pick: Pick?
  /// The texts, the rating, the label and the pick that replace the file's own. Other facts are only for files without them.
  package var replacing: SidecarValues = []

  package init() {}

  package var isEmpty: Bool {
    var rest = self
    rest.replacing = []
    return rest == CatalogFacts()
  }

  /// The facts that a file does not contain.
  ///
  /// A time from the file's name is not in the file. Keywords and people are added to the file's own.
  ///
  /// - Parameter own: the facts of the file itself.
  package func missing(in own: MediaFacts) -> CatalogFacts {
    var facts = self
    if let time = own.captureTime, !time.source.hasPrefix("name:") { facts.captureTime = nil }
    if own.location != nil { facts.location = nil }
    if own.title == title || own.title != nil && !replacing.contains(.replacedTitle) {
      facts.title = nil
    }
    if own.caption == caption || own.caption != nil && !replacing.contains(.replacedCaption) {
      facts.caption = nil
    }
    if own.rating == rating || own.rating != nil && !replacing.contains(.replacedRating) {
      facts.rating = nil
    }
    if own.label == label || own.label != nil && !replacing.contains(.replacedLabel) {
      facts.label = nil
    }
    if own.pick == pick || own.pick != nil && !replacing.contains(.replacedPick) {
      facts.pick = nil
    }
    if Set(keywordPaths).isSubset(of: own.keywordPaths) { facts.keywordPaths = [] }
    if own.isFavorite { facts.isFavorite = false }
    if Set(keywords).isSubset(of: own.keywords) { facts.keywords = [] }
    if Set(people).isSubset(of: own.people) { facts.people = [] }
    return facts
  }
}

extension UniformType {
  /// Whether Shoebox can write facts into the metadata of a file of this type without changing its pixels or samples.
  package var takesFacts: Bool { Self.takingFacts.contains(self) }

  private static let takingFacts: Set<UniformType> = [
    .jpeg, .png, .webP, .tiff, .heic, .heif, .avif, .mpeg4, .quickTimeMovie, .appleM4V,
    .mpeg4Audio,
  ]
}
