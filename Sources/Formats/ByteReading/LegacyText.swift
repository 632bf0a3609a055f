/// Text of old programs, which is not UTF-8: Windows-1252, as in the Encoding Standard (whatwg.org), §9. It has the characters
/// of Latin-1, and where that has control characters, quotation marks, dashes, the ellipsis and the euro sign.
package func windows1252Text(_ bytes: some Sequence<UInt8>) -> String {
  var scalars = String.UnicodeScalarView()
  for byte in bytes {
    let special = (0x80..<0xA0).contains(byte) ? specialScalars[Int(byte) - 0x80] : nil
    scalars.append(special ?? Unicode.Scalar(byte))
  }
  return String(scalars)
}

/// The characters of 0x80 to 0x9F; nil where Windows-1252 has none.
private let specialScalars: [Unicode.Scalar?] = [
  "€", nil, "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", nil, "Ž", nil,
  nil, "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", nil, "ž", "Ÿ",
]
