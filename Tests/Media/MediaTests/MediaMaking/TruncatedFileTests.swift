import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// A file may have any length by the time it is read again: each request still gets a reply.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .heifEncoder, .imageMagick)))
struct TruncatedFileTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  @Test(arguments: [
    ("a.webp", UniformType.webP), ("a.png", .png), ("a.gif", .gif), ("a.bmp", .bmp),
    ("a.tiff", .tiff), ("a.jpg", .jpeg), ("a.jp2", .jpeg2000), ("a.heic", .heic),
  ])
  func anyLengthGetsAReply(name: String, type: UniformType) async throws {
    if type == .heic {
      try await folder.makePicture("b.png")
      try await Tool.heifEncoder.run([folder.path("b.png"), "-o", folder.path(name)])
    } else {
      try await folder.makeSoftPicture(name, size: "40x30")
    }
    let whole = try folder.bytes(name)
    let lengths = Array(0..<min(64, whole.count)) + stride(from: 64, to: whole.count, by: 131)
    for length in lengths {
      try folder.write(Array(whole.prefix(length)), to: "cut")
      let path = BytePath(folder.path("cut"))
      _ = probe(path)
      _ = thumbnail(ThumbnailItem(path: path, uniformType: type), longerSide: 320)
      _ = examine(ExamineItem(path: path, uniformType: type))
      for metadata in [MetadataPolicy.keep, .withoutLocation] {
        if case .failed(let failure) = try folder.render(
          "cut", .picture(type, PictureRendering(format: .jpeg)), to: "out", metadata: metadata)
        {
          #expect(failure.message.hasSuffix("."))
        }
        _ = try folder.render("cut", .copy(type), to: "out", metadata: metadata)
      }
    }
  }
}
