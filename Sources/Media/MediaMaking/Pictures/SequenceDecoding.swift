import ByteReading
import Color
import FFmpeg
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import WorkerProtocol

extension MediaFile {
  private func sequenceFile(readsPackets: Bool) throws(AudioVideoError) -> MovieFile {
    let source = WindowedSource(self)
    return try MovieFile(
      .quickTime, size: count, readsPackets: readsPackets, read: source.bytes(at:count:))
  }

  /// Describes the first frame of an image sequence.
  func describeSequence(_ type: UniformType) throws -> PictureDescription {
    let sequence = try imageSequence()
    var found = PictureDescription(
      uprightSize: sequence.uprightSize, isTransparent: sequence.alphaTrack != nil,
      hasMorePictures: sequence.track.sampleCount > 1,
      isSequenceFrame: true)
    do throws(AudioVideoError) {
      let file = try sequenceFile(readsPackets: true)
      let index = file.streamIndex(ofTrack: sequence.track.id)
      guard let track = file.description(type).tracks.first(where: { $0.index == index }) else {
        found.obstacle = "FFmpeg here cannot read the frames of this image sequence."
        return found
      }
      found.bitDepth = track.bitDepth ?? 8
      found.dynamicRange = track.dynamicRange
      if !track.isDecodable {
        found.obstacle = "FFmpeg here cannot decode \(track.codec ?? "this image sequence")."
      }
      return found
    } catch {
      throw ProbeFailure(still: error)
    }
  }

  /// Decodes the first frame of an image sequence. The result's notes name what is left out.
  func decodeSequence() throws -> DecodedPicture {
    let sequence = try imageSequence()
    let frame = try sequenceFile(readsPackets: false).firstFrame(ofTrack: sequence.track.id)
    var picture = DecodedPicture(
      raster: frame.raster, orientation: sequence.orientation,
      sampling: frame.sampling, primaries: frame.primaries, transfer: frame.transfer,
      notes: ["Exported the first frame of an image sequence."])
    if let alpha = sequence.alphaTrack,
      let opacity = try? sequenceFile(readsPackets: false).firstFrame(ofTrack: alpha).raster,
      opacity.size == picture.raster.size
    {
      let isDeep = picture.raster.layout.isDeep
      picture.raster = Transparency.combined(
        try picture.raster.converted(to: isDeep ? .rgb16 : .rgb8),
        try opacity.converted(to: isDeep ? .gray16 : .gray8))
    }
    if sequence.hasAuxiliaryTrack, !picture.raster.layout.hasAlpha {
      picture.notes.append("The sequence's transparency or depth is left out.")
    }
    return picture
  }
}
