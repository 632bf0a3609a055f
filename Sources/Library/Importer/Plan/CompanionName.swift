import Exporter
import MediaModel

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
/// (`IMG_1.HEIC.xmp`), and without the `E` or `O` of Apple's edited versions and what others add; case does not count.
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
  var stem = readableName(rest).caseFolded
  for suffix in ["-edited", "_edited"] where stem.hasSuffix(suffix) && stem != suffix {
    stem.removeLast(suffix.count)
  }
  let digits = stem.dropFirst(5)
  if stem.hasPrefix("img_e") || stem.hasPrefix("img_o"), digits.utf8.count == 4,
    digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
  {
    stem = "img_" + digits
  }
  return stem
}
