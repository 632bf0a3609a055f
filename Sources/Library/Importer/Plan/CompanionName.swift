import Exporter
import MediaModel
import Recognition

// Which files of a folder belong together by their names alone, also those that no scan knows.

/// Sidecars of cameras and editors, which are imported with the picture or video that has their stem.
private let companionExtensions: Set<String> = [
  "xmp", "aae", "thm", "json", "srt", "wav", "xml", "pp3", "dop", "mie",
]

/// Whether a file accompanies a picture or video.
func isCompanion(_ name: [UInt8]) -> Bool {
  companionExtensions.contains(FileNameParts(name: name).fileExtension)
}

/// What the names of files that belong together share: the name without known extensions, of which it may have several
/// (`IMG_1.HEIC.xmp`), and without the `O` of Apple's sidecars or what makes it the name of an edited version; case does
/// not count.
func commonStem(_ name: [UInt8]) -> String {
  var rest = name
  while true {
    let parts = FileNameParts(name: rest)
    guard !parts.fileExtension.isEmpty,
      companionExtensions.contains(parts.fileExtension)
        || UniformType(fileExtension: parts.fileExtension) != nil
    else { break }
    rest = parts.stem
  }
  let stem = readableName(rest).caseFolded
  if let original = EditedName.original(ofEdited: stem) { return original }
  let digits = stem.dropFirst(5)
  guard stem.hasPrefix("img_o"), digits.utf8.count == 4,
    digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
  else { return stem }
  return "img_" + digits
}
