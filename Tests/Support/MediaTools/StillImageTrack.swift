// The timed metadata of a Live Photo's clip, which no program here can write.

/// A box (ISO/IEC 14496-12 §4.2).
private func isoBox(_ type: String, _ content: [UInt8]) -> [UInt8] {
  bigEndian(content.count + 8) + Array(type.utf8) + content
}

private func isoBox(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
  bigEndian(content.count + 8) + type + content
}

/// A `trak` box as iPhones write it: a sample of `mebx` at a moment of the movie, with the keys `still-image-time` and
/// `live-photo-still-image-transform-reference-dimensions` (QuickTime File Format, "Timed metadata").
///
/// - Parameters:
///   - moment: in thousandths of a second, which must be the movie's timescale.
///   - offset: of ``stillImageSample`` in the file.
///   - id: the track's number.
///   - isEarly: whether a sample of the track that has no such value precedes, instead of an empty edit.
package func stillImageTrack(
  moment: Int, at offset: Int, id: Int, isEarly: Bool = false
) -> [UInt8] {
  let zeros = { [UInt8](repeating: 0, count: $0) }
  let one = bigEndian(1)
  func key(_ number: Int, _ name: String, _ type: Int) -> [UInt8] {
    isoBox(
      bigEndian(number),
      isoBox("keyd", Array("mdta\(name)".utf8)) + isoBox("dtyp", zeros(4) + bigEndian(type)))
  }
  let keys = isoBox(
    "keys",
    key(1, "com.apple.quicktime.still-image-time", 65)
      + key(
        2, "com.apple.quicktime.live-photo-still-image-transform-reference-dimensions", 71))
  let entry = isoBox("mebx", zeros(6) + bigEndian(1, 2) + keys)
  let size = stillImageSample.count
  let times =
    isEarly
    ? bigEndian(2) + one + bigEndian(moment) + one + one : one + one + one
  var tables = isoBox("stsd", zeros(4) + one + entry) + isoBox("stts", zeros(4) + times)
  tables += isoBox("stsc", zeros(4) + one + one + bigEndian(isEarly ? 2 : 1) + one)
  tables += isoBox(
    "stsz",
    isEarly
      ? zeros(8) + bigEndian(2) + bigEndian(8) + bigEndian(size)
      : zeros(4) + bigEndian(size) + one)
  tables += isoBox("stco", zeros(4) + one + bigEndian(offset - (isEarly ? 8 : 0)))
  let media = isoBox(
    "mdia",
    isoBox(
      "mdhd", zeros(12) + bigEndian(1000) + bigEndian(moment + 1) + bigEndian(0x55C4, 2) + zeros(2))
      + isoBox("hdlr", zeros(4) + Array("mhlrmetaappl".utf8) + zeros(9))
      + isoBox(
        "minf",
        isoBox("gmhd", isoBox("gmin", zeros(4) + bigEndian(0x40, 2) + zeros(10)))
          + isoBox("dinf", isoBox("dref", zeros(4) + one + isoBox("url ", one)))
          + isoBox("stbl", tables)))
  let edits =
    (isEarly || moment == 0 ? [] : bigEndian(moment) + bigEndian(-1) + bigEndian(0x10000))
    + bigEndian(isEarly ? moment + 1 : 1) + zeros(4) + bigEndian(0x10000)
  let list = isoBox("elst", zeros(4) + bigEndian(edits.count / 12) + edits)
  let header = isoBox(
    "tkhd",
    bigEndian(15) + zeros(8) + bigEndian(id) + zeros(4) + bigEndian(moment + 1) + zeros(60))
  return isoBox("trak", header + isoBox("edts", list) + media)
}

/// The sample of ``stillImageTrack(moment:at:id:isEarly:)``: −1, and 1920 × 1440.
package let stillImageSample: [UInt8] =
  isoBox(bigEndian(1), [0xFF])
  + isoBox(bigEndian(2), [0x44, 0xF0, 0, 0, 0x44, 0xB4, 0, 0])

extension ScratchFolder {
  /// Marks a moment of a QuickTime movie that ffmpeg has made as that of a still.
  ///
  /// - Parameters:
  ///   - moment: in thousandths of a second.
  ///   - isEarly: see ``stillImageTrack(moment:at:id:isEarly:)``.
  /// - Throws: ``ToolFailure`` for a movie whose `moov` box is not its last one.
  package func addStillImageTrack(
    to name: String, moment: Int, isEarly: Bool = false
  ) throws {
    let padding = [UInt8](bigEndian(8) + bigEndian(0))
    try addTrack(to: name, media: padding + stillImageSample) { offset in
      stillImageTrack(moment: moment, at: offset + padding.count, id: 9, isEarly: isEarly)
    }
  }
}
