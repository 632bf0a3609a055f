/// The kinds of edits in Shoebox's own words, in the order in which they are listed.
///
/// An edit that has no word here keeps the name that its program gives it.
package enum Adjustment: String, Sendable, CaseIterable {
  // Geometry.
  case crop, straighten, perspective
  /// Turned by quarters, or mirrored.
  case rotation
  // Light and colour.
  case autoEnhance, light, color, blackAndWhite, filter
  /// A photographic style.
  case style
  case whiteBalance, curves, levels, definition, selectiveColor, sharpness, noise, grain, vignette
  // Parts of the picture.
  case redEye, retouch
  /// Objects are removed.
  case cleanUp
  /// The background is blurred by depth.
  case portrait
  case portraitLighting
  // Videos and clips.
  /// The focus of a cinematic video is changed.
  case cinematic
  case trim, slowMotion
  /// Loop, bounce and long exposure of a live photo.
  case loop
  case stabilization, mute, audioMix
  /// Another moment of a live photo is its picture.
  case keyPhoto
  /// Another moment of a video is its preview.
  case posterFrame

  /// Words in the order of this list, each once; those that are not in it follow by name.
  package static func ordered(_ words: some Sequence<String>) -> [String] {
    let words = Set(words)
    let known = allCases.map(\.rawValue).filter(words.contains)
    return known + words.subtracting(known).sorted()
  }

  /// A word for people: `slow motion` for `slowMotion`. Names that are not in this list stay as they are.
  package static func text(_ word: String) -> String {
    guard Adjustment(rawValue: word) != nil else { return word }
    return word.reduce(into: "") { text, character in
      text += character.isUppercase ? " " + character.lowercased() : String(character)
    }
  }
}

/// The edits that a file of edit instructions (AAE) records. Those that are switched off are not among them.
package struct AdjustmentList: Sendable, Hashable {
  /// ``Adjustment``, or the names of others, in their order. Instructions of an unknown format are one word: its
  /// identifier.
  package var words: [String]
  /// The size in pixels of a crop from the first pixel of the stored picture, which is an edit only if the picture is
  /// larger. It is not among ``words``.
  package var cornerCrop: PixelSize?

  package init(words: [String] = [], cornerCrop: PixelSize? = nil) {
    self.words = words
    self.cornerCrop = cornerCrop
  }

  /// The words of all edits of a picture or video.
  ///
  /// - Parameters:
  ///   - size: of the picture, stored or upright; nil if it is unknown.
  ///   - isTurned: whether the instructions show the picture in another orientation than its file.
  package func words(for size: PixelSize?, isTurned: Bool) -> [String] {
    var all = words
    if let crop = cornerCrop {
      let whole = [crop, PixelSize(width: crop.height, height: crop.width)]
      if size.map({ !whole.contains($0) }) ?? true { all.append(Adjustment.crop.rawValue) }
    }
    if isTurned { all.append(Adjustment.rotation.rawValue) }
    return all.count == words.count ? words : Adjustment.ordered(all)
  }
}
