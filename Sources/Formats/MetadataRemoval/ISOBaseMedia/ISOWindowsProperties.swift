import ByteReading
import MediaEdits
import MediaFormats

// The properties that Windows' file manager writes into user data (`Xtra`; exiftool's Microsoft.pm): ratings, tags, people.
extension ISORedaction {
  private static let longestProperties = 1 << 20
  /// Types of values: text in UTF-16, a number, a time, an identifier; and the longest in bytes of all but texts.
  private static let propertyText: UInt16 = 8
  /// 65 is a time with a type of its own, in which Windows stores when it copied a video from a camera.
  private static let longestValues: [UInt16: Int] = [19: 8, 21: 8, 65: 12, 72: 16]

  /// Whether properties stay as they are: if all are of known form and none is what the policy removes.
  func keepsWindowsProperties(_ box: ISOBox) throws -> Bool {
    guard !policy.removesCaptions,
      let content = try source.content(of: box, limit: Self.longestProperties)
    else { return false }
    var position = 0
    while position < content.count {
      guard let size = content.u32(at: position).map(Int.init), size >= 12,
        let property = content.bytes(at: position, count: size),
        keeps(windowsProperty: property)
      else { return false }
      position += size
    }
    return true
  }

  /// A property is its size, a name after its length, the number of values, and the values, each after its size and type.
  private func keeps(windowsProperty bytes: [UInt8]) -> Bool {
    guard let length = bytes.u32(at: 4).map(Int.init),
      let name = bytes.bytes(at: 8, count: length), !policy.removes(key: name.text),
      !policy.removes(text: name), let count = bytes.u32(at: 8 + length)
    else { return false }
    var position = 12 + length
    for _ in 0..<min(Int(count), bytes.count) {
      guard let size = bytes.u32(at: position).map(Int.init), size >= 6,
        let type = bytes.u16(at: position + 4),
        let value = bytes.bytes(at: position + 6, count: size - 6)
      else { return false }
      if type == Self.propertyText {
        if policy.removes(text: value) { return false }
      } else if value.count > Self.longestValues[type] ?? 0 {
        return false
      }
      position += size
    }
    return position == bytes.count
  }
}
