import MediaModel

// Text for HTML pages. Whatever comes from a library is hostile: names may hold markup, quotes,
// control characters, and marks that turn the direction of writing.

extension String {
  /// As the content of an element or of an attribute in double quotes.
  var escapedForHTML: String {
    let harmless = harmless
    guard harmless.utf8.contains(where: { [0x22, 0x26, 0x27, 0x3C, 0x3E].contains($0) }) else {
      return harmless
    }
    return harmless.reduce(into: "") { text, character in
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.append(character)
      }
    }
  }
}

extension BytePath {
  /// The `file:` address of an absolute path (RFC 8089): every byte that is not unreserved is written
  /// in hexadecimal, so names need not be text.
  var fileAddress: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var address = Array("file://".utf8)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        address.append(byte)
      default: address += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: address, as: UTF8.self)
  }
}
