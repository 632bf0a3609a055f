import MediaModel
import Testing

@testable import WorkerProtocol

struct ThumbnailMessageTests {
  private static let thumbnail = Thumbnail(
    jpeg: [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3], size: PixelSize(width: 320, height: 213))

  @Test func requestArrivesAsItWasSent() throws {
    let request = WorkerRequest.thumbnails(
      [
        ThumbnailItem(path: BytePath(bytes: [0xFF, 0x0A]), uniformType: .heic),
        ThumbnailItem(path: BytePath("a"), uniformType: .jpeg),
      ], longerSide: 320)
    #expect(try WorkerRequest(payload: request.payload) == request)
  }

  @Test(arguments: [
    ThumbnailReply.thumbnail(thumbnail), .failed(ProbeFailure(.unsupported, "It has none.")),
  ])
  func replyArrivesAsItWasSent(_ reply: ThumbnailReply) throws {
    #expect(try ThumbnailReply(payload: reply.payload) == reply)
    #expect(!reply.isInterim)
  }

  /// A compromised worker must not be able to put anything into a page.
  @Test(arguments: [
    Thumbnail(jpeg: Array("<script>".utf8), size: PixelSize(width: 10, height: 10)),
    Thumbnail(jpeg: thumbnail.jpeg, size: PixelSize(width: 0, height: 10)),
    Thumbnail(jpeg: thumbnail.jpeg, size: PixelSize(width: 10, height: 5000)),
    Thumbnail(
      jpeg: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 64 << 10),
      size: PixelSize(width: 10, height: 1024)),
    Thumbnail(
      jpeg: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 8 << 20),
      size: PixelSize(width: 10, height: 4096)),
    Thumbnail(jpeg: [], size: PixelSize(width: 10, height: 10)),
  ])
  func anInvalidThumbnailIsRefused(_ thumbnail: Thumbnail) {
    let payload = ThumbnailReply.thumbnail(thumbnail).payload
    #expect(throws: WireError.self) { try ThumbnailReply(payload: payload) }
  }

  /// Pictures to look at one at a time may be larger.
  @Test func aLargePictureArrives() throws {
    let picture = Thumbnail(
      jpeg: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 1 << 20),
      size: PixelSize(width: 4096, height: 3072))
    #expect(
      try ThumbnailReply(payload: ThumbnailReply.thumbnail(picture).payload) == .thumbnail(picture))
    #expect(picture.fits(longerSide: 4096) && !picture.fits(longerSide: 320))
  }

  @Test func aTruncatedReplyIsRefused() {
    let payload = ThumbnailReply.thumbnail(Self.thumbnail).payload
    for count in 0..<payload.count {
      #expect(throws: WireError.self) { try ThumbnailReply(payload: Array(payload.prefix(count))) }
    }
  }
}
