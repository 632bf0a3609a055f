import FactReading
import MediaFormats
import MediaModel
import MetadataTransfer

extension PictureMetadata {
  /// Puts what the texts of a PNG tell into XMP, for a picture that has no such texts.
  ///
  /// The keywords are PNG's own (PNG specification, third edition, §11.3.3.1); those without a
  /// counterpart become comments.
  mutating func carryTexts() {
    add(texts.compactMap(\.field))
  }
}

extension PictureText {
  /// The property of XMP that means the same; nil without one.
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
        // ISO 8601's ten characters of a day alone.
        return XMPField(
          XMPNamespace.xmp, "CreateDate", .text, $0.hasTime ? moment : String(moment.prefix(10)))
      }
    default: nil
    }
  }
}
