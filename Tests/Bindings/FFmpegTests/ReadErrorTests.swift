import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import FFmpeg

/// Movies on a disk with one page that cannot be read: the bytes after it are intact, and libavformat would
/// continue with them.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg)))
struct ReadErrorTests {
  private struct BrokenPage: Error {}

  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Copies a movie's video track, reading it from a disk with one broken page.
  private func copy(_ demuxer: Demuxer, _ name: String, brokenAt page: Range<Int>?) throws {
    let bytes = try folder.bytes(name)
    try folder.write([], to: "result.mov")
    let target = try #require(FileHandle(forWritingAtPath: folder.path("result.mov")))
    let source = try MovieFile(demuxer, size: UInt64(bytes.count), readsPackets: true) {
      let wanted = min(Int($0), bytes.count)..<min(Int($0) + $1, bytes.count)
      if let page, page.overlaps(wanted) { throw BrokenPage() }
      return Array(bytes[wanted])
    }
    let rendering = MovieRendering(
      container: .quickTime, tracks: [TrackRendering(index: 0, work: .copy)], threads: 1)
    let maker = try MovieMaker(
      source, rendering, descriptor: target.fileDescriptor, creationTime: nil,
      keepsChapters: false, displays: [:], toneTable: { _, _ in nil })
    _ = try maker.make(progress: { _ in })
  }

  @Test(
    arguments: [
      (.quickTime, "a.mov"), (.matroska, "a.mkv"), (.avi, "a.avi"), (.mpegTransportStream, "a.ts"),
    ] as [(Demuxer, String)])
  func failTheCopy(demuxer: Demuxer, name: String) async throws {
    // AVI does not record when MPEG-2's frames are shown, and such a track is not copied.
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x480:r=25:d=12", "-c:v",
      demuxer == .avi ? "mpeg4" : "mpeg2video", "-q:v", "2", folder.path(name),
    ])
    try copy(demuxer, name, brokenAt: nil)
    let middle = try folder.bytes(name).count / 2
    #expect(throws: MovieMakingError.self) {
      try copy(demuxer, name, brokenAt: middle..<(middle + 4096))
    }
  }
}
