import ByteReading
import Foundation
import MediaFormats
import MediaModel
import Testing

/// The readers of FLV, ASF, MPEG program streams and DV, with files that were built after the specifications, and with
/// hostile ones. MovieFactsTests compares them with FFmpeg.
@Suite(.timeLimit(.minutes(5)))
struct MovieFileTests {
  // MARK: Flash Video

  @Test func `an FLV is read`() throws {
    let movie = try FlashVideoFile(ArraySource(MadeFile.flashVideo.bytes)).movie
    #expect(movie.duration == 0.16)
    #expect(movie.mainVideo?.codec == "flv1")
    #expect(movie.mainVideo?.size == PixelSize(width: 320, height: 240))
    #expect(movie.mainVideo?.frameRate == 25)
    #expect(movie.mainAudio?.codec == "mp3")
    #expect(movie.metadata == [MetadataEntry(key: "title", value: "Lake")])
  }

  /// Lavf 56 wrote the unit of times as the rate.
  @Test func `an FLV's rate of 1000 is not believed`() throws {
    let script: [UInt8] =
      [2] + MadeFile.flashText("onMetaData") + [8] + be32(1)
      + MadeFile.flashNumber("framerate", 1000) + be16(0) + [9]
    let picture: [UInt8] = [0x22, 0, 0, 0x80, 2, 0x80, 0, 0]
    let bytes =
      MadeFile.flashHeader + MadeFile.flashTag(18, time: 0, script)
      + (0..<8).flatMap { (index: Int) -> [UInt8] in MadeFile.flashTag(9, time: index * 40, picture)
      }
    let movie = try FlashVideoFile(ArraySource(bytes)).movie
    #expect(movie.mainVideo?.frameRate == 25)
    // The time of the last tag.
    #expect(movie.duration == 0.28)
    // Without its end, the last complete tag counts.
    let cut = try FlashVideoFile(ArraySource(Array(bytes.dropLast(9)))).movie
    #expect(cut.duration == 0.24)
  }

  /// Objects inside of objects, and a list that states 2³² − 1 values, each a list again.
  private static let hostileValues: [[UInt8]] = {
    let nested: [UInt8] = be16(1) + [0x61, 3]
    let list: [UInt8] = [0x0A] + be32(0xFFFF_FFFF)
    return [
      [3] + Array(repeatElement(nested, count: 20_000).joined()),
      Array(repeatElement(list, count: 50_000).joined()), [8] + be32(0xFFFF_FFFF) + be16(0xFFFF),
      [2] + be16(0xFFFF), [0x0C] + be32(0xFFFF_FFFF), [0], [0x0B, 0x7F], [0x11],
    ]
  }()

  @Test(arguments: hostileValues)
  func `hostile script data is bounded`(value: [UInt8]) throws {
    let script = [2] + MadeFile.flashText("onMetaData") + value
    let movie = try FlashVideoFile(
      ArraySource(MadeFile.flashHeader + MadeFile.flashTag(18, time: 0, script))
    ).movie
    #expect(movie.streams.isEmpty)
    #expect(movie.duration == nil)
  }

  @Test func `numbers that are not finite are no duration`() throws {
    for value in [Double.nan, .infinity, -1, 1e300] {
      let script =
        [2] + MadeFile.flashText("onMetaData") + [8] + be32(1)
        + MadeFile.flashNumber("duration", value) + MadeFile.flashNumber("x", value) + be16(0) + [9]
      let bytes = MadeFile.flashHeader + MadeFile.flashTag(18, time: 0, script)
      #expect(try FlashVideoFile(ArraySource(bytes)).movie.duration == nil)
    }
  }

  /// A file announces video and has audio tags only.
  @Test func `the search for a stream of an FLV ends`() throws {
    let audio = MadeFile.flashTag(8, time: 10, [0x2E] + zeros(100))
    let source = CountingSource(
      MadeFile.flashHeader + Array(repeatElement(audio, count: 40_000).joined()))
    let movie = try FlashVideoFile(WindowedSource(source)).movie
    #expect(movie.streams.map(\.kind) == [.audio])
    #expect(source.bytesRead < 1 << 20)
    #expect(source.reads < 2000)
  }

  // MARK: Windows Media

  @Test func `an ASF is read`() throws {
    let movie = try ASFFile(ArraySource(MadeFile.windowsMedia.bytes)).movie
    #expect(movie.duration == 2)
    #expect(movie.mainVideo?.codec == "wmv2")
    #expect(movie.mainVideo?.size == PixelSize(width: 320, height: 240))
    #expect(movie.mainVideo?.frameRate == 25)
    #expect(movie.mainAudio?.codec == "wmav2")
    #expect(movie.value("title") == "Lake")
    #expect(movie.value("creation_time") == "2004-10-28T17:10:42Z")
  }

  /// The header of an unfinished file, and of one that is cut off, states a wrong duration.
  @Test(arguments: [(1, 0), (2, 1 << 20)])
  func `the last packet ends an unfinished ASF`(flags: Int, size: Int) throws {
    let bytes = MadeFile.windowsMediaBytes(
      fileProperties: MadeFile.asfProperties(size: size, flags: flags))
    #expect(try ASFFile(ArraySource(bytes)).movie.duration == 0.12)
  }

  @Test(arguments: [0, 1, 31, 1 << 20, 0x7FFF_FFFF])
  func `impossible packets of an ASF are not read`(size: Int) throws {
    let bytes = MadeFile.windowsMediaBytes(
      fileProperties: MadeFile.asfProperties(flags: 1, packet: size))
    let movie = try ASFFile(ArraySource(bytes)).movie
    #expect(movie.duration == nil)
    #expect(movie.mainVideo?.frameRate == nil)
  }

  @Test func `a truncated ASF header is named`() throws {
    let start = MadeFile.asfHeader + le32(5000) + le32(0) + le32(3) + [1, 2]
    let error = #expect(throws: ContainerError.self) {
      try ASFFile(ArraySource(start + MadeFile.asfProperties()))
    }
    #expect(error?.description == "The file is truncated: it ends within its header.")
  }

  /// The video's object is after one of a wrong size. The file must not pass for audio.
  @Test func `a damaged ASF header is no audio file`() throws {
    let audio = MadeFile.asfAudioStream
    let whole = MadeFile.asfObject(
      MadeFile.asfHeader, le32(2) + le16(0) + audio + MadeFile.asfVideoStream)
    #expect(try ASFFile(ArraySource(whole)).movie.streams.count == 2)
    var bytes = whole
    // The low byte of the second object's size.
    bytes[30 + audio.count + 16] = 7
    bytes[30 + audio.count + 17] = 0
    let error = #expect(throws: ContainerError.self) { try ASFFile(ArraySource(bytes)) }
    #expect(error?.description == "The file has a damaged header.")
  }

  /// Sizes that overflow, that are smaller than the object's header, and that exceed the file.
  private static let hostileSizes: [[UInt8]] = [
    [UInt8](repeating: 0xFF, count: 8), zeros(8), le32(23) + zeros(4), le32(0) + le32(0x7FFF_FFFF),
  ]

  @Test(arguments: hostileSizes)
  func `hostile sizes of ASF objects are bounded`(size: [UInt8]) throws {
    let object = MadeFile.asfExtendedContent + size + zeros(100)
    let bytes =
      MadeFile.asfObject(
        MadeFile.asfHeader,
        le32(5) + [1, 2] + MadeFile.asfProperties() + MadeFile.asfVideoStream + object)
    #expect(try ASFFile(ArraySource(bytes)).movie.mainVideo?.codec == "wmv2")
  }

  /// Attributes whose lengths exceed their object.
  @Test func `hostile attributes of an ASF are bounded`() throws {
    for length in [0xFFFF, 0x7FFF, 3] {
      let attributes = le16(0xFFFF) + le16(length) + zeros(2) + le16(0) + le16(length) + zeros(2)
      let bytes = MadeFile.windowsMediaBytes(
        fileProperties: MadeFile.asfProperties(),
        more: MadeFile.asfObject(MadeFile.asfExtendedContent, attributes))
      #expect(try ASFFile(ArraySource(bytes)).movie.value("title") == "Lake")
    }
  }

  /// Objects of 8 MiB each in the header.
  @Test func `long ASF headers cost little`() throws {
    let long = MadeFile.asfObject(MadeFile.asfExtendedContent, zeros(8 << 20))
    let bytes = MadeFile.windowsMediaBytes(
      fileProperties: MadeFile.asfProperties(), more: Array(repeatElement(long, count: 4).joined()))
    let source = CountingSource(bytes)
    #expect(try ASFFile(WindowedSource(source)).movie.duration == 2)
    #expect(source.bytesRead < 18 << 20)
  }

  // MARK: MPEG program streams

  @Test func `a program stream is read`() throws {
    let movie = try MPEGProgramStream(ArraySource(MadeFile.programStream.bytes)).movie
    #expect(movie.mainVideo?.codec == "mpeg2video")
    #expect(movie.mainVideo?.size == PixelSize(width: 320, height: 240))
    #expect(movie.mainVideo?.frameRate == 25)
    #expect(movie.mainAudio?.codec == "mp2")
    // 0.1 s to 1 s, and the last frame.
    #expect(movie.duration == 0.94)
  }

  /// The parameters in packets of four bytes each.
  @Test func `a program stream of tiny packets is read`() throws {
    let video = MadeFile.sequenceHeader + zeros(64)
    var bytes = MadeFile.pack
    for start in stride(from: 0, to: video.count - 3, by: 4) {
      bytes += MadeFile.programPacket(0xE0, time: 9000 + start, Array(video[start..<start + 4]))
    }
    let movie = try MPEGProgramStream(ArraySource(bytes)).movie
    #expect(movie.mainVideo?.size == PixelSize(width: 320, height: 240))
  }

  @Test func `the first table of durations counts`() throws {
    let tables = [60, 61].map { count in
      box("stts", be32(0) + be32(1) + be32(count) + be32(100))
    }
    let media =
      box("mdhd", be32(0) + zeros(8) + be32(3000) + be32(6000) + zeros(4))
      + box("hdlr", zeros(8) + Array("vide".utf8) + zeros(13))
      + box("minf", box("stbl", tables[0] + tables[1]))
    let header = box("tkhd", be32(1) + zeros(8) + be32(7) + zeros(68))
    let movie = box("moov", box("trak", header + box("mdia", media)))
    let track = try #require(try ISOMovie(ArraySource(movie)).tracks.first)
    #expect(track.sampleDuration == 6000)
  }

  @Test func `a program stream without packets is damaged`() throws {
    let error = #expect(throws: ContainerError.self) {
      try MPEGProgramStream(ArraySource(MadeFile.pack + zeros(100)))
    }
    #expect(error?.description == "The file has no video or audio packets.")
    #expect(throws: ContainerError.self) {
      try MPEGProgramStream(ArraySource(MadeFile.sequenceHeader))
    }
  }

  /// Each packet has a stream of its own, and none has parameters.
  @Test func `a program stream of many streams is bounded`() throws {
    let packets = (0..<100_000).flatMap { (index: Int) -> [UInt8] in
      let identifier = UInt8(0xC0 + index % 0x30)
      return [0, 0, 1, identifier] + be16(8) + [0x80, 0x80, 5, 0x21, 0, 1, 0, 1]
    }
    let source = CountingSource(MadeFile.pack + packets)
    let movie = try MPEGProgramStream(source).movie
    #expect(movie.streams.count <= 64)
    #expect(source.bytesRead < 5 << 20)
  }

  @Test(arguments: [0, 1, 2, 3, 0xFFFF])
  func `lengths of packets are bounded`(length: Int) throws {
    let packet = [0, 0, 1, 0xE0] + be16(length) + [0x80, 0x80, 0xFF]
    let map = [0, 0, 1, 0xBC] + be16(length) + be16(0) + be16(length) + be16(length) + zeros(8)
    let bytes = MadeFile.pack + map + packet + MadeFile.programStream.bytes
    // A packet may contain all that follows.
    let movie = try? MPEGProgramStream(ArraySource(bytes)).movie
    #expect(movie?.streams.count ?? 0 <= 2)
    #expect(movie != nil || length == 0xFFFF)
  }

  // MARK: DV

  @Test func `a DV stream is read`() throws {
    let movie = try DVFile(ArraySource(MadeFile.dv.bytes + zeros(144_000))).movie
    #expect(movie.duration == 0.04)
    #expect(movie.mainVideo?.codec == "dvvideo")
    #expect(movie.mainVideo?.displaySize == PixelSize(width: 1024, height: 576))
    #expect(movie.mainVideo?.frameRate == 25)
    #expect(movie.value("creation_time") == "2003-08-17T12:30:45")
    #expect(movie.mainAudio == nil)
  }

  @Test func `DV clocks that were not set are no date`() throws {
    for date: [UInt8] in [
      [0x62, 0xFF, 0xFF, 0xFF, 0xFF], [0x62, 0xFF, 1, 1, 0x70], [0x62, 0xFF, 0x31, 2, 4],
      [0x62, 0xFF, 0x1A, 1, 4],
    ] {
      var bytes = MadeFile.dv.bytes
      bytes.replaceSubrange(3 * 80 + 3..<3 * 80 + 8, with: date)
      #expect(try DVFile(ArraySource(bytes)).movie.value("creation_time") == nil)
    }
  }

  @Test func `damaged DV headers are named`() throws {
    let cut = #expect(throws: ContainerError.self) {
      try DVFile(ArraySource(Array(MadeFile.dv.bytes.dropLast(1))))
    }
    #expect(cut?.description == "The file is truncated: it ends within its header.")
    let unknown = #expect(throws: ContainerError.self) {
      try DVFile(ArraySource(MadeFile.dvBytes(signal: 0x0B)))
    }
    #expect(unknown?.description == "The file has an unknown DV profile.")
  }

  // MARK: Movies without a header

  @Test func `a movie without a header is named`() throws {
    let start = box("ftyp", Array("isom".utf8) + be32(512))
    let whole = start + box("mdat", zeros(100))
    #expect(try ISOMovie.missingHeader(in: ArraySource(whole)) == .unfinished)
    #expect(try ISOMovie.missingHeader(in: ArraySource(Array(whole.dropLast(3)))) == .truncated)
    // FFmpeg reads a header that was overwritten with `free`.
    let hidden = whole + box("free", box("mvhd", zeros(100)))
    #expect(try ISOMovie.missingHeader(in: ArraySource(hidden)) == nil)
    let inner = whole + box("udta", box("moov", zeros(100)))
    #expect(try ISOMovie.missingHeader(in: ArraySource(inner)) == nil)
    #expect(try ISOMovie.missingHeader(in: ArraySource(MadeFile.clip)) == nil)
  }

  @Test func `a header without tracks is recognised`() throws {
    let header = box("mvhd", zeros(100))
    #expect(try ISOMovie(ArraySource(box("moov", header))).hasNoTracks)
    #expect(
      try ISOMovie(ArraySource(box("moov", header + box("udta", box("trak", []))))).hasNoTracks
        == false)
    #expect(try ISOMovie(ArraySource(box("moov", box("cmov", zeros(8))))).hasNoTracks == false)
    #expect(try ISOMovie(ArraySource(MadeFile.clip)).hasNoTracks == false)
  }
}
