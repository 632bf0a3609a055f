import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

/// Streams of short texts, compressed by Python's zlib.
struct InflateTests {
  private func hex(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.utf8.count, by: 2).compactMap { index in
      let start = text.index(text.startIndex, offsetBy: index)
      return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16)
    }
  }

  private static let stored =
    "7801010600f9ff73746f726564093c0292"
  private static let fixed =
    "78014bcbac484d514843270167b708a1"
  private static let dynamic =
    "78da1591c901002108035ba10411e4e8bf31272f5d09c9c01e734b5bf3b2fb2cca72add2c6cdcf31"
    + "bf9c9954512c1234f771ce5adc444f37ba4cce497b77ed7559a12bcee6bb791fea8b6e4bbe34fac1"
    + "c11d2b97a75fcc3d94928a7bca2d0194481a229f140384f788c2457ccfda8d9376f3386474dcd2ad"
    + "f536aa2eba5047e02f68c803bf489c4319d1a4c5901b0b411e58525419f065429a0573b6a6d518ef"
    + "30cf730d1c9a988a3dcdfc5ab7e5ad0e55ba9c6dd2518fde6a5c6af0ebf3b41c3a9a4ceb476e3704"
    + "bdb08c563f17be49fd8b827906fad51c28b841c9369972e7f80724f75488"
  private static let zeros =
    "78daedc13101000000c2a0f54f6d0d0fa00000000000000000000000000000000000000000000000"
    + "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
    + "00000000000000000000000000000000000000000000000000000000000000000080570386af0001"

  @Test func `stored, fixed and dynamic blocks are read`() {
    #expect(inflateZlib(hex(Self.stored), limit: 100) == Array("stored".utf8))
    #expect(
      inflateZlib(hex(Self.fixed), limit: 100) == Array("fixed fixed fixed fixed".utf8))
    let numbers = (0..<100).map { "\($0 * $0)" }.joined(separator: " ")
    #expect(inflateZlib(hex(Self.dynamic), limit: 1000) == Array(numbers.utf8))
  }

  @Test func `decompression stops at the limit`() {
    #expect(inflateZlib(hex(Self.fixed), limit: 22) == nil)
    #expect(inflateZlib(hex(Self.fixed), limit: 23)?.count == 23)
    // A hundred thousand zeros in a hundred bytes.
    #expect(inflateZlib(hex(Self.zeros), limit: 10_000) == nil)
    #expect(inflateZlib(hex(Self.zeros), limit: 100_000)?.count == 100_000)
  }

  @Test func `streams that are cut off are refused`() {
    let whole = hex(Self.dynamic)
    // The four bytes of the checksum may be missing.
    for length in 0..<(whole.count - 4) {
      #expect(inflateZlib(Array(whole.prefix(length)), limit: 1000) == nil)
    }
  }

  @Test func `streams with a changed byte are processed`() {
    var bytes = hex(Self.dynamic)
    for index in bytes.indices {
      for bit in 0..<8 {
        bytes[index] ^= 1 << UInt8(bit)
        #expect((inflateZlib(bytes, limit: 1000)?.count ?? 0) <= 1000)
        bytes[index] ^= 1 << UInt8(bit)
      }
    }
  }
}
