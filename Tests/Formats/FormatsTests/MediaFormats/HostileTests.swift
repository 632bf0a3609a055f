import ByteReading
import Foundation
import MediaFormats
import MediaModel
import SeededRandom
import Testing

/// Every reader must process every file without a trap or a hang. Any result is accepted.
struct HostileTests {
  /// Passes bytes to every reader.
  private func readAll(_ bytes: [UInt8]) throws {
    let source = WindowedSource(ArraySource(bytes))
    let jpeg = try attempt { try JPEGFile(source) }
    _ = try jpeg?.end(in: source)
    _ = try jpeg?.extendedXMP(from: source)
    let heif = try attempt { try HEIFContainer(source) }
    _ = try heif?.exif(from: source)
    var xmp = try heif?.xmp(from: source) ?? jpeg?.xmp
    _ = (heif?.displaySize, heif?.bitsPerChannel, heif?.auxiliaryTypes, heif?.codedColor?.matrix)
    let movie = try attempt { try ISOMovie(source) }
    _ = (movie?.seconds, movie?.stillImageTime, movie?.isSpatial, movie?.tracks.map(\.rate))
    _ = try attempt { try ISOStillImageTime.read(source) }
    if let canon = movie?.canonRaw { _ = try CompactExif.block(of: canon) }
    for body in [
      { _ = try PNGFile(source) }, { _ = try GIFFile(source) }, { _ = try WebPFile(source) },
      { _ = try BMPFile(source) }, { _ = try JPEGXLFile(source) },
      { _ = try JPEG2000File(source) }, { _ = try RAFFile(source) }, { _ = try MRWFile(source) },
      { _ = try CRWFile(source) }, { _ = try X3FFile(source) },
      { _ = try AVIFile(source).movie }, { _ = try MatroskaFile(source).movie },
      { _ = try MPEGTransportStream(source).movie }, { _ = try MPEGProgramStream(source).movie },
      { _ = try ASFFile(source).movie }, { _ = try FlashVideoFile(source).movie },
      { _ = try DVFile(source).movie }, { _ = try ISOMovie.missingHeader(in: source) },
    ] as [() throws -> Void] {
      try attempt(body)
    }
    if let tiff = try attempt({ try TIFFFile(source) }) {
      for type in [UniformType.tiff, .dng, .canonCR2, .panasonicRW2] {
        let picture = try attempt { try TIFFPicture(tiff, type: type) }
        xmp = xmp ?? picture?.xmp
      }
      if let block = try CompactExif.block(of: tiff) { #expect(block.count <= 0xFFFE - 6) }
    }
    if let exif = jpeg?.exif, let tiff = try attempt({ try TIFFFile(ArraySource(exif)) }) {
      _ = try CompactExif.block(of: tiff)
    }
    let packet = xmp.flatMap(XMPPacket.init)
    _ = (packet?.location, packet?.keywords, packet?.containerItems)
    let trailer = try SamsungTrailer(source)
    _ = try trailer?.captureMilliseconds(in: source)
    _ = try EmbeddedClipSearch.find(
      in: source, xmp: packet, trailer: trailer, jpeg: jpeg, heif: heif)
    _ = IPTCRecords(jpeg?.iptc ?? bytes)?.keywords
    _ = AppleMakerNote(Array("Apple iOS\0\0\u{1}MM".utf8) + bytes)?.tags
    _ = XMPPacket(bytes)
    for name in ["", "nef", "xmp"] { _ = try ContentType(of: source, fileExtension: name) }
  }

  /// The value, or nil if the reader throws a ``ContainerError``.
  @discardableResult
  private func attempt<Value>(_ body: () throws -> Value) throws -> Value? {
    do { return try body() } catch is ContainerError { return nil }
  }

  @Test(.enabled(if: Corpus.isPresent), .timeLimit(.minutes(5)), arguments: ["hostile", "library"])
  func `all corpus files are read`(of folder: String) throws {
    let corpus = try #require(Corpus.shared)
    let files = corpus.files(in: folder)
    #expect(files.count > 600)
    for file in files {
      let start = ContinuousClock.now
      try readAll(Array(try Data(contentsOf: file)))
      let taken = ContinuousClock.now - start
      #expect(taken < .seconds(30), "\(file.lastPathComponent) took \(taken)")
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: MadeFile.all + MadeFile.movies)
  func `files with cuts and flipped bits are read`(of file: MadeFile) throws {
    var random = SeededGenerator(seed: 20_260_116)
    for length in stride(from: 0, to: file.bytes.count, by: 5) {
      try readAll(Array(file.bytes.prefix(length)))
    }
    for _ in 0..<400 {
      var bytes = file.bytes
      for _ in 0..<(1 + Int(random.next() % 6)) {
        let place = Int(random.next() % UInt64(bytes.count))
        let extremes: [UInt8] = [0, 0xFF, 0x7F, 0x80]
        bytes[place] =
          random.next() % 2 == 0
          ? extremes[Int(random.next() % 4)] : UInt8(truncatingIfNeeded: random.next())
      }
      try readAll(bytes)
    }
  }
}
