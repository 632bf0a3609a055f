import ByteReading
@testable import MetadataRemoval
import Testing

/// The bytes of SEI messages that are overwritten. Units follow ITU-T H.264 §7.3.2.3 and D.1, ITU-T H.265
/// §7.3.5 and D.2, and ISO/IEC 14496-15 §5.3.3 and §8.3.3.
struct VideoUserDataTests {
  private static let unknown = [UInt8](repeating: 0x11, count: 16)
  private static let x264: [UInt8] = [
    0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
  ]
  /// Streams with start codes.
  private static let h264 = VideoUserData(.h264, configuration: [])
  private static let hevc = VideoUserData(.hevc, configuration: [])
  /// Streams with lengths of four bytes.
  private static let avc = VideoUserData(.h264, configuration: [1, 0, 0, 0, 0xFF])

  private func message(_ type: Int, _ payload: [UInt8]) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      [UInt8](repeating: 0xFF, count: value / 255) + [UInt8(value % 255)]
    }
    return number(type) + number(payload.count) + payload
  }

  /// The stream with these ranges overwritten.
  private func erased(_ bytes: [UInt8], _ ranges: [Range<Int>]) -> [UInt8] {
    var result = bytes
    for range in ranges {
      for index in range { result[index] = VideoUserData.filler }
    }
    return result
  }

  private func filler(_ count: Int) -> [UInt8] {
    [UInt8](repeating: VideoUserData.filler, count: count)
  }

  @Test(
    arguments: [
      // HDR10+, captions in ATSC's form, LCEVC.
      (4, [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04] + Array("any".utf8)),
      (4, [0xB5, 0x00, 0x31] + Array("GA94".utf8) + [3, 0xC1, 0xFF]),
      (4, [0xB4, 0x00, 0x50, 1, 2]),
      (5, x264 + Array("x264 - core 164 r3108 - H.264/MPEG-4 AVC codec\0".utf8)),
      // Picture timing and recovery points are not user data.
      (1, [1, 2, 3]), (6, [0x84]),
    ] as [(Int, [UInt8])])
  func `known kinds of user data stay`(type: Int, payload: [UInt8]) {
    let unit = message(type, payload) + [0x80]
    #expect(Self.h264.erasable(in: [0, 0, 1, 6] + unit) == [])
    #expect(Self.hevc.erasable(in: [0, 0, 1, 39 << 1, 1] + unit) == [])
  }

  @Test(
    arguments: [
      (4, [0xB5, 0x7F, 0x7F, 1, 2, 3]),
      (4, [0xB5, 0x00, 0x31] + Array("ZZ94".utf8)),
      (4, []),
      (5, unknown + Array("any".utf8)),
      // A position in data of a known kind, and data that is not a text.
      (5, x264 + Array("+47.1234+008.6543/".utf8)),
      (5, x264 + [1, 2, 3]),
      // Reserved types, messages inside of another one, filler, and a position in a message with numbers.
      (190, unknown), (300, [1, 2, 3]), (37, [5, 16] + unknown), (3, [1, 2, 3]),
      (45, Array("47.1234, 8.6543".utf8)),
    ] as [(Int, [UInt8])])
  func `other kinds of user data are overwritten`(type: Int, payload: [UInt8]) {
    let rest = message(1, [9]) + [0x80]
    let blank = message(type, filler(payload.count)) + rest
    for (form, head, picture) in [
      (Self.h264, [0, 0, 1, 6], 0x65), (Self.hevc, [0, 0, 0, 1, 39 << 1, 1], 19 << 1),
      (Self.hevc, [0, 0, 1, 40 << 1, 1], 19 << 1),
    ] as [(VideoUserData, [UInt8], UInt8)] {
      let next: [UInt8] = [0, 0, 1, picture, 5, 4, 1, 2]
      let bytes = head + message(type, payload) + rest + next
      #expect(erased(bytes, form.erasable(in: bytes)) == head + blank + next)
    }
  }

  @Test func `units of other types stay`() {
    let content = message(5, Self.unknown) + [0x80]
    for type in [1, 5, 7, 8, 9, 12] as [UInt8] {
      #expect(Self.h264.erasable(in: [0, 0, 1, type] + content) == [])
    }
    #expect(Self.hevc.erasable(in: [0, 0, 1, 6, 1] + content) == [])
  }

  /// ITU-T H.264 table 7-1 and H.265 table 7-1.
  @Test func `units of reserved types are overwritten`() {
    let content = Array("47.1234, 8.6543".utf8)
    for type in [0, 17, 24, 31] as [UInt8] {
      #expect(Self.h264.erasable(in: [0, 0, 1, type, 1] + content) == [5..<20])
    }
    for type in [22, 41, 47, 48, 61] as [UInt8] {
      #expect(Self.hevc.erasable(in: [0, 0, 1, type << 1, 1] + content) == [5..<20])
    }
    // Dolby Vision.
    #expect(Self.h264.erasable(in: [0, 0, 1, 28, 1] + content) == [])
    #expect(Self.hevc.erasable(in: [0, 0, 1, 62 << 1, 1] + content) == [])
  }

  /// AV1 Bitstream & Decoding Process Specification §5.3 and §5.8: a temporal delimiter, metadata, padding, a frame.
  @Test func `user data of AV1 is overwritten`() {
    let form = VideoUserData(.av1, configuration: [])
    func unit(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
      [type << 3 | 2, UInt8(content.count)] + content
    }
    func stream(_ user: [UInt8], _ padding: [UInt8]) -> [UInt8] {
      unit(2, []) + unit(5, [1, 0, 100, 0, 50, 0x80]) + unit(5, [4, 0xB5, 0, 0x3C, 0, 1, 4, 0x80])
        + unit(5, [4] + user + [0x80, 0]) + unit(5, [9] + user + [0x80])
        + unit(15, padding + [0x80])
        + [6 << 3, 1, 2, 3]
    }
    let place = Array("47.1234, 8.6543".utf8)
    let bytes = stream(place, place)
    let cleared = stream(filler(place.count), filler(place.count))
    #expect(erased(bytes, form.erasable(in: bytes)) == cleared)
    let head: [UInt8] = [0x81, 0, 0, 0]
    #expect(
      erased(head + bytes, form.erasable(inConfiguration: head + bytes)) == head + cleared)
    for count in 0..<bytes.count { _ = form.erasable(in: Array(bytes.prefix(count))) }
  }

  @Test func `sizes of several bytes are read`() {
    let payload = Self.unknown + [UInt8](repeating: 0x22, count: 600)
    let bytes = [0, 0, 1, 6] + message(5, payload) + message(300, [7]) + [0x80]
    #expect(Self.h264.erasable(in: bytes) == [8..<(8 + 616), 627..<628])
  }

  @Test func `emulation prevention bytes stay`() {
    // 00 00 03 inside of the payload stays, and so does a size after it.
    let payload = Self.unknown + [0x33, 0, 0, 3, 1, 0x33]
    let bytes: [UInt8] = [0, 0, 1, 6, 5, 21] + payload + [0x80]
    #expect(
      erased(bytes, Self.h264.erasable(in: bytes))
        == [0, 0, 1, 6, 5, 21] + filler(17) + [0, 0, 3] + filler(2) + [0x80])
    // Messages 0 of 0 bytes, twice, with emulation prevention among their types and sizes.
    let late: [UInt8] = [0, 0, 1, 6, 0, 0, 3, 0, 0, 3, 5, 17] + Self.unknown + [0x44, 0x80]
    #expect(Self.h264.erasable(in: late) == [12..<29])
  }

  @Test func `damaged messages are overwritten to their end`() {
    // The size goes beyond the unit.
    for size in [[200], [0xFF, 0xFF, 0xFF, 9]] as [[UInt8]] {
      let bytes = [0, 0, 1, 6, 5] + size + Self.unknown + [0x80]
      let start = 5 + size.count
      #expect(Self.h264.erasable(in: bytes) == [start..<(start + 16)])
    }
    for cut in [[6], [6, 5], [6, 5, 0xFF, 0xFF], [6, 0xFF, 0xFF], [6, 0x80], []] as [[UInt8]] {
      #expect(Self.h264.erasable(in: [0, 0, 1] + cut) == [])
    }
    let lone: [UInt8] = [6] + message(5, Self.unknown)
    #expect(Self.avc.erasable(in: [0xFF, 0xFF, 0xFF, 0xFF] + lone) == [7..<23])
    #expect(Self.avc.erasable(in: [0, 0, 0, 19] + lone) == [7..<23])
    #expect(Self.avc.erasable(in: [0, 0]) == [])
    #expect(Self.avc.erasable(in: [0, 0, 0, 0, 0, 0, 0, 0]) == [])
  }

  @Test func `messages in H.264 configurations are overwritten`() {
    let unit = [6] + message(5, Self.unknown) + [0x80]
    let set: [UInt8] = [0x67, 1, 2, 3]
    // One sequence parameter set; two picture parameter sets, one of which is a message.
    let bytes =
      [1, 100, 0, 31, 0xFF, 0xE1, 0, 4] + set + [2, 0, 2, 0x68, 1, 0, UInt8(unit.count)] + unit
    #expect(
      VideoUserData(.h264, configuration: bytes).erasable(inConfiguration: bytes) == [22..<38])
    for count in 0..<bytes.count {
      let cut = Array(bytes.prefix(count))
      #expect(VideoUserData(.h264, configuration: cut).erasable(inConfiguration: cut) == [])
    }
  }

  @Test func `messages in HEVC configurations are overwritten`() {
    let unit = [39 << 1, 1] + message(5, Self.unknown) + [0x80]
    let head = [UInt8(1)] + [UInt8](repeating: 0, count: 20) + [3]
    // Two lists: a parameter set, and a message.
    let bytes =
      head + [2, 32, 0, 1, 0, 2, 0x40, 1, 39, 0, 1, 0, UInt8(unit.count)] + unit
    let form = VideoUserData(.hevc, configuration: bytes)
    #expect(form.lengthSize == 4)
    #expect(form.erasable(inConfiguration: bytes) == [39..<55])
    let hostile = head + [0xFF, 39, 0xFF, 0xFF, 0xFF, 0xFF, 39 << 1]
    #expect(form.erasable(inConfiguration: hostile) == [])
  }
}
