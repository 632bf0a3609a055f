import MediaEdits
import MediaModel
import Testing
import WorkerProtocol

@testable import Exporter

/// RAW files are exported as their largest preview, unless that is a mere thumbnail.
struct RawPreviewTests {
  private let raw = sample(
    "/l/a.x3f", type: .sigmaX3F, size: PixelSize(width: 2640, height: 1760))

  private func look(_ width: Int, _ height: Int) -> ExamineReply {
    .picture(
      PictureDescription(
        uprightSize: PixelSize(width: width, height: height),
        rawSize: PixelSize(width: 2640, height: 1760)))
  }

  @Test func aThumbnailIsNotThePicture() throws {
    let item = planned(raw, try request(), examined: look(8, 8))
    #expect(item?.action == .failed)
    for word in ["a.x3f", "8 × 8", "2640 × 1760", "current", "--max-pixels 8"] {
      #expect(item?.reason?.contains(word) == true, "\(item?.reason ?? "")")
    }
    #expect(planned(raw, try request(), examined: look(440, 659))?.action == .failed)
    #expect(planned(raw, try request(), examined: look(660, 440))?.action == .transcoded)
    #expect(planned(raw, try request(image: "current"), examined: look(8, 8))?.action == .copied)
  }

  @Test func aSmallPictureMayBeMadeOfASmallPreview() throws {
    var request = try request()
    request.maxPixels = 160
    #expect(planned(raw, request, examined: look(160, 120))?.action == .transcoded)
    request.maxPixels = 161
    #expect(planned(raw, request, examined: look(160, 120))?.action == .failed)
  }
}
