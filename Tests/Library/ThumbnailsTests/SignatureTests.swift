import Foundation
import GRDB
import MediaModel
import Testing
import WorkerProtocol

@testable import Thumbnails

/// The signatures that are kept with thumbnails.
@Suite final class SignatureTests {
  let path = FileManager.default.temporaryDirectory
    .appending(path: "\(UUID().uuidString).thumbnails").path

  deinit {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  private func key(_ asset: String, modified: Int64 = 1, side: Int = 320) -> ThumbnailKey {
    ThumbnailKey(asset: asset, size: 10, modified: modified, longerSide: side)
  }

  private func thumbnail(_ filler: UInt8) -> Thumbnail {
    Thumbnail(
      jpeg: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 10_000),
      size: PixelSize(width: 320, height: 240),
      signature: PictureSignature(
        bytes: [UInt8](repeating: filler, count: PictureSignature.byteCount)))
  }

  private func signatures(_ cache: ThumbnailCache) throws -> [String: UInt8?] {
    var found: [String: UInt8?] = [:]
    try cache.forEachSignature { asset, version, signature in
      #expect(version.size == 10)
      found[asset] = .some(signature?.bytes[0])
    }
    return found
  }

  @Test func theyStayWhenThumbnailsAreRemoved() throws {
    let cache = try ThumbnailCache(path: path)
    try cache.keep((1...9).map { (key("\($0)"), .thumbnail(thumbnail($0))) })
    try cache.trim(to: 0)
    #expect(try cache.outcome(for: key("1")) == nil)
    let kept = try signatures(ThumbnailCache(path: path))
    #expect(kept == Dictionary(uniqueKeysWithValues: (1...9).map { ("\($0)", UInt8($0)) }))
  }

  @Test func aChangedFileHasItsNewOne() throws {
    let cache = try ThumbnailCache(path: path)
    try cache.keep([(key("A"), .thumbnail(thumbnail(1)))])
    try cache.keep([(key("A", modified: 2), .thumbnail(thumbnail(2)))])
    var versions: [String: Int64] = [:]
    try cache.forEachVersion { versions[$0] = $1.modified }
    #expect(versions == ["A": 2])
    #expect(try signatures(cache) == ["A": 2])
  }

  @Test func editedVersionsAndTinyPicturesHaveNone() throws {
    let cache = try ThumbnailCache(path: path)
    try cache.keep([
      (key("A/3"), .thumbnail(thumbnail(1))), (key("B", side: 100), .thumbnail(thumbnail(2))),
      (key("C"), .failed(ProbeFailure(.damaged, "The picture is damaged."))),
    ])
    #expect(try signatures(cache).isEmpty)
  }
}
