/// Character data with its predefined entities and character references replaced.
func decodeEntities(_ bytes: ArraySlice<UInt8>) -> String {
  String(decoding: withoutEntities(bytes), as: UTF8.self)
}

/// Does the same for text in an encoding that contains ASCII.
package func withoutEntities(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  guard bytes.contains(UInt8(ascii: "&")) else { return bytes }
  var decoded: [UInt8] = []
  decoded.reserveCapacity(bytes.count)
  var position = bytes.startIndex
  while position < bytes.endIndex {
    let byte = bytes[position]
    if byte == UInt8(ascii: "&"),
      let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
      let scalar = entity(String(decoding: bytes[(position + 1)..<end], as: UTF8.self))
    {
      decoded += Array(String(Character(scalar)).utf8)
      position = end + 1
    } else {
      decoded.append(byte)
      position += 1
    }
  }
  return decoded[...]
}

private func entity(_ name: String) -> Unicode.Scalar? {
  switch name {
  case "lt": return "<"
  case "gt": return ">"
  case "amp": return "&"
  case "quot": return "\""
  case "apos": return "'"
  default:
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let code =
      digits.first == "x" || digits.first == "X"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return code.flatMap(Unicode.Scalar.init)
  }
}
