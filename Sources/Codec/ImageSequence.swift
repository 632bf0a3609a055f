import AudioVideo
import CodecMessages
import Containers
import MediaModel

/// An image sequence: frames in a track of a HEIF or AVIF file (ISO/IEC 23008-12 §7).
struct ImageSequence {
  /// The track that is shown.
  let track: ISOTrack
  /// Whether another track holds transparency or depth of the frames.
  let hasAuxiliaryTrack: Bool

  /// - Returns: nil where no track holds frames that are shown.
  init?(_ movie: ISOMovie) {
    let frames = movie.tracks.filter { $0.width > 0 && $0.height > 0 && $0.handler != "auxv" }
    guard let track = frames.first(where: { $0.handler == "pict" }) ?? frames.first
    else { return nil }
    self.track = track
    hasAuxiliaryTrack = movie.tracks.contains { $0.handler == "auxv" }
  }

  /// How the coded frames must be turned.
  var orientation: Orientation {
    track.quarterTurns.flatMap { Orientation(clockwiseQuarterTurns: $0) } ?? .up
  }

  /// The frames' size as a person sees it, in pixels.
  var uprightSize: PixelSize {
    orientation.upright(PixelSize(width: track.width, height: track.height))
  }
}

extension HEIFFile {
  /// Whether the file holds an image sequence and no still picture. A still picture has priority.
  var isSequenceOnly: Bool { hasSequence && displaySize == nil }
}

extension MediaFile {
  /// The image sequence of a file without a still picture.
  ///
  /// - Throws: ``ProbeFailure`` where there is none; ``ContainerError``.
  private func imageSequence() throws -> ImageSequence {
    guard let found = ImageSequence(try ISOMovie(WindowedSource(self))) else {
      throw ProbeFailure(
        .damaged, "The file contains neither a still picture nor the frames of an image sequence.")
    }
    return found
  }

  private func sequenceFile(readsPackets: Bool) throws(AudioVideoError) -> MovieFile {
    let source = WindowedSource(self)
    return try MovieFile(
      .quickTime, size: count, readsPackets: readsPackets, read: source.bytes(at:count:))
  }

  /// Describes the first frame of an image sequence.
  func describeSequence(_ type: UniformType) throws -> PictureDescription {
    let sequence = try imageSequence()
    var found = PictureDescription(
      uprightSize: sequence.uprightSize, hasMorePictures: sequence.track.sampleCount > 1,
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
      sampling: frame.raster.layout.sampling, primaries: frame.primaries, transfer: frame.transfer,
      notes: ["Exported the first frame of an image sequence."])
    if sequence.hasAuxiliaryTrack {
      picture.notes.append("The sequence's transparency or depth is left out.")
    }
    return picture
  }
}
