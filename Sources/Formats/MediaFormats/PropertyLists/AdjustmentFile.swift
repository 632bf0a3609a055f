import ByteReading
import MediaModel

/// The edit instructions that Apple Photos writes next to a picture or video (`IMG_0001.AAE`): a property list, in XML
/// or binary, with the values of PhotoKit's `PHAdjustmentData`.
package struct AdjustmentFile: Sendable, Hashable {
  /// The format of ``data``, such as `com.apple.photo` (`adjustmentFormatIdentifier`); nil if there is none, or if it
  /// is longer than 128 bytes.
  package private(set) var formatIdentifier: String?
  /// The instructions themselves, in the format of the program that wrote them (`adjustmentData`); empty if there are
  /// none.
  package private(set) var data: [UInt8]

  private static let formatKey = "adjustmentFormatIdentifier"
  private static let dataKey = "adjustmentData"
  /// Bytes; longer identifiers are not read.
  private static let longestIdentifier = 128

  /// Reads a file. What is missing or of another type is left out.
  package init(_ bytes: [UInt8]) {
    data = []
    var format: String?
    if bytes.hasText(BinaryPropertyList.header) {
      let list = BinaryPropertyList(bytes)
      format = list?.string(Self.formatKey)
      data = list?.data(Self.dataKey) ?? []
    } else if let entries = Self.entries(ofXML: bytes) {
      format = Self.value(of: Self.formatKey, "string", in: entries)?.text
      if let text = Self.value(of: Self.dataKey, "data", in: entries)?.text {
        data = decodedBase64(Array(text.utf8)[...])
      }
    }
    formatIdentifier = format.flatMap { text in
      let text = text.utf8.count <= Self.longestIdentifier ? text.trimmed : ""
      return text.isEmpty ? nil : text
    }
  }

  /// The keys and values of the dictionary of a property list in XML.
  private static func entries(ofXML bytes: [UInt8]) -> [XMLElement]? {
    // A file that is cut off may end inside a value. UTF-16 has zeros between the characters.
    let end = bytes.suffix(256).filter { $0 != 0 }
    guard end.firstIndex(of: "</plist") != nil, let root = XMLReader.root(of: bytes),
      root.name.local == "plist"
    else { return nil }
    return root.children.first { $0.name.local == "dict" }?.children
  }

  /// The value after a key, if it has a type.
  private static func value(
    of key: String, _ type: String, in entries: [XMLElement]
  ) -> XMLElement? {
    let index = entries.firstIndex { $0.name.local == "key" && $0.text == key }
    guard let index, entries.indices.contains(index + 1), entries[index + 1].name.local == type
    else { return nil }
    return entries[index + 1]
  }
}
