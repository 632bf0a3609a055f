import CFFmpeg
import MediaModel

extension MovieFile {
  /// Packets of an image sequence that are read to find its first frame.
  private static let maximumSequencePackets = 400

  /// Decodes the first frame that a track shows. The frame has its coded size and is not turned.
  ///
  /// Frames that an edit list hides are skipped, unless the edit list hides all of them.
  ///
  /// - Parameter id: the track's ID, from its `tkhd` box.
  /// - Throws: ``AudioVideoError`` where FFmpeg does not know the track or its codec, and where no frame can be
  ///   decoded.
  package func firstFrame(ofTrack id: UInt32) throws(AudioVideoError) -> DecodedStill {
    guard let context = unsafe context, let index = streamIndex(ofTrack: id),
      let stream = unsafe stream(index)
    else { throw AudioVideoError(reason: .unsupported, detail: "No frames") }
    for other in 0..<streamCount where other != index {
      unsafe context.pointee.streams[other]?.pointee.discard = AVDISCARD_ALL
    }
    let decoder = try unsafe PosterDecoder(stream)
    let (track, packets) = (Int32(index), Self.maximumSequencePackets)
    if unsafe !decoder.decodeFirstShown(from: context, track: track, packets: packets) {
      decoder.restart()
      unsafe av_seek_frame(context, track, 0, AVSEEK_FLAG_BACKWARD)
      try unsafe decoder.decode(from: context, track: track, packets: packets)
    }
    return try decoder.still()
  }
}
