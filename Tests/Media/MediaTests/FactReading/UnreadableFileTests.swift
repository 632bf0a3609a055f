import Foundation
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
