import MediaModel

/// The names that Android's cameras give the pictures of one burst.
package struct BurstName: Sendable, Hashable {
  /// What the names of one burst have in common.
  package var group: String

  /// The suffix after the number of the picture that the camera picked.
  private static let coverMarks = ["_cover", "_cover_top"]

  /// `00001IMG_00001_BURST20200101120000123_COVER`, `DSC_0001_BURST20230709220904977`,
  /// `IMG_20200101_120000_BURST001_COVER`, `IMG_20180630_141216714_BURST000_COVER_TOP` (Motorola),
  /// `20150101_120000_Burst01`.
  ///
  /// Google's cameras named a portrait and its original like a burst; those two are none. A word like
  /// `_burst1` after anything but a date was written by a person.
  package init?(_ name: [UInt8]) {
    guard holdsBurst(name) else { return nil }
    let stem = withoutCopyMark(folded(FileNameParts(name: name).stem))
    guard let mark = stem.firstRange(of: "_burst"), !stem.contains("portrait") else { return nil }
    let digits = stem[mark.upperBound...].prefix(while: \.isASCIIDigit)
    let rest = stem[mark.upperBound...].dropFirst(digits.count)
    guard rest.isEmpty || Self.coverMarks.contains(String(rest)) else { return nil }
    let head = stem[..<mark.lowerBound]
    if digits.count >= 14, DatePattern.isDate(digits) {
      group = String(digits)
    } else if (1...3).contains(digits.count), head.split(separator: "_").contains(where: isDate) {
      group = String(head)
    } else {
      return nil
    }
  }
}

/// What Google's camera says in a name of how it took a picture.
struct GoogleCameraName {
  /// `MVIMG_20200101_120000.jpg`, `PXL_20210101_120000000.MP.jpg`; also `.TS`, a top shot.
  let isMotionPhoto: Bool
  /// The blurred one of two: `PXL_20210101_120000000.PORTRAIT-01.COVER.jpg`, and before that
  /// `00100lrPORTRAIT_00100_BURST20200101120000123_COVER.jpg`; since the Pixel 6
  /// `PXL_20230210_194504434.PORTRAIT.jpg`.
  let isPortrait: Bool
  /// The sharp one: `PXL_20210101_120000000.PORTRAIT-02.ORIGINAL.jpg`,
  /// `00000PORTRAIT_00000_BURST20200101120000123.jpg`; `PXL_20230210_194504434.PORTRAIT.ORIGINAL.jpg`.
  let isPortraitOriginal: Bool
  /// `PANO_20200101_120000.jpg`, `PXL_20210101_120000000.PANO.jpg`.
  let isPanorama: Bool

  /// The first letters of all these names.
  private static let beginnings = ["mvimg_", "pxl_", "pano_", "00000", "00100"].map {
    Array($0.utf8)
  }

  /// Whether a name begins with ASCII letters, in either case.
  private static func begins(_ name: [UInt8], with letters: [UInt8]) -> Bool {
    name.count >= letters.count
      && zip(name, letters).allSatisfy { ((0x41...0x5A).contains($0) ? $0 | 0x20 : $0) == $1 }
  }

  init?(_ name: [UInt8]) {
    // Nearly every other name is known to be another by its first letters.
    guard Self.beginnings.contains(where: { Self.begins(name, with: $0) }) else { return nil }
    let stem = withoutCopyMark(folded(FileNameParts(name: name).stem))
    let parts = stem.split(separator: ".").dropFirst()
    let isPixel = stem.hasPrefix("pxl_") && DatePattern.isDate(stem.dropFirst(4))
    func begins(_ prefix: String) -> Bool {
      stem.hasPrefix(prefix) && DatePattern.isDate(stem.dropFirst(prefix.count))
    }
    isMotionPhoto =
      begins("mvimg_") || (isPixel && parts.contains { ["mp", "mv", "ts"].contains($0) })
    isPanorama = begins("pano_") || (isPixel && parts.contains("pano"))
    func isNumbered(_ number: String) -> Bool {
      guard stem.hasPrefix(number),
        let mark = stem.firstRange(of: "portrait_\(number)_burst")
      else { return false }
      return DatePattern.isDate(stem[mark.upperBound...])
    }
    let isNamedPortrait = isPixel && parts.contains("portrait")
    let isOriginal = parts.contains("original")
    isPortrait =
      (isPixel && parts.contains("portrait-01")) || (isNamedPortrait && !isOriginal)
      || isNumbered("00100")
    isPortraitOriginal =
      (isPixel && parts.contains("portrait-02")) || (isNamedPortrait && isOriginal)
      || isNumbered("00000")
    guard isMotionPhoto || isPanorama || isPortrait || isPortraitOriginal else { return nil }
  }
}

/// Whether a name has `_b` in it, in either case: cheaper than folding every name.
private func holdsBurst(_ name: [UInt8]) -> Bool {
  name.indices.dropLast().contains {
    name[$0] == UInt8(ascii: "_") && name[$0 + 1] | 0x20 == UInt8(ascii: "b")
  }
}

private func isDate(_ text: Substring) -> Bool {
  text.count == 8 && DatePattern.isDate(text)
}

/// A stem without what systems and programs add to a copy's: `(2)`, ` (2)`, `~2`.
private func withoutCopyMark(_ stem: String) -> String {
  var text = Substring(stem)
  if text.last == ")", let open = text.lastIndex(of: "("),
    text[open...].dropFirst().dropLast().allSatisfy(\.isASCIIDigit)
  {
    text = text[..<open]
  } else if let tilde = text.lastIndex(of: "~"),
    text[tilde...].dropFirst().allSatisfy(\.isASCIIDigit)
  {
    text = text[..<tilde]
  }
  while text.last == " " { text.removeLast() }
  return String(text)
}
