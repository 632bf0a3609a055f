package import ByteReading

/// The chunks of a PNG file.
package enum PNGChunk {
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Keyword, no compression, no language, no translated keyword.
  package static let xmpStart = Array((xmpKeyword + "\0\0\0\0\0").utf8)
  package static let xmpKeyword = "XML:com.adobe.xmp"

  /// A whole chunk, its length and check sum included.
  package static func made(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
    encoded(content.count, width: 4) + type.bytes + content
      + encoded(crc32(type.bytes + content), width: 4)
  }
}

/// A profile as ImageMagick writes it into text; see ``rawProfile(_:)``.
package func rawProfileText(_ name: String, _ profile: [UInt8]) -> [UInt8] {
  var text = Array("\n\(name)\n\(profile.count)\n".utf8)
  for (index, byte) in profile.enumerated() {
    for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
    if index % 36 == 35 { text.append(0x0A) }
  }
  return text + [0x0A]
}
