import MediaModel

/// What the names of a live photo's halves have in common, whichever program has copied them.
///
/// `IMG_1.HEIC` goes with `IMG_1.MOV`, `IMG_1_HEVC.MOV` and `IMG_1.HEIC.MOV`, `IMG_1(1).HEIC` with
/// `IMG_1(1).MOV`, Takeout's `PXL_1.MP.jpg` with `PXL_1.MP` and `IMG_1.HEIC` with `IMG_1` without an
/// extension; some downloaders add `_3` to the clip.
struct StemKey {
  /// The stem as it is, letters folded.
  let exact: String
  /// The stem without what programs add to it.
  let bare: String

  init(_ candidate: PairingCandidate) {
    var stem = folded(nameStem(candidate.name))
    exact = stem
    if candidate.mediaType == .video {
      for suffix in ["_hevc", ".heic", ".jpg", ".jpeg", "_3", ".mp", ".mv"]
      where stem.hasSuffix(suffix) {
        stem.removeLast(suffix.count)
        break
      }
    } else if stem.hasSuffix(".mp") || stem.hasSuffix(".mv") {
      stem.removeLast(3)
    }
    bare = stem
  }
}

/// A name without its extension. An ending with a parenthesis is the counter of a copy, as in `a.jpg(2)`, and not
/// an extension.
func nameStem(_ name: [UInt8]) -> [UInt8] {
  let parts = FileNameParts(name: name)
  return parts.fileExtension.contains { $0 == "(" || $0 == ")" } ? name : parts.stem
}
