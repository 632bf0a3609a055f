/// The bytes of an argument as text, without loss.
///
/// Names of files are bytes, but the argument parser reads text. A byte that is not part of valid UTF-8 becomes two
/// characters: the noncharacter U+10FFFF, and the one whose code point is the byte. Noncharacters are reserved for such
/// internal use (Unicode 16, §23.7), so no other text contains one; where an argument does, its bytes are written
/// in the same way.
enum ArgumentText {
  private static let mark: Unicode.Scalar = "\u{10FFFF}"

  static func text(of bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var rest = bytes[...]
    var parser = Unicode.UTF8.ForwardParser()
    var input = bytes.makeIterator()
    while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar == mark { append(rest.prefix(encoded.count)) } else { text.append(scalar) }
        rest = rest.dropFirst(encoded.count)
      case .error(let length):
        append(rest.prefix(length))
        rest = rest.dropFirst(length)
      case .emptyInput: return String(text)
      }
    }
    func append(_ bytes: ArraySlice<UInt8>) {
      for byte in bytes { text += [mark, Unicode.Scalar(byte)] }
    }
  }

  static func bytes(of text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar == mark, let next = scalars.next(), let byte = UInt8(exactly: next.value) {
        bytes.append(byte)
      } else {
        bytes += UTF8.encode(scalar).map(Array.init) ?? []
      }
    }
    return bytes
  }

  /// The text as messages show it, with U+FFFD in place of what is not UTF-8.
  static func display(_ text: String) -> String {
    text.unicodeScalars.contains(mark) ? String(decoding: bytes(of: text), as: UTF8.self) : text
  }

  /// Whether the argument was UTF-8.
  static func isUTF8(_ text: String) -> Bool {
    !text.unicodeScalars.contains(mark) || String(validating: bytes(of: text), as: UTF8.self) != nil
  }
}
