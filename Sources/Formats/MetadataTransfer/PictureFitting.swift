// What of a picture's metadata a JPEG and a PNG have room for.
import ByteReading
import MediaFormats
import MetadataRemoval

extension PictureMetadata {
  /// The longest EXIF block that a JPEG's segment holds.
  private static let maximumExif = 65533 - 6

  /// What of it fits into a JPEG. A block that is too long, because of a preview in its MakerNote or of
  /// one that was appended, is made anew without what is too long, and a note says so.
  func fittedForJPEG() -> PictureMetadata {
    var result = self
    result.joinLongXMP()
    guard let block = exif, block.count > Self.maximumExif else { return result }
    result.exif = (try? TIFFFile(ArraySource(block))).flatMap { try? CompactExif.block(of: $0) }
    if result.exif == nil {
      result.notes.append("Its EXIF is too long for a JPEG and is left out.")
    } else {
      result.notes.append(
        "Its EXIF is too long for a JPEG: previews, and a MakerNote that does not fit, are left out."
      )
    }
    return result
  }

  /// The longest packet that a JPEG's segment holds.
  private static let maximumXMP = 65533 - JPEGMarker.xmpName.utf8.count

  /// Makes one packet of two where the first is too long for a segment: a JPEG has room for one packet of any
  /// length and a short one, not for two long ones.
  private mutating func joinLongXMP() {
    guard let first = xmp, first.count > Self.maximumXMP, let second = extendedXMP else { return }
    extendedXMP = nil
    if let joined = XMPPatch.joined(first, second) {
      xmp = joined
    } else {
      notes.append(
        "The second part of its XMP is left out: the first is too long for a JPEG to have both.")
    }
  }

  /// The texts that a JPEG keeps as comments: those of PNG's own keywords (PNG specification, third
  /// edition, §11.3.3.1) for which neither EXIF nor XMP has a name.
  var comments: [[UInt8]] {
    texts.compactMap { text in
      switch text.keyword {
      case PictureText.comment: Array(text.text.utf8)
      case "Disclaimer", "Warning", "Source": Array("\(text.keyword): \(text.text)".utf8)
      default: nil
      }
    }
  }
}

extension PictureMetadata {
  /// What a PNG has room for: all of it, the second packet of XMP joined with the first.
  func fittedForPNG() -> PictureMetadata {
    guard let extendedXMP else { return self }
    var result = self
    result.extendedXMP = nil
    if let joined = xmp.flatMap({ XMPPatch.joined($0, extendedXMP) }) {
      result.xmp = joined
    } else {
      result.notes.append("The second part of its XMP is damaged and is left out.")
    }
    return result
  }
}
