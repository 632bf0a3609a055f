import Testing

@testable import ByteReading

/// The expected digests were made with `ffmpeg -f data -i FILE -map 0 -c copy -f hash -hash murmur3 -`.
struct MurmurHash3Tests {
  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
  }

  private func hexadecimal(_ digest: [UInt8]) -> String {
    digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test(arguments: [
    (0, "f172e5acc891f8bf6981a829b5a83a3d"), (1, "6fb7c7aa27a76fccefe2d33224891bfc"),
    (15, "1574e520a38eea0ea72976615bf081d5"), (16, "62c57c7f4c539d65363284cecbe50afb"),
    (17, "36ffbe9dc4eea63b005144ee343740cc"), (33, "8fea5a6ae29a59a07d3ec1715e1f74c5"),
    (1000, "dfa6f5ccbefc3b64c63c6307a63c6d70"),
  ])
  func equalsFFmpegs(count: Int, expected: String) {
    var hash = MurmurHash3()
    hash.update(Self.bytes(count))
    #expect(hexadecimal(hash.finish()) == expected)
  }

  @Test(arguments: [1, 3, 13, 16, 17, 500])
  func doesNotDependOnPieces(size: Int) {
    let bytes = Self.bytes(1000)
    var hash = MurmurHash3()
    for start in stride(from: 0, to: bytes.count, by: size) {
      hash.update(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    #expect(hexadecimal(hash.finish()) == "dfa6f5ccbefc3b64c63c6307a63c6d70")
  }
}
