import Foundation
import MediaModel

// Names that every file system takes: Linux's own, and FAT, exFAT, NTFS and SMB shares, which refuse
// some characters and names and see no difference between upper and lower case.

/// The bytes a name may have on Linux; elsewhere it is as many UTF-16 units, which are never more.
package let longestName = 255

/// A name's bytes as text in Unicode's composed form; a byte that is not UTF-8 becomes `%XX`.
package func readableName(_ bytes: [UInt8]) -> String {
  if let text = String(validating: bytes, as: UTF8.self) { return text.composed }
  var text = ""
  var rest = bytes[...]
  while let first = rest.first {
    let count = (1...4).first { count in
      count <= rest.count && String(validating: Array(rest.prefix(count)), as: UTF8.self) != nil
    }
    if let count {
      text += String(decoding: rest.prefix(count), as: UTF8.self)
      rest = rest.dropFirst(count)
    } else {
      let digits = String(first, radix: 16, uppercase: true)
      text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      rest = rest.dropFirst()
    }
  }
  return text.composed
}

/// A folder's name, or a file's without its extension, as every file system takes it.
package func safeName(_ text: String) -> String {
  var scalars = String.UnicodeScalarView()
  for scalar in text.composed.unicodeScalars {
    scalars.append(scalar.isForbiddenInNames ? "_" : scalar)
  }
  var name = String(scalars)
  while name.unicodeScalars.last.map({ $0 == "." || $0 == " " }) == true {
    name.unicodeScalars.removeLast()
  }
  while name.unicodeScalars.first == " " { name.unicodeScalars.removeFirst() }
  // A hidden file would not be found again by who looks for pictures.
  if name.hasPrefix(".") { name = "_" + name.dropFirst() }
  if name.isEmpty { return "_" }
  let base = name.prefix { $0 != "." }.uppercased()
  if deviceNames.contains(base) { name = base.count == name.count ? name + "_" : "_" + name }
  return name.cut(toBytes: longestName)
}

/// What Windows takes for a device, whatever the extension: "Naming Files, Paths, and Namespaces" of the Windows
/// documentation. The superscript digits of Latin-1 count as digits, too.
private let deviceNames: Set<String> = Set(
  ["CON", "PRN", "AUX", "NUL"] + "123456789¹²³".flatMap { ["COM\($0)", "LPT\($0)"] })

extension Unicode.Scalar {
  fileprivate var isForbiddenInNames: Bool {
    switch self {
    case "/", "\\", ":", "*", "?", "\"", "<", ">", "|", "\u{2028}", "\u{2029}": true
    default: properties.generalCategory == .control
    }
  }
}

extension String {
  /// Unicode's normalisation form C.
  var composed: String {
    utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
  }

  /// Whether the last name of this path is short enough for every file system.
  var hasValidNameLength: Bool { nameBytes <= longestName }

  private var nameBytes: Int { utf8.count - (folder.isEmpty ? 0 : folder.utf8.count + 1) }

  /// The path of the XMP file about the result with this path; nil if its name is too long.
  var descriptionPath: String? {
    let path = self + PlannedFile.descriptionSuffix
    return path.hasValidNameLength ? path : nil
  }

  /// This path with a text before the extension. A name that gets too long loses the end of its stem.
  func insertingBeforeExtension(_ text: String) -> String {
    let stem = String(decoding: FileNameParts(name: Array(utf8)).stem, as: UTF8.self)
    let excess = max(0, nameBytes + text.utf8.count - longestName)
    return stem.cut(toBytes: stem.utf8.count - excess) + text + dropFirst(stem.count)
  }

  /// The longest prefix of whole scalars that has at most `limit` bytes.
  package func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var scalars = unicodeScalars
    while String(scalars).utf8.count > limit { scalars.removeLast() }
    return String(scalars)
  }

  /// By which names are the same to a file system that sees no case; compared by canonical
  /// equivalence, as all text is in Swift.
  package var caseFolded: String {
    // Both ways: ß, ſ and final sigma meet their capitals only so.
    utf8.allSatisfy { $0 < 0x80 } ? lowercased() : uppercased().lowercased()
  }
}
