import FFmpeg
import Foundation
import LibraryFacts
import Linux
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Files with a part that cannot be read.
struct UnreadableFileTests {
  /// Nothing is mapped at a process's first addresses: reading them fails with EIO (proc(5)).
  @Test(.enabled(if: FileManager.default.isReadableFile(atPath: "/proc/self/mem")))
  func areReportedEvenIfTheReaderSucceeds() throws {
    let file = try SharedFile.source(BytePath("/proc/self/mem"), below: nil)
    let reply = withFile(file, name: BytePath("mem"), failed: DigestReply.failed) { file in
      .digest((try? file.bytes(at: 0, count: 16)) ?? [])
    }
    guard case .failed(let failure) = reply else {
      Issue.record("\(reply)")
      return
    }
    #expect(failure.reason == .inaccessible)
    #expect(failure.message == "The file cannot be read: input/output error.")
  }

  /// FFmpeg would read such tracks and edit lists for minutes.
  @Test func areReportedIfTheirHeadersAreTooLarge() throws {
    func element(_ id: [UInt8], _ payload: [UInt8]) -> [UInt8] {
      id + [0x10, 0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }
    let tracks = (0..<1001).flatMap { _ in [0xAE, 0x80] as [UInt8] }
    let matroska =
      element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
      + element([0x18, 0x53, 0x80, 0x67], element([0x16, 0x54, 0xAE, 0x6B], tracks))
    #expect(throws: ProbeFailure(.unsupported, "The video has more than 1,000 tracks.")) {
      try MovieReading(ffmpeg: ArraySource(matroska), .matroska)
    }
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      encoded(content.count + 8, width: 4) + Array(type.utf8) + content
    }
    let entries = [UInt8](repeating: 0, count: 12 * 10_001)
    let list = box("elst", [0, 0, 0, 0] + encoded(10_001, width: 4) + entries)
    let movie = box("moov", box("trak", box("edts", list)))
    let failure = ProbeFailure(
      .unsupported, "The video's edit lists have more than 10,000 entries.")
    #expect(throws: failure) { try Demuxer.quickTime.checkHeader(of: ArraySource(movie)) }
    // Those of another format are not searched.
    try Demuxer.avi.checkHeader(of: ArraySource(movie))
    try Demuxer.matroska.checkHeader(of: ArraySource(movie))
  }

  @Test func areReportedIfTheyBecomeShorter() throws {
    let folder = try ScratchFolder()
    try folder.write([UInt8](repeating: 7, count: 9000), to: "a")
    let file = try SharedFile.source(BytePath(folder.path("a")), below: nil)
    let reply = withFile(file, name: BytePath("a"), failed: DigestReply.failed) { file in
      #expect(try file.bytes(at: 8000, count: 5000).count == 1000)
      #expect(try file.bytes(at: 9000, count: 1).isEmpty)
      let handle = try #require(FileHandle(forWritingAtPath: folder.path("a")))
      try handle.truncate(atOffset: 100)
      return .digest((try? file.bytes(at: 0, count: 200)) ?? [])
    }
    guard case .failed(let failure) = reply else {
      Issue.record("\(reply)")
      return
    }
    #expect(failure.message == "The file became shorter while it was read.")
  }

  /// The low-overhead form of HEIF, with the first bytes of a file that libheif's tests have.
  @Test func minimizedPicturesAreNamed() throws {
    let folder = try ScratchFolder()
    let brand = Array("mif3heic".utf8)
    try folder.write(
      bigEndian(16) + Array("ftyp".utf8) + brand + bigEndian(24) + Array("mini".utf8)
        + [8, 8, 0x80, 0xFF, 1, 0xFE] + [UInt8](repeating: 0, count: 10), to: "a.heif")
    let reply = probe(BytePath(folder.path("a.heif")))
    guard case .failed(let failure) = reply else {
      Issue.record("\(reply)")
      return
    }
    #expect(failure.message == "HEIF pictures in the low-overhead form (`mini`) cannot be read.")
  }
}
