import ByteReading
import MediaModel

/// The format identifier in the edit instructions that Apple Photos writes next to a picture or video: a property
/// list in XML with the key `adjustmentFormatIdentifier` (`PHAdjustmentData.formatIdentifier`).
///
/// - Returns: nil if there is none, or if it is longer than 128 bytes.
package func adjustmentFormatIdentifier(inPropertyList bytes: [UInt8]) -> String? {
  guard let root = XMLReader.root(of: bytes), root.name.local == "plist",
    let entries = root.children.first(where: { $0.name.local == "dict" })?.children
  else { return nil }
  let key = entries.firstIndex {
    $0.name.local == "key" && $0.text == "adjustmentFormatIdentifier"
  }
  guard let key, entries.indices.contains(key + 1), entries[key + 1].name.local == "string",
    entries[key + 1].text.utf8.count <= 128
  else { return nil }
  let text = entries[key + 1].text.trimmed
  return text.isEmpty ? nil : text
}
