package import MediaModel

/// The words a person filters by: the media types and PhotoKit's picker's kinds, in the plural.
package enum TypeWord: String, Sendable, CaseIterable {
  case images, videos, livePhotos, motionPhotos, screenshots, screenRecordings, bursts, panoramas
  case depthEffectPhotos, cinematicVideos, slomoVideos, timelapseVideos, spatialMedia, hdr, raw
  case edited
  /// Exact copies, all of each set.
  case duplicates
  /// All but one of each set of exact copies.
  case spareCopies
  /// What the user has marked as a favorite.
  case favorites

  /// Reads a word as a user types it, in any case; another one is refused, naming the nearest.
  package init(typed word: String) throws(UnknownWord) {
    guard let known = Self(word: word) else {
      func unknown(among words: [String]) -> UnknownWord {
        UnknownWord(
          word, kind: "type", among: words, remedy: "`shoebox list --help` names them all")
      }
      let error = unknown(among: Self.allCases.map(\.rawValue))
      // Other words only if none of PhotoKit's is near.
      throw error.suggestions.isEmpty ? unknown(among: Self.allCases.flatMap(\.synonyms)) : error
    }
    self = known
  }

  /// A word in any case, in the plural, in the singular as JSON prints it, or as a table shows it; nil for any
  /// other word.
  package init?(word: String) {
    guard let known = Self.words[word.lowercased()] else { return nil }
    self = known
  }

  /// Every word in lower case.
  private static let words = Dictionary(
    allCases.flatMap { kind in
      ([kind.rawValue] + kind.synonyms).map { ($0.lowercased(), kind) }
    }, uniquingKeysWith: { first, _ in first })

  /// Other words for the same kind.
  private var synonyms: [String] {
    switch self {
    case .images: ["image", "photo", "photos"]
    case .videos: ["video"]
    case .livePhotos: ["livePhoto", "live"]
    case .motionPhotos: ["motionPhoto", "motion"]
    case .screenshots: ["screenshot"]
    case .screenRecordings: ["screenRecording", "recording", "recordings"]
    case .bursts: ["burst"]
    case .panoramas: ["panorama"]
    case .depthEffectPhotos: ["depthEffectPhoto", "depthEffect", "portrait", "portraits"]
    case .cinematicVideos: ["cinematicVideo", "cinematic"]
    case .slomoVideos: ["slomoVideo", "slomo", "slo-mo"]
    case .timelapseVideos: ["timelapseVideo", "timelapse", "time-lapse"]
    case .spatialMedia: ["spatial"]
    case .duplicates: ["duplicate"]
    case .spareCopies: ["spareCopy", "spare", "spares"]
    case .favorites: ["favorite", "favourite", "favourites", "isFavorite"]
    case .hdr, .raw, .edited: []
    }
  }
}
