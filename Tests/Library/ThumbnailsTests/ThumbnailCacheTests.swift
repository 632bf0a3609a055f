import Foundation
import GRDB
import MediaModel
import Testing
import WorkerProtocol

@testable import Thumbnails

@Suite final class ThumbnailCacheTests {
  let path = FileManager.default.temporaryDirectory
    .appending(path: "\(UUID().uuidString).thumbnails").path

  deinit {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  private func key(_ asset: String = "A", modified: Int64 = 1, side: Int = 320) -> ThumbnailKey {
    ThumbnailKey(asset: asset, size: 10, modified: modified, longerSide: side)
  }

  private func picture(_ filler: UInt8 = 7, bytes: Int = 1000) -> Thumbnail {
    Thumbnail(
      jpeg: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: filler, count: bytes - 3),
      size: PixelSize(width: 320, height: 240))
  }

  @Test func whatWasKeptIsThereNextTime() throws {
    try ThumbnailCache(path: path).keep([(key(), .thumbnail(picture()))])
    let cache = try ThumbnailCache(path: path)
    #expect(try cache.thumbnail(for: key()) == picture())
    #expect(try cache.outcome(for: key()) == .made)
  }

  /// A file that changed, another size and another asset have none.
  @Test func anotherKeyHasNone() throws {
    let cache = try ThumbnailCache(path: path)
    try cache.keep([(key(), .thumbnail(picture()))])
    for other in [key("B"), key(modified: 2), key(side: 160)] {
      #expect(try cache.thumbnail(for: other) == nil)
      #expect(try cache.outcome(for: other) == nil)
    }
    try cache.keep([(key(modified: 2), .thumbnail(picture(8)))])
    #expect(try cache.thumbnail(for: key(modified: 2)) == picture(8))
    #expect(try cache.outcome(for: key()) == nil)
  }

  @Test func failuresAreKeptAndOnlyLastingOnesAreFinal() throws {
    let cache = try ThumbnailCache(path: path)
    let damaged = ProbeFailure(.damaged, "The picture is damaged.")
    let crashed = ProbeFailure(.crashed, "It crashed.")
    try cache.keep([(key("A"), .failed(damaged)), (key("B"), .failed(crashed))])
    #expect(try cache.outcome(for: key("A")) == .failed(damaged))
    #expect(try cache.outcome(for: key("A"))?.isFinal == true)
    #expect(try cache.outcome(for: key("B"))?.isFinal == false)
    #expect(try cache.thumbnail(for: key("A")) == nil)
  }

  @Test func theOldestGoFirst() throws {
    let cache = try ThumbnailCache(path: path)
    for name in ["A", "B", "C", "D"] {
      try cache.keep([(key(name), .thumbnail(picture(bytes: 10_000)))])
    }
    // Made anew, so it is no longer the oldest.
    try cache.keep([(key("A", modified: 2), .thumbnail(picture(bytes: 10_000)))])
    try cache.trim(to: 25_000)
    #expect(try cache.outcome(for: key("B")) == nil)
    #expect(try cache.outcome(for: key("C")) == nil)
    #expect(try cache.outcome(for: key("D")) == .made)
    #expect(try cache.outcome(for: key("A", modified: 2)) == .made)
    try cache.trim(to: 25_000)
    #expect(try cache.outcome(for: key("D")) == .made)
  }

  @Test func whatIsUsedIsTrimmedLast() throws {
    let cache = try ThumbnailCache(path: path)
    let keys = (0..<1200).map { key("asset \($0)") }
    try cache.keep(keys.map { ($0, .thumbnail(picture(bytes: 1000))) })
    try cache.noteUse(of: keys[0])
    try cache.noteUse(of: keys[1195])
    try cache.noteUse(of: key("unknown"))
    try cache.trim(to: 12_000)
    let left = try keys.indices.filter { try cache.outcome(for: keys[$0]) == .made }
    // The newest need no record of their use.
    #expect(left.contains(0) && left.contains(1195) && !left.contains(1))
    #expect(left.count == 10)
    // A small cache is not written.
    try cache.noteUse(of: keys[left[1]])
    try cache.keep([(key("new"), .thumbnail(picture(bytes: 1000)))])
    #expect(try cache.outcome(for: key("new")) == .made)
    #expect(try cache.thumbnail(for: keys[0]) == picture(bytes: 1000))
  }

  /// Another process writes for a while, and a picture of this one waits to be stored.
  @Test(.timeLimit(.minutes(1)))
  func whatIsThereIsReadWhileAnotherProcessWrites() throws {
    let cache = try ThumbnailCache(path: path)
    try cache.keep([(key(), .thumbnail(picture()))])
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: path, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let (begins, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread { [key = key("B"), picture = picture()] in
      begins.signal()
      try? cache.keep([(key, .thumbnail(picture))])
      ended.signal()
    }.start()
    begins.wait()
    Thread.sleep(forTimeInterval: 0.3)
    let start = ContinuousClock.now
    #expect(try cache.thumbnail(for: key()) == picture())
    #expect(try cache.outcome(for: key()) == .made)
    // A write waits for 5 seconds.
    #expect(ContinuousClock.now - start < .seconds(3))
    try other.inDatabase { try $0.execute(sql: "COMMIT") }
    ended.wait()
    #expect(try cache.outcome(for: key("B")) == .made)
  }

  @Test func aUseIsNotedLater() throws {
    let cache = try ThumbnailCache(path: path)
    let keys = (0..<1200).map { key("asset \($0)") }
    try cache.keep(keys.map { ($0, .thumbnail(picture(bytes: 1000))) })
    var work: [@Sendable () -> Void] = []
    cache.noteUse(of: keys[0]) { work.append($0) }
    // The work notes all that was used until it runs.
    cache.noteUse(of: keys[1]) { work.append($0) }
    #expect(work.count == 1)
    for body in work { body() }
    try cache.trim(to: 12_000)
    let left = try keys.indices.filter { try cache.outcome(for: keys[$0]) == .made }
    #expect(left.contains(0) && left.contains(1) && !left.contains(2))
    cache.noteUse(of: keys[0]) { work.append($0) }
    #expect(work.count == 2)
  }

  /// A few large pictures take as much as many small ones.
  @Test func largePicturesDisplaceNoSmallOnes() throws {
    let cache = try ThumbnailCache(path: path)
    let large = Thumbnail(
      jpeg: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 500_000),
      size: PixelSize(width: 2048, height: 1536))
    try cache.keep((0..<20).map { (key("small \($0)"), .thumbnail(picture(bytes: 1000))) })
    try cache.keep((0..<10).map { (key("large \($0)", side: 2048), .thumbnail(large)) })
    try cache.trim(to: 24_000)
    try cache.trim(.large, to: 2_000_000)
    for number in 0..<20 { #expect(try cache.outcome(for: key("small \(number)")) == .made) }
    func left() throws -> [Int] {
      try (0..<10).filter { try cache.outcome(for: key("large \($0)", side: 2048)) == .made }
    }
    #expect(try left() == [7, 8, 9])
    try cache.trim(to: 12_000)
    #expect(try left() == [7, 8, 9])
    #expect(try cache.outcome(for: key("small 9")) == nil)
    #expect(try cache.outcome(for: key("small 10")) == .made)
  }

  @Test func aLargePictureThatIsUsedIsTrimmedLast() throws {
    let cache = try ThumbnailCache(path: path)
    let large = Thumbnail(
      jpeg: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 9_800),
      size: PixelSize(width: 2048, height: 1536))
    let keys = (0..<40).map { key("large \($0)", side: 2048) }
    try cache.keep(keys.map { ($0, .thumbnail(large)) })
    try cache.noteUse(of: keys[3])
    try cache.trim(.large, to: 30_500)
    #expect(
      try keys.indices.filter { try cache.outcome(for: keys[$0]) == .made } == [3, 38, 39])
  }

  /// A worker that a hostile file has taken over could fill the cache.
  @Test func aPictureThatIsLargerThanRequestedIsNotKept() throws {
    let cache = try ThumbnailCache(path: path)
    let large = Thumbnail(
      jpeg: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 500_000),
      size: PixelSize(width: 2048, height: 1536))
    try cache.keep([(key(), .thumbnail(large))])
    #expect(try cache.thumbnail(for: key()) == nil)
    #expect(try cache.outcome(for: key())?.isFinal == false)
  }

  @Test(arguments: ["no database at all", String(repeating: "\u{0}", count: 9000)])
  func aDamagedFileIsMadeAnew(_ content: String) throws {
    try Data(content.utf8).write(to: URL(filePath: path))
    let cache = try ThumbnailCache(path: path)
    try cache.keep([(key(), .thumbnail(picture()))])
    #expect(try ThumbnailCache(path: path).outcome(for: key()) == .made)
  }

  @Test func oneOfAnotherVersionIsMadeAnew() throws {
    try ThumbnailCache(path: path).keep([(key(), .thumbnail(picture()))])
    try DatabaseQueue(path: path).write { try $0.execute(sql: "PRAGMA user_version = 99") }
    let cache = try ThumbnailCache(path: path)
    #expect(try cache.outcome(for: key()) == nil)
    try cache.keep([(key(), .thumbnail(picture()))])
    #expect(try ThumbnailCache(path: path).outcome(for: key()) == .made)
  }

  /// Bytes that change anywhere in the file cost what was kept, and no more.
  @Test func damageEndsNothing() throws {
    let keys = (0..<20).map { key("asset \($0)") }
    try ThumbnailCache(path: path).keep(keys.map { ($0, .thumbnail(picture(bytes: 400))) })
    try DatabaseQueue(path: path).writeWithoutTransaction {
      _ = try $0.checkpoint(.truncate)
    }
    let sound = try Data(contentsOf: URL(filePath: path))
    var seed: UInt64 = 1
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }
    for _ in 0..<60 {
      var damaged = sound
      // Half of the flips hit the first pages, which have the header and the schema.
      for _ in 0...random(8) {
        damaged[random(2) == 0 ? random(2048) : random(damaged.count)] ^= 1 << UInt8(random(8))
      }
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
      try damaged.write(to: URL(filePath: path))
      let cache = try ThumbnailCache(path: path)
      for key in keys {
        _ = try cache.thumbnail(for: key)
        _ = try cache.outcome(for: key)
      }
      try cache.keep(keys.map { ($0, .thumbnail(picture(9, bytes: 500))) })
      try cache.trim(to: 1 << 20)
      _ = try cache.thumbnail(for: keys[0])
    }
  }

  /// What another program wrote into the file is not believed.
  @Test func whatIsNoJPEGIsNotHandedOut() throws {
    let cache = try ThumbnailCache(path: path)
    try cache.keep([(key(), .thumbnail(picture()))])
    try DatabaseQueue(path: path).write {
      try $0.execute(sql: "UPDATE thumbnails SET jpeg = CAST('<script>' AS BLOB)")
    }
    #expect(try cache.thumbnail(for: key()) == nil)
  }

  @Test func whereNothingCanBeKeptItLivesAsLongAsTheProcess() throws {
    let cache = try ThumbnailCache(path: "/proc/nowhere/thumbnails")
    try cache.keep([(key(), .thumbnail(picture()))])
    #expect(try cache.thumbnail(for: key()) == picture())
  }
}
