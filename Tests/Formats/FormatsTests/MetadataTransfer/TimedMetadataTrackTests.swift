import SeededRandom
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataTransfer

/// Timed metadata in a new header. Programs that read such tracks check whole movies in MediaTests.
struct TimedMetadataTrackTests {
  /// A header of one video track, which lasts 2 s.
  private static func header(id: Int64 = 1, isWide: Bool = false) -> MovieHeader {
    let times = isWide ? [1, 0, 0, 0] + zeros(16) : zeros(12)
    let duration = isWide ? be32(0) + be32(1200) : be32(1200)
    let movie = box("mvhd", times + be32(600) + duration + zeros(76) + be32(id + 1))
    let track = box("tkhd", times + be32(id) + zeros(4) + duration + zeros(60))
    let media = box("mdia", box("hdlr", zeros(8) + Array("vide".utf8) + zeros(13)))
    return MovieHeader(box("moov", movie + box("trak", track + media) + box("udta", [])))
  }

  /// A movie with a track of five samples of 500 ms, with sizes from 1 to 5 bytes and their numbers as content.
  ///
  /// - Parameters:
  ///   - edits: durations in thousandths of a second, media times and rates.
  ///   - isWide: whether times have eight bytes.
  private static func source(
    edits: [(Int64, Int64, Int64)] = [], isWide: Bool = false, tables: [UInt8] = [],
    top: [UInt8] = []
  ) -> [UInt8] {
    let samples = (1...5).flatMap { [UInt8](repeating: UInt8($0), count: $0) }
    func long(_ value: Int64) -> [UInt8] { isWide ? be32(value >> 32) + be32(value) : be32(value) }
    let version: [UInt8] = [isWide ? 1 : 0, 0, 0, 0]
    let entry = box("gpmd", zeros(6) + be16(1) + zeros(4))
    let table =
      box("stsd", zeros(4) + be32(1) + entry)
      + box("stts", zeros(4) + be32(1) + be32(5) + be32(500))
      + box("stsc", zeros(4) + be32(1) + be32(1) + be32(5) + be32(1))
      + box("stsz", zeros(8) + be32(5) + (1...5).flatMap { be32($0) })
      + box("stco", zeros(4) + be32(1) + be32(8)) + tables
    let data = box("dinf", box("dref", zeros(4) + be32(1) + box("url ", be32(1))))
    let media = box(
      "mdia",
      box("mdhd", version + long(0) + long(0) + be32(1000) + long(2500) + zeros(4))
        + box("hdlr", zeros(8) + Array("meta".utf8) + zeros(12) + Array("GPS\0".utf8))
        + box("minf", box("nmhd", zeros(4)) + data + box("stbl", table)))
    let list = edits.flatMap { long($0.0) + long($0.1) + be32($0.2) }
    let track = box(
      "trak",
      box("tkhd", version + long(0) + long(0) + be32(7) + zeros(4) + long(2500) + zeros(60))
        + (edits.isEmpty
          ? []
          : box("edts", box("elst", version + be32(Int64(edits.count)) + list)))
        + media)
    let movie = box("mvhd", zeros(12) + be32(1000) + be32(2500) + zeros(76) + be32(8))
    return box("mdat", samples) + box("moov", movie + track + top)
  }

  private static func tracks(_ bytes: [UInt8]) throws -> [ISOTimedMetadata] {
    try ISOTimedMetadata.tracks(of: ArraySource(bytes))
  }

  private static func carried(
    _ source: [UInt8], from start: Double = 0
  ) throws -> CarriedMetadata {
    CarriedMetadata(
      try tracks(source), from: start, isSourceQuickTime: false, trackIDs: [:], metadata: [:])
  }

  private struct Shown: Hashable {
    var size: Int
    var duration: UInt32
  }

  private static func shown(
    _ bytes: [UInt8], from start: Double, to end: Double
  ) throws -> (delay: Double, samples: [Shown]) {
    let track = try #require(try tracks(bytes).first)
    let part = try #require(try track.part(from: start, to: end, limit: 100))
    return (part.delay, part.samples.map { Shown(size: $0.range.count, duration: $0.duration) })
  }

  @Test(arguments: [true, false])
  func partsHaveTheSamplesThatAreShown(isWide: Bool) throws {
    let plain = Self.source(isWide: isWide)
    let whole = try Self.shown(plain, from: 0, to: 10)
    #expect(whole.delay == 0)
    #expect(whole.samples == (1...5).map { Shown(size: $0, duration: 500) })
    // A sample that covers the start, and one that covers the end.
    let part = try Self.shown(plain, from: 0.6, to: 1.7)
    #expect(part.delay == 0)
    #expect(
      part.samples == [
        Shown(size: 2, duration: 400), Shown(size: 3, duration: 500), Shown(size: 4, duration: 200),
      ])
    // Samples that end where the part begins, or begin where it ends, are not shown.
    #expect(try Self.shown(plain, from: 0.5, to: 1).samples == [Shown(size: 2, duration: 500)])
    #expect(try Self.shown(plain, from: 2.5, to: 3).samples.isEmpty)
    // A pause of a second, and then what begins at 0.7 s.
    let edits: [(Int64, Int64, Int64)] = [(1000, -1, 0x10000), (1000, 700, 0x10000)]
    let late = Self.source(edits: edits, isWide: isWide)
    let first = try Self.shown(late, from: 0.25, to: 10)
    #expect(first.delay == 0.75)
    #expect(
      first.samples == [
        Shown(size: 2, duration: 300), Shown(size: 3, duration: 500), Shown(size: 4, duration: 200),
      ])
    let second = try Self.shown(late, from: 1.5, to: 1.9)
    #expect(second.delay == 0)
    #expect(
      second.samples == [Shown(size: 3, duration: 300), Shown(size: 4, duration: 100)])
  }

  @Test func otherTracksAreNotRead() throws {
    #expect(try Self.tracks(Self.source()).map(\.id) == [7])
    let twice: [(Int64, Int64, Int64)] = [(500, 0, 0x10000), (500, 1000, 0x10000)]
    #expect(try Self.tracks(Self.source(edits: twice)).isEmpty)
    #expect(try Self.tracks(Self.source(edits: [(500, 0, 0x20000)])).isEmpty)
    #expect(try Self.tracks(Self.source(tables: box("ctts", zeros(8)))).isEmpty)
    #expect(try Self.tracks(Self.source(top: box("mvex", []))).isEmpty)
  }

  /// A movie of 2 s from 0.6 s of the source on, which has 1.9 s left.
  @Test(arguments: [true, false], [true, false])
  func isReadAgain(isQuickTime: Bool, isWide: Bool) throws {
    let source = Self.source(isWide: isWide)
    var header = Self.header(isWide: isWide)
    let ranges = try #require(
      try header.add(
        Self.carried(source, from: 0.6), at: 8, fromSourceOf: UInt64(source.count),
        isQuickTime: isQuickTime))
    let samples = ranges.flatMap { source[Int($0.lowerBound)..<Int($0.upperBound)] }
    #expect(samples == [2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5])
    let file = box("mdat", samples) + header.bytes
    let movie = try ISOMovie(ArraySource(file))
    #expect(movie.tracks.map(\.id) == [1, 2])
    #expect(movie.tracks.last?.sampleEntries.map(\.type) == ["gpmd"])
    #expect(movie.tracks.last?.duration == 1900)
    let track = try #require(try Self.tracks(file).first)
    let part = try #require(try track.part(from: 0, to: 10, limit: 100))
    #expect(part.delay == 0)
    #expect(part.samples.map(\.duration) == [400, 500, 500, 500])
    #expect(part.samples.map { file[Int($0.range.lowerBound)] } == [2, 3, 4, 5])
    // The number of the next track is the last field of `mvhd`.
    #expect(header.bytes.u32(at: 16 + (isWide ? 112 : 100) - 4) == 3)
    #expect((header.bytes.firstRange(of: Array("gmhd".utf8)) != nil) == isQuickTime)
  }

  @Test func chunksMove() throws {
    let source = Self.source()
    var header = Self.header()
    _ = try #require(
      try header.add(
        Self.carried(source), at: 100, fromSourceOf: UInt64(source.count), isQuickTime: false))
    #expect(try header.shiftChunks(by: UInt64(header.bytes.count)))
    let file = header.bytes + zeros(100) + source[8..<23]
    let part = try Self.tracks(file).first?.part(from: 0, to: 10, limit: 100)
    #expect(part?.samples.map { file[Int($0.range.lowerBound)] } == [1, 2, 3, 4])
    // Beyond 4 GiB offsets have 64 bits.
    var long = Self.header()
    let ranges = try long.add(
      Self.carried(source), at: 1 << 32, fromSourceOf: UInt64(source.count), isQuickTime: false)
    #expect(ranges?.count == 4)
    #expect(long.bytes.firstRange(of: Array("co64".utf8)) != nil)
    #expect(try long.shiftChunks(by: 1 << 20))
  }

  /// A header stays as it is if nothing is shown, if its numbers are used up, and for samples that together are longer than
  /// the source.
  @Test func headersWithoutPlaceStay() throws {
    let source = Self.source()
    let before = Self.header().bytes
    var header = Self.header()
    let size = UInt64(source.count)
    #expect(
      try header.add(
        Self.carried(source, from: 5), at: 8, fromSourceOf: size, isQuickTime: true) == [])
    #expect(header.bytes == before)
    #expect(
      try header.add(Self.carried(source), at: 8, fromSourceOf: 3, isQuickTime: true) == nil)
    #expect(header.bytes == before)
    var full = Self.header(id: Int64(UInt32.max))
    #expect(
      try full.add(Self.carried(source), at: 8, fromSourceOf: size, isQuickTime: true) == nil)
    #expect(try Self.tracks(source).first?.part(from: 0, to: 10, limit: 4) == nil)
  }

  /// Any result is accepted.
  @Test(.timeLimit(.minutes(2))) func damagedMoviesAreRead() throws {
    let edits: [(Int64, Int64, Int64)] = [(1000, -1, 0x10000), (1000, 700, 0x10000)]
    var random = SeededGenerator(seed: 20_261_130)
    for isWide in [true, false] {
      let file = Self.source(edits: edits, isWide: isWide)
      for length in 0..<file.count {
        _ = try Self.tracks(Array(file.prefix(length)))
      }
      for _ in 0..<5000 {
        var damaged = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          damaged[Int.random(in: damaged.indices, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        var header = Self.header()
        let start = Double.random(in: -1...3, using: &random)
        let ranges = try header.add(
          Self.carried(damaged, from: start), at: 8, fromSourceOf: UInt64(file.count),
          isQuickTime: true)
        #expect((ranges ?? []).allSatisfy { $0.upperBound <= UInt64(file.count) })
        _ = try Self.tracks(header.bytes)
      }
    }
  }
}
