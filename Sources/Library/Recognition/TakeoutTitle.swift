import MediaModel

/// The name that a picture had when it was uploaded, as a Takeout's JSON file records it. In the names of files, Takeout
/// replaces characters such as `&`, `?` and `'` by `_`: `Tom & Ann?.jpg` is in `Tom _ Ann_.jpg`.
struct TakeoutTitle {
  private let text: String
  private let stem: [Character]

  init(_ text: String) {
    self.text = text
    stem = Array(folded(nameStem(Array(text.utf8))))
  }

  /// Whether a file's name begins as this title does.
  ///
  /// - Parameter start: folded.
  func begins(as start: String) -> Bool {
    Self.isPrefix(Array(start), of: Array(folded(Array(text.utf8))))
  }

  /// Whether a file has this title's stem.
  func hasStem(of name: [UInt8]) -> Bool {
    let own = Array(folded(nameStem(name)))
    return own.count == stem.count && Self.isPrefix(own, of: stem)
  }

  /// The name of the file with this title, of which the stem is known; nil if it is another title's.
  func name(withStem wanted: String) -> String? {
    guard hasStem(of: Array((wanted + ".").utf8)) else { return nil }
    return wanted + fileExtension
  }

  /// The name that the file of this title has by the name of another file with its stem.
  func name(of other: [UInt8]) -> String {
    String(decoding: nameStem(other), as: UTF8.self) + fileExtension
  }

  /// With its dot; empty if the title has none.
  private var fileExtension: String {
    let bytes = Array(text.utf8)
    return String(decoding: bytes.dropFirst(nameStem(bytes).count), as: UTF8.self)
  }

  /// Whether characters are the first ones of others, but for those that Takeout has replaced.
  private static func isPrefix(_ name: [Character], of title: [Character]) -> Bool {
    name.count <= title.count
      && zip(name, title).allSatisfy { $0 == $1 || $0 == "_" && !$1.isLetter && !$1.isNumber }
  }
}
