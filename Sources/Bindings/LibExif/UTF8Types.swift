/// Makes the texts of EXIF 3.0 readable for libexif.
///
/// EXIF 3.0 (CIPA DC-008-2023, §4.6.2) adds field type 129 for text in UTF-8. libexif drops entries of types
/// that it does not know. The type differs from ASCII (2) in the character code alone, so the copy that libexif
/// reads gets type 2; ``ExifText`` decodes UTF-8 in either.
enum UTF8Types {
  private static let utf8: UInt16 = 129
  private static let ascii: UInt16 = 2
  /// The pointers of IFD0 to the EXIF and the GPS directory.
  private static let pointers: Set<UInt16> = [0x8769, 0x8825]
  /// IFD0, IFD1, EXIF and GPS are four; a block that names more directories is damaged.
  private static let maximumDirectories = 8

  /// The block with type 2 wherever its directories have type 129. Every other byte stays as it is.
  ///
  /// - Parameter block: a TIFF block; the rest of a damaged directory is left as it is.
  static func replaced(in block: [UInt8]) -> [UInt8] {
    // Most blocks have none: then no byte has this value.
    guard block.count >= 14, block.contains(UInt8(utf8)) else { return block }
    let isBig = block[0] == 0x4D
    var result = block
    func u16(_ at: Int) -> UInt16? {
      guard at >= 0, at <= result.count - 2 else { return nil }
      let (first, second) = (UInt16(result[at]), UInt16(result[at + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    func u32(_ at: Int) -> Int? {
      guard let first = u16(at), let second = u16(at + 2) else { return nil }
      return isBig ? Int(first) << 16 | Int(second) : Int(second) << 16 | Int(first)
    }
    var waiting = [u32(4)].compactMap(\.self)
    var seen: Set<Int> = []
    while let start = waiting.popLast(), seen.count < maximumDirectories {
      guard seen.insert(start).inserted, let count = u16(start) else { continue }
      for index in 0..<Int(count) {
        let entry = start + 2 + index * 12
        guard let tag = u16(entry), let type = u16(entry + 2) else { break }
        if type == utf8 { result[isBig ? entry + 3 : entry + 2] = UInt8(ascii) }
        if pointers.contains(tag), let target = u32(entry + 8) { waiting.append(target) }
      }
      if let next = u32(start + 2 + Int(count) * 12), next > 0 { waiting.append(next) }
    }
    return result
  }
}
