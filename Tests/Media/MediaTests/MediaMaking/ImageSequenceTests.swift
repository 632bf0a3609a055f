import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// HEIF and AVIF files whose pictures are the frames of a track (ISO/IEC 23008-12 §7).
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .imageMagick)))
struct ImageSequenceTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Makes an image sequence of ten frames from a movie: other brands, and a picture track.
  private func makeSequence(_ name: String, _ encoder: String, brands: String) async throws {
    try await Tool.ffmpeg.run(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=10:d=1", "-vf", "hue=h=36*t",
        "-pix_fmt", "yuv420p", "-c:v", encoder, "-crf", "15", "-f", "mp4",
      ] + (encoder == "libaom-av1" ? ["-cpu-used", "8"] : []) + [folder.path("movie.mp4")])
    var bytes = try folder.bytes("movie.mp4")
    // The major brand, its version and the first compatible brand of the `ftyp` box.
    bytes.replaceSubrange(
      8..<20, with: brands.utf8.prefix(4) + [0, 0, 0, 0] + brands.utf8.suffix(4))
    let handler = try #require(
      bytes.indices.dropLast(4).first { bytes[$0...].starts(with: "vide".utf8) })
    bytes.replaceSubrange(handler..<handler + 4, with: "pict".utf8)
    try folder.write(bytes, to: name)
  }

  @Test(
    arguments: [
      ("a.heics", UniformType.heics, "libx265", "msf1hevc"),
      ("a.avif", .avif, "libaom-av1", "avisavif"),
    ])
  func theFirstFrameIsExported(
    name: String, type: UniformType, encoder: String, brands: String
  ) async throws {
    try await makeSequence(name, encoder, brands: brands)
    guard
      case .picture(let found) = examine(
        ExamineItem(path: BytePath(folder.path(name)), uniformType: type))
    else {
      Issue.record("\(name) is not a picture")
      return
    }
    #expect(found.uprightSize == PixelSize(width: 128, height: 96))
    #expect(found.isSequenceFrame && found.hasMorePictures && found.obstacle == nil)

    let result = try folder.mustRender(
      name, .picture(type, PictureRendering(format: .jpeg, quality: 95)), to: "out.jpg")
    #expect(result.notes.contains { $0.contains("first frame of an image sequence") })
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path("movie.mp4"), "-fps_mode", "passthrough",
      folder.path("frame%d.png"),
    ])
    // The bars' edges lose colour in 4:2:0, so even the right frame differs.
    let made = try await folder.pixels("out.jpg")
    #expect(peakSignalToNoise(made, try await folder.pixels("frame1.png")) > 22)
    #expect(peakSignalToNoise(made, try await folder.pixels("frame10.png")) < 17)
  }

  /// A track that is transparent on the left, as libavif writes it.
  @Test func transparencyIsRead() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "color=tomato:s=64x48:r=5:d=1", "-f", "lavfi", "-i",
      "color=black:s=32x48:r=5:d=1,pad=64:48:0:0:white,format=gray,scale=out_range=full",
      "-map", "0:v", "-map", "1:v", "-c:v", "libaom-av1", "-crf", "10", "-cpu-used", "8", "-f",
      "mp4", folder.path("movie.mp4"),
    ])
    var bytes = try folder.bytes("movie.mp4")
    bytes.replaceSubrange(8..<20, with: Array("avis".utf8) + [0, 0, 0, 0] + Array("avif".utf8))
    func places(_ type: String) -> [Int] {
      bytes.indices.dropLast(4).filter { bytes[$0..<($0 + 4)].elementsEqual(type.utf8) }
    }
    let handlers = places("vide")
    try #require(handlers.count == 2)
    bytes.replaceSubrange(handlers[0]..<handlers[0] + 4, with: "pict".utf8)
    bytes.replaceSubrange(handlers[1]..<handlers[1] + 4, with: "auxv".utf8)
    // The header of the movie is after the frames, so that their offsets stay.
    let entry = try #require(places("av01").last { $0 > handlers[1] })
    let urn = Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha".utf8) + [0]
    let added = bigEndian(12 + urn.count) + Array("auxi".utf8) + bigEndian(0) + urn
    func size(at place: Int) -> Int { bytes[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) } }
    let end = entry - 4 + size(at: entry)
    for parent in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "av01"] {
      let place = try #require(places(parent).last { $0 <= entry })
      bytes.replaceSubrange(place - 4..<place, with: bigEndian(size(at: place) + added.count))
    }
    bytes.insert(contentsOf: added, at: end)
    try folder.write(bytes, to: "a.avif")
    let result = try folder.mustRender(
      "a.avif", .picture(.avif, PictureRendering(format: .png)), to: "a.png")
    #expect(!result.notes.contains { $0.contains("transparency") })
    let pixels = try await folder.pixels("a.png")
    // Over white, of limited range; tomato is 255, 99, 71.
    let (left, right) = ((24 * 64 + 8) * 3, (24 * 64 + 56) * 3)
    #expect(pixels[left..<(left + 3)].allSatisfy { $0 > 240 }, "\(pixels[left..<(left + 3)])")
    #expect(abs(Int(pixels[right + 1]) - 99) < 16, "\(pixels[right..<(right + 3)])")
  }
}
