import ByteReading
import MediaFormats
import SeededRandom
import Testing

@testable import MetadataTransfer

/// The moment of a Live Photo's still in a new header. Programs that read such tracks check whole movies in MediaTests.
struct StillImageTrackTests {
  private let moment = ISOStillImageTime(
    seconds: 1.25,
    items: [
      .init(key: ISOStillImageTime.momentKey, type: 65, value: [0xFF]),
      .init(
        key: "com.apple.quicktime.live-photo-still-image-transform", type: 82,
        value: [UInt8](0..<72)),
    ])

  /// A header with one track, which lasts 2 s.
  private func header(
    _ handler: String = "vide", id: Int64 = 1, isWide: Bool = false
  ) -> MovieHeader {
    let times = isWide ? [1, 0, 0, 0] + zeros(16) : zeros(12)
    let duration = isWide ? be32(0) + be32(1200) : be32(1200)
    let movie = box("mvhd", times + be32(600) + duration + zeros(76) + be32(id + 1))
    let track = box("tkhd", times + be32(id) + zeros(4) + duration + zeros(60))
    let media = box("mdia", box("hdlr", zeros(8) + Array(handler.utf8) + zeros(13)))
    return MovieHeader(box("moov", movie + box("trak", track + media) + box("udta", [])))
  }

  @Test(arguments: [true, false], [true, false])
  func isReadAgain(isQuickTime: Bool, isWide: Bool) throws {
    var header = header(isWide: isWide)
    let sample = try #require(try header.add(moment, at: 8, isQuickTime: isQuickTime))
    let file = box("mdat", sample) + header.bytes
    #expect(try ISOStillImageTime.read(ArraySource(file)) == moment)
    let movie = try ISOMovie(ArraySource(file))
    #expect(movie.stillImageTime == 1.25)
    #expect(movie.tracks.map(\.id) == [1, 2])
    // The number of the next track is the last field of `mvhd`.
    let fields = isWide ? 112 : 100
    #expect(header.bytes.u32(at: 16 + fields - 4) == 3)
  }

  @Test func chunksMove() throws {
    var header = header()
    let sample = try #require(try header.add(moment, at: 100, isQuickTime: true))
    #expect(try header.shiftChunks(by: UInt64(header.bytes.count)))
    let file = header.bytes + zeros(100) + sample
    #expect(try ISOStillImageTime.read(ArraySource(file)) == moment)
    // Beyond 4 GiB offsets have 64 bits.
    var long = self.header()
    #expect(try long.add(moment, at: 1 << 32, isQuickTime: true) != nil)
    #expect(long.bytes.firstRange(of: Array("co64".utf8)) != nil)
    #expect(try long.shiftChunks(by: 1 << 20))
  }

  @Test func momentsOutsideTheMovieAreNotAdded() throws {
    for seconds in [-0.5, 2, 1e300, .infinity, .nan] {
      var header = header()
      let before = header.bytes
      let other = ISOStillImageTime(seconds: seconds, items: moment.items)
      #expect(try header.add(other, at: 8, isQuickTime: true) == nil)
      #expect(header.bytes == before)
    }
    var sound = header("soun")
    #expect(try sound.add(moment, at: 8, isQuickTime: true) == nil)
    var full = header(id: Int64(UInt32.max))
    #expect(try full.add(moment, at: 8, isQuickTime: true) == nil)
    // Rounding may move the first moment before the start.
    var first = header()
    let early = ISOStillImageTime(seconds: -0.0005, items: moment.items)
    let sample = try #require(try first.add(early, at: 8, isQuickTime: true))
    let found = try ISOStillImageTime.read(ArraySource(box("mdat", sample) + first.bytes))
    #expect(found?.seconds == 0)
  }

  /// Any result is accepted, except values that are too long.
  @Test(.timeLimit(.minutes(2))) func damagedClipsAreRead() throws {
    var header = header()
    let sample = try #require(try header.add(moment, at: 8, isQuickTime: true))
    let file = box("mdat", sample) + header.bytes
    var random = SeededGenerator(seed: 20_261_124)
    for length in 0..<file.count {
      _ = try ISOStillImageTime.read(ArraySource(Array(file.prefix(length))))
    }
    for _ in 0..<5000 {
      var damaged = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let found = try ISOStillImageTime.read(ArraySource(damaged))
      #expect(found?.items.allSatisfy { $0.value.count <= 128 } ?? true)
      var other = MovieHeader(Array(damaged.suffix(header.bytes.count)))
      _ = try? other.add(moment, at: 8, isQuickTime: false)
      _ = try? other.shiftChunks(by: 1 << 31)
    }
  }
}
