/// A file path as the file system stores it: bytes without NUL, not text.
///
/// Linux does not define an encoding for file names, so they are decoded only for display.
package struct BytePath: Sendable, Hashable, Comparable {
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  private static let slash = UInt8(ascii: "/")

  /// This path with one more component.
  package func appending(_ component: [UInt8]) -> BytePath {
    if bytes.isEmpty { return BytePath(bytes: component) }
    if component.isEmpty { return self }
    var joined = bytes
    joined.reserveCapacity(bytes.count + 1 + component.count)
    if joined.last != Self.slash { joined.append(Self.slash) }
    joined.append(contentsOf: component)
    return BytePath(bytes: joined)
  }

  package func appending(_ component: String) -> BytePath {
    appending(Array(component.utf8))
  }

  /// The components between slashes, without empty ones.
  package var components: [[UInt8]] {
    bytes.split(separator: Self.slash).map(Array.init)
  }

  /// The last component; empty for `/`.
  package var lastComponent: [UInt8] {
    guard let end = bytes.lastIndex(where: { $0 != Self.slash }) else { return [] }
    let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    return Array(bytes[start...end])
  }

  /// The path without its last component; `/` for a top-level name, empty for a bare name.
  package var parent: BytePath {
    guard let cut = bytes.lastIndex(of: Self.slash) else { return BytePath(bytes: []) }
    return BytePath(bytes: cut == 0 ? [Self.slash] : Array(bytes[..<cut]))
  }

  /// Whether this path is `folder` or below it.
  package func isWithin(_ folder: BytePath) -> Bool {
    guard bytes.starts(with: folder.bytes) else { return false }
    return bytes.count == folder.bytes.count || folder.bytes.last == Self.slash
      || bytes[folder.bytes.count] == Self.slash
  }

  /// The path as text if it is valid UTF-8.
  package var text: String? {
    String(validating: bytes, as: UTF8.self)
  }

  /// The path for display: text with U+FFFD for bytes that are not UTF-8.
  package var display: String {
    String(decoding: bytes, as: UTF8.self)
  }

  package static func < (left: BytePath, right: BytePath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

/// The parts of a file name: the stem as bytes, the extension in lower case.
package struct FileNameParts: Sendable, Hashable {
  /// The name before its last dot.
  package var stem: [UInt8]
  /// The name after its last dot, in lower case; empty without a dot.
  package var fileExtension: String

  package init(name: [UInt8]) {
    if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 {
      stem = Array(name[..<dot])
      fileExtension = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    } else {
      stem = name
      fileExtension = ""
    }
  }
}
