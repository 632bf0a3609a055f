import FactReading
import MediaFormats
import MediaModel
import MetadataTransfer

extension PictureMetadata {
  /// Adds a PNG's texts to XMP, for a picture in another format.
  ///
  /// The keywords are PNG's own (PNG specification, third edition, §11.3.3.1); texts without a counterpart
  /// in XMP become comments.
  mutating func carryTexts() {
    add(texts.compactMap(\.field))
  }
}

extension PictureText {
  /// The XMP property of the same meaning; nil if there is none.
  fileprivate var field: XMPField? {
    switch keyword {
    case "Title": XMPField(XMPNamespace.dublinCore, "title", .alternative, text)
    case "Author": XMPField(XMPNamespace.dublinCore, "creator", .list, text)
    case "Description": XMPField(XMPNamespace.dublinCore, "description", .alternative, text)
    case "Copyright": XMPField(XMPNamespace.dublinCore, "rights", .alternative, text)
    case "Software": XMPField(XMPNamespace.xmp, "CreatorTool", .text, text)
    case "Creation Time":
      DateText(text).map {
        let moment = $0.captureTime("").iso8601
        // A date without a time is ISO 8601's first ten characters.
        return XMPField(
          XMPNamespace.xmp, "CreateDate", .text, $0.hasTime ? moment : String(moment.prefix(10)))
      }
    default: nil
    }
  }
}
