import Foundation
import Testing
import Workbench

extension ScanTests {
  /// A file may claim any number; what reckons with it must not stop for one.
  @Suite struct ImpossibleValues {
    @Test(arguments: [0x7000_0000_0000_0000, UInt64.max, 1 << 62])
    func `a header with an impossible time or length costs its file that value alone`(
      claimed: UInt64
    ) async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      let file = URL(filePath: bench.library).appending(path: "b.avif")
      try Data(Self.sequence(created: claimed, duration: claimed)).write(to: file)
      for round in 0..<2 {
        let (status, report) = try await bench.scan([bench.library])
        #expect(status == 0)
        #expect(report.scanned == 2)
        #expect(report.unchanged == 2 * round)
      }
      let asset = try #require(try await bench.list(["--name", "b.avif"]).first)
      #expect(asset.pixelWidth == 640)
      #expect(asset.captureDate == nil)
      #expect(asset.duration == nil)
    }

    /// An AVIF sequence of no pictures (ISO/IEC 14496-12 §8.2.2, §8.3.2) whose header is of version 1.
    private static func sequence(created: UInt64, duration: UInt64) -> [UInt8] {
      let matrix: [UInt32] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]
      let header =
        number(0x0100_0000) + number(created, 8) + number(created, 8) + number(1)
        + number(duration, 8) + number(0x10000) + number(0x0100_0000) + number(0, 8)
        + matrix.flatMap { number(UInt64($0)) } + number(0, 24) + number(2)
      let track =
        number(7) + number(0, 8) + number(1) + number(0, 24)
        + matrix.flatMap { number(UInt64($0)) } + number(640 << 16) + number(480 << 16)
      let media =
        box("mdhd", number(0, 12) + number(1000) + number(1000) + number(0))
        + box("hdlr", number(0, 8) + Array("pict".utf8) + number(0, 13))
      return box("ftyp", Array("avis\0\0\0\0avismsf1".utf8))
        + box(
          "moov",
          box("mvhd", header) + box("trak", box("tkhd", track) + box("mdia", media)))
        + box("mdat", number(0, 64))
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      number(UInt64(content.count + 8)) + Array(type.utf8) + content
    }

    /// A number as big-endian bytes.
    private static func number(_ value: UInt64, _ width: Int = 4) -> [UInt8] {
      (0..<width).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> ($0 * 8)) : 0 }
    }
  }
}
