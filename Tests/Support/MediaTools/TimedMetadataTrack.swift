// Timed metadata of cameras, which ffmpeg does not make.

/// A box (ISO/IEC 14496-12 §4.2).
private func isoBox(_ type: String, _ content: [UInt8]) -> [UInt8] {
  bigEndian(content.count + 8) + Array(type.utf8) + content
}

/// A track of timed metadata in a movie that ffmpeg has made, in the form of GoPro's cameras.
package struct TimedMetadataTrack {
  package var samples: [[UInt8]]
  /// Thousandths of a second that each sample lasts.
  package var duration: Int
  /// Thousandths of a second after which the track begins.
  package var delay = 0
  /// The type of the sample entry.
  package var entry = "gpmd"
  package var name = "GoPro MET"
  /// The number of sample entries.
  package var entries = 1
  /// The track that it describes.
  package var reference = 1
  /// Whether the samples are in this file.
  package var isInFile = true

  package init(samples: [[UInt8]], duration: Int) {
    self.samples = samples
    self.duration = duration
  }

  fileprivate func box(at offset: Int, id: Int) -> [UInt8] {
    let zeros = { [UInt8](repeating: 0, count: $0) }
    let (one, count) = (bigEndian(1), bigEndian(samples.count))
    let entry = isoBox(entry, zeros(6) + bigEndian(1, 2) + zeros(4))
    var tables = isoBox(
      "stsd", zeros(4) + bigEndian(entries) + [[UInt8]](repeating: entry, count: entries).joined())
    tables += isoBox("stts", zeros(4) + one + count + bigEndian(duration))
    tables += isoBox("stsc", zeros(4) + one + one + count + one)
    tables += isoBox("stsz", zeros(8) + count + samples.flatMap { bigEndian($0.count) })
    tables += isoBox("stco", zeros(4) + one + bigEndian(offset))
    let length = samples.count * duration
    let handler =
      zeros(4) + Array("mhlrmeta".utf8) + zeros(12) + [UInt8(name.utf8.count)] + Array(name.utf8)
    let link = isoBox("alis", bigEndian(isInFile ? 1 : 0))
    let media = isoBox(
      "mdia",
      isoBox("mdhd", zeros(12) + bigEndian(1000) + bigEndian(length) + zeros(4))
        + isoBox("hdlr", handler)
        + isoBox(
          "minf",
          isoBox("gmhd", isoBox("gmin", zeros(16)) + isoBox("gpmd", []))
            + isoBox("dinf", isoBox("dref", zeros(4) + one + link)) + isoBox("stbl", tables)))
    let edits =
      bigEndian(delay) + bigEndian(-1) + bigEndian(0x10000) + bigEndian(length) + zeros(4)
      + bigEndian(0x10000)
    let header =
      bigEndian(15) + zeros(8) + bigEndian(id) + zeros(4) + bigEndian(delay + length) + zeros(60)
    return isoBox(
      "trak",
      isoBox("tkhd", header)
        + (delay > 0 ? isoBox("edts", isoBox("elst", zeros(4) + bigEndian(2) + edits)) : [])
        + isoBox("tref", isoBox("cdsc", bigEndian(reference))) + media)
  }

  /// A payload of GPMF with one position of GPS (github.com/gopro/gpmf-parser).
  ///
  /// - Parameter latitude: in whole degrees. The longitude is 20°.
  package static func position(latitude: Int) -> [UInt8] {
    func item(_ key: String, _ type: UInt8, _ size: Int, _ content: [UInt8]) -> [UInt8] {
      Array(key.utf8) + [type, UInt8(size)] + bigEndian(content.count / size, 2) + content
    }
    let scales = [10_000_000, 10_000_000, 1000, 1000, 100].flatMap { bigEndian($0) }
    let values = [latitude * 10_000_000, 20 * 10_000_000, 5000, 0, 0].flatMap { bigEndian($0) }
    let long = UInt8(ascii: "l")
    let stream = item("SCAL", long, 4, scales) + item("GPS5", long, 20, values)
    return item("DEVC", 0, 1, item("STRM", 0, 1, stream))
  }
}

extension ScratchFolder {
  /// Adds a track of timed metadata to a movie whose timescale is 1000.
  ///
  /// - Throws: ``ToolFailure`` for a movie whose `moov` box is not its last one.
  package func add(_ track: TimedMetadataTrack, to name: String) throws {
    try addTrack(to: name, media: track.samples.flatMap(\.self)) { track.box(at: $0, id: 9) }
  }

  /// Adds a track to a movie that ffmpeg has made.
  ///
  /// - Parameters:
  ///   - media: its samples.
  ///   - box: makes its `trak` box for samples at an offset, which does not change its length.
  /// - Throws: ``ToolFailure`` for a movie whose `moov` box is not its last one.
  func addTrack(to name: String, media: [UInt8], box: (_ offset: Int) -> [UInt8]) throws {
    var movie = try bytes(name)
    var position = 0
    var header = 0..<0
    while position + 8 <= movie.count {
      let size = movie[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8 else { break }
      header = position..<position + size
      position += size
    }
    guard movie[header].dropFirst(4).prefix(4) == ArraySlice("moov".utf8) else {
      throw ToolFailure(description: "\(name) has a box after its header")
    }
    let length = box(0).count
    movie += box(movie.count + length + 8)
    movie.replaceSubrange(
      header.lowerBound..<header.lowerBound + 4, with: bigEndian(header.count + length))
    try write(movie + isoBox("mdat", media), to: name)
  }
}
