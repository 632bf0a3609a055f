import Testing

@testable import ByteReading

/// Streams that Google's libbrotli 1.2 compressed.
struct BrotliTests {
  private func hex(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.utf8.count, by: 2).compactMap { index in
      let start = text.index(text.startIndex, offsetBy: index)
      return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16)
    }
  }

  private static let words =
    "1b9100e08dd3a5b631dc3a2588084a29a4209c2ce4ceb009514b1fbde1f76e3b149a88ae2a0ed77c"
    + "160969413318aa329839479adb0d718e6c2686625e698997f32c"
  private static let characters =
    "1b4600f8c57f77ffa4872c0c3c0bee16b4b52f715b92c6516fcb0ec87da910505125411361245bf8"
    + "b804be5738be0696c40f521ba2c7e01f813b7731d0a9f71f7aa05715"
  private static let numbers =
    "1bc401f88dd4630d5dd809dc70a92e44f4c815a6301633934b69025d08d04f4078081a1c728cb902"
    + "09bac0861c5c500f9aa03ddcc62922111759d33efac3f4303f6c1fbbe65cbcc4a7406dd01ed404ba"
    + "07fa022f07b661ba2012640b7e0ceb837b41ea415541ad434f4656a1915054e8cb6875e82a583db8"
    + "5e70fbf08bb1b77024fcbbf0daf8724417d23de44d88f748dae4a7c849542e5a6bfafaa87f687ae8"
    + "ffa1d7c768cdb48bb1c44c8af96d66f7584dd8ee61df859d1cfb6df6bab892b8dee21c73f171fbc2"
    + "ab87ef0a6f1d1fd9aa00"
  private static let repetitions = "1b0f2700a4c2c4e2b230903d0004"
  private static let mixture =
    "1b070733832644920df03f166c1c72add47ee0927983cd4b2239e01810d73720a40d7cf37f4e9b5f"
    + "1ac8b8092577799712bb010937276485ac6e324ebff22050c3612b72e35a99879ffc2dacd725356f"
    + "e9c97a87b7625aeb62cd0aabe9dcf9c5c5f73e41b31373350a9e0ce15f6bbf1cee8da32cab150a7c"
    + "2627f0630f30067e6d7b99d3fde91df1dc311b2669a3e34da9d95acfb8f2bec83802fe71f5cd7266"
    + "d7973a1956d484dbfde5db8bf10fe0f23908c17b4415f9d99feb18ef6747fed979ddd0fbec7b87a0"
    + "0ee3e7ae9c9524f033ad7137443ecaaf253918974ae9488bb716467003579a86865d053fae6db41b"
    + "38982746f22369bbffdaba7c1845c7cead9cee3ca2431e2a22b096882d35b29a650ee34049537a1b"
    + "5c96b83fd3815ca2048dc1f80a3423aa6767873efb8eecf67e6ca63463614e9caa3b74fe1ee97a37"
    + "12d3d8d7757eef48224705b5c4a77e81b9c87f2ea00b2e51dd2da7c64b6aa9dea5a54624c41d67b0"
    + "4acc22ffe5bd29573ff9f045f59dd4a4d32f27217b7465ee8adf56aa7f0b0bd3bbf4e64d5cda9901"
    + "d2225af1329b4a83d9a3c5b61be8e6f3f16bdfcdebee169d5240acb5e76771c9bc2337c2115c3b7d"
    + "6e7e93d13eb381cc199007e8d68757e732ce6dab96ce07d9afa726e5df01cb6c06b08d2bdd601eec"
    + "d5d2a1a799a02bddcfe6788b3f852181b3f043f3419de6b7eb371fcb8e1546b14f141d03e85ed472"
    + "df34a8e9dcfaccf224f13a69f14b7cb14c6e2dee718260571937195dde3ee7b3791d5d1887dbc2ec"
    + "2e9eba0d53ab674ae375e5a56e538d145312a8f501cf64ac353f13e187512cfd375eaaf55082abce"
    + "e559e98ceedf912d9a41ebee1c71ec30b275588601eb7201c6697872f275ddf8ce5bfc09d7de9bfa"
    + "dfb496333ca21a66f152968756b7edfb045267aa631168010a31bb6bb942de4dedef41f2acfab60d"
    + "eff18d5c775a9fe2603f7aadf385b37f61c5e939afb53ed0c400"

  /// Decimal digits, letters and other bytes in turn, so that the codes change.
  private static let mixed: [UInt8] = {
    let alphabets = [Array("0123456789".utf8), Array("abcdefgh".utf8), [0x80, 0x90, 0xF0]]
    var state = 1
    return (0..<1800).map { index in
      state = (state * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
      let alphabet = alphabets[index / 300 % 3]
      return alphabet[(state >> 16) % alphabet.count]
    }
  }()

  @Test func `words of the dictionary are inserted and changed`() {
    #expect(
      expandBrotli(hex(Self.words), limit: 1000).map { String(decoding: $0, as: UTF8.self) }
        == "The time of the people and the government. This is not the first year of the world, "
        + "from which the children (\"with their information\") have been.\n")
    #expect(
      expandBrotli(hex(Self.characters), limit: 1000).map { String(decoding: $0, as: UTF8.self) }
        == "Grüße aus Zürich, où est la bibliothèque? Київ и Москва")
  }

  @Test func `codes of all kinds are read`() {
    let numbers = (0..<100).map { "\($0 * $0)" }.joined(separator: " ")
    #expect(expandBrotli(hex(Self.numbers), limit: 1000) == Array(numbers.utf8))
    #expect(expandBrotli(hex(Self.mixture), limit: 10_000) == Self.mixed)
    #expect(expandBrotli([6], limit: 10) == [])
  }

  /// A window of 64 KiB, one block of 5 bytes without compression, and an empty last one (§9).
  @Test func `blocks without compression are read`() {
    #expect(
      expandBrotli([0x40, 0, 0x10] + Array("plain".utf8) + [3], limit: 5) == Array("plain".utf8))
  }

  @Test func `decompression stops at the limit`() {
    #expect(expandBrotli(hex(Self.repetitions), limit: 9999) == nil)
    #expect(expandBrotli(hex(Self.repetitions), limit: 10_000)?.count == 10_000)
  }

  @Test func `streams that are cut off or damaged are refused or limited`() {
    for stream in [Self.words, Self.numbers, Self.mixture] {
      var bytes = hex(stream)
      for length in 0..<(bytes.count - 1) {
        #expect(expandBrotli(Array(bytes.prefix(length)), limit: 10_000) == nil)
      }
      for index in bytes.indices {
        for bit in 0..<8 {
          bytes[index] ^= 1 << UInt8(bit)
          #expect((expandBrotli(bytes, limit: 10_000)?.count ?? 0) <= 10_000)
          bytes[index] ^= 1 << UInt8(bit)
        }
      }
    }
  }

  /// The checksum of RFC 7932, appendix A.
  @Test func `the dictionary is that of the RFC`() {
    var crc = UInt32.max
    for byte in BrotliDictionary.words {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
    #expect(BrotliDictionary.words.count == 122_784)
    #expect(~crc == 0x5136_CB04)
  }
}
