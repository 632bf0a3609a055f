import ByteReading
import MediaFormats
import MediaModel
import Testing

/// Clips in stills of the corpus, compared with the manifest.
@Suite(.enabled(if: Corpus.isPresent))
struct MotionPhotoCorpusTests {
  @Test func `the clips in the manifest are found`() throws {
    let corpus = try #require(Corpus.shared)
    var clips = 0
    var broken = 0
    for entry in try corpus.entries() where entry["media_type"] == "image" {
      let bytes = try corpus.library(entry.path)
      guard let result = try search(bytes) else { continue }
      switch entry["motion_photo"] {
      case "yes":
        clips += 1
        guard case .clip(let clip) = result else {
          Issue.record("\(entry.path): \(result)")
          continue
        }
        #expect("\(clip.offset)" == entry["mp_video_offset"], "\(entry.path)")
        #expect("\(clip.length)" == entry["mp_video_length"], "\(entry.path)")
      case "marker but no video":
        broken += 1
        guard case .missing = result else {
          Issue.record("\(entry.path): \(result)")
          continue
        }
      default: #expect(result == .none, "\(entry.path)")
      }
    }
    #expect(clips == 7)
    #expect(broken == 3)
  }

  private func search(_ bytes: [UInt8]) throws -> EmbeddedClipResult? {
    let source = WindowedSource(ArraySource(bytes))
    let trailer = try SamsungTrailer(source)
    switch try ContentType(of: source) {
    case .media(.jpeg):
      guard let jpeg = try? JPEGFile(source) else { return nil }
      return try EmbeddedClipSearch.find(
        in: source, xmp: jpeg.xmp.flatMap(XMPPacket.init), trailer: trailer, jpeg: jpeg)
    case .media(.heic), .media(.heif), .media(.avif):
      guard let heif = try? HEIFContainer(source) else { return nil }
      let xmp = try heif.xmp(from: source).flatMap(XMPPacket.init)
      return try EmbeddedClipSearch.find(in: source, xmp: xmp, trailer: trailer, heif: heif)
    default: return nil
    }
  }
}
