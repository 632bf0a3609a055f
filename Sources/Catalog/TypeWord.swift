import MediaModel

/// The words a person filters by: the media types and PhotoKit's picker's kinds, in the plural.
package enum TypeWord: String, Sendable, CaseIterable {
  case images, videos, livePhotos, motionPhotos, screenshots, screenRecordings, bursts, panoramas
  case depthEffectPhotos, cinematicVideos, slomoVideos, timelapseVideos, spatialMedia, hdr, raw
  case edited
  /// Exact copies, all of each set.
  case duplicates

  /// Reads a word as a user types it, in any case; another one is refused, naming the nearest.
  package init(typed word: String) throws(UnknownWord) {
    let known = Self.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
    guard let known else {
      throw UnknownWord(word, kind: "type", among: Self.allCases.map(\.rawValue))
    }
    self = known
  }

  /// What the word asks of a row, as SQL, and the index whose condition is literally the same.
  var sql: (condition: String, index: String) {
    switch self {
    case .images: ("a.media_type = 'image'", "assets_by_type")
    case .videos: ("a.media_type = 'video'", "assets_by_type")
    case .livePhotos: Self.subtype(.livePhoto, "assets_live_photos")
    case .motionPhotos: Self.subtype(.motionPhoto, "assets_motion_photos")
    case .screenshots: Self.subtype(.screenshot, "assets_screenshots")
    case .screenRecordings: Self.subtype(.screenRecording, "assets_screen_recordings")
    case .bursts: Self.subtype(.burst, "assets_bursts")
    case .panoramas: Self.subtype(.panorama, "assets_panoramas")
    case .depthEffectPhotos: Self.subtype(.depthEffect, "assets_depth_effect")
    case .cinematicVideos: Self.subtype(.cinematic, "assets_cinematic")
    case .slomoVideos: Self.subtype(.slomo, "assets_slomo")
    case .timelapseVideos: Self.subtype(.timelapse, "assets_timelapse")
    case .spatialMedia: Self.subtype(.spatial, "assets_spatial")
    case .hdr: Self.subtype(.hdr, "assets_hdr")
    case .raw: Self.subtype(.raw, "assets_raw")
    case .edited: Self.subtype(.edited, "assets_edited")
    case .duplicates: ("a.is_duplicate <> 0", "assets_duplicates")
    }
  }

  /// Whether only a few assets can be meant, so that sorting them beats walking all in order.
  var isSelective: Bool { self != .images && self != .videos }

  private static func subtype(
    _ subtype: MediaSubtypes, _ index: String
  ) -> (condition: String, index: String) {
    // Written as in the index's own condition: SQLite compares the two word by word.
    ("a.subtypes & \(subtype.rawValue) <> 0", index)
  }
}

/// A word that means nothing here, with the ones that may have been meant.
package struct UnknownWord: Error, Sendable, Hashable, CustomStringConvertible {
  package let word: String
  /// What sort of word it should have been, `type`.
  package let kind: String
  /// The nearest known words, the nearest first.
  package let suggestions: [String]

  package init(_ word: String, kind: String, among known: [String]) {
    // A word longer than any sensible one is not worth measuring, and is shown cut.
    self.word = word.count > 40 ? word.prefix(40) + "…" : word
    self.kind = kind
    let typed = String(word.lowercased().prefix(64))
    let ranked = known.map { (word: $0, distance: editDistance(typed, $0.lowercased())) }
      .sorted { $0.distance < $1.distance }
    let limit = max(2, (ranked.first?.distance ?? 0) + 1)
    suggestions = ranked.prefix(3).filter { $0.distance <= limit }.map(\.word)
  }

  package var description: String {
    suggestions.isEmpty
      ? "unknown \(kind) '\(word)': there is none yet"
      : "unknown \(kind) '\(word)': did you mean \(suggestions.joined(separator: ", "))?"
  }
}

/// How many letters must be added, dropped or exchanged to make one word the other (Levenshtein).
func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left), right = Array(right)
  var row = Array(0...right.count)
  for (index, letter) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in right.indices {
      let substituted = diagonal + (letter == right[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
    }
  }
  return row[right.count]
}
