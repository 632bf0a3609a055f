package import ByteReading

/// A text of a picture outside EXIF and XMP, with a keyword as in PNG's text chunks (PNG specification, third edition,
/// §11.3.3). The comments of JPEGs and GIFs have the keyword `Comment`.
package struct PictureText: Sendable, Hashable {
  package var keyword: String
  package var text: String

  package init(keyword: String, text: String) {
    self.keyword = keyword
    self.text = text
  }

  package static let comment = "Comment"
}

extension PictureText {
  private static let maximumComments = 64

  /// The comments of a JPEG's segments (ITU-T T.81 §B.2.4.5).
  static func comments(
    _ segments: [JPEGSegment], _ source: any ByteSource
  ) throws -> [PictureText] {
    try segments.filter { $0.marker == JPEGMarker.comment }.prefix(maximumComments).compactMap {
      try $0.payload(from: source).trimmedText.map { PictureText(keyword: comment, text: $0) }
    }
  }

  /// The comments of a GIF (GIF89a §24).
  package static func comments(ofGIF source: any ByteSource) throws -> [PictureText] {
    var walk = try GIFBlockWalk(source, limit: GIFFile.maximumWalk)
    var found: [PictureText] = []
    while found.count < maximumComments, let block = try walk.next() {
      guard block.label == GIFBlock.commentLabel,
        let text = try block.content(of: source)?.trimmedText
      else { continue }
      found.append(PictureText(keyword: comment, text: text))
    }
    return found
  }

  /// A PNG chunk with this text: `tEXt` for ASCII, `iTXt` for other texts. Nil for a keyword that PNG does not allow.
  package var chunk: [UInt8]? {
    let keyword = keyword.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    guard (1...79).contains(keyword.count), keyword.count == self.keyword.unicodeScalars.count,
      !keyword.contains(0)
    else { return nil }
    let content = text.utf8.filter { $0 != 0 }
    let isASCII = content.allSatisfy { $0 < 0x80 }
    return isASCII
      ? PNGChunk.made("tEXt", keyword + [0] + content)
      : PNGChunk.made("iTXt", keyword + [0, 0, 0, 0, 0] + content)
  }
}
