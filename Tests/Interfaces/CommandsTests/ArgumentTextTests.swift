import Testing

@testable import Commands

struct ArgumentTextTests {
  /// Latin-1, parts of characters, overlong and surrogate forms, and the noncharacter that marks bytes.
  private static let broken: [[UInt8]] = [
    [0x4D, 0xFC, 0x6C], [0xFF], [0xC3], [0xE2, 0x82, 0x2E], [0xC0, 0xAF], [0xED, 0xA0, 0x80],
    [0xF4, 0x90, 0x80, 0x80], [0x80, 0xC3, 0xA9, 0xFE],
  ]
  private static let whole: [[UInt8]] = [
    [], Array("a b=--c".utf8), Array("fru\u{308}h \u{1F4F7}".utf8), Array("\u{FFFD}".utf8),
    [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x8F, 0xBF, 0xBF, 0xC3, 0xBC],
  ]

  @Test(arguments: broken + whole) func noByteIsLost(bytes: [UInt8]) {
    let text = ArgumentText.text(of: bytes)
    #expect(ArgumentText.bytes(of: text) == bytes)
    #expect(ArgumentText.display(text) == String(decoding: bytes, as: UTF8.self))
    #expect(ArgumentText.isUTF8(text) == Self.whole.contains(bytes))
  }

  @Test func differentBytesAreDifferentTexts() {
    let all = Self.broken + Self.whole
    #expect(Set(all.map(ArgumentText.text)).count == all.count)
  }
}
