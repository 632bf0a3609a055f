import ByteReading
import MediaEdits
package import MediaFormats
package import MediaModel
import WorkerProtocol

/// An image sequence: frames in a track of a HEIF or AVIF file (ISO/IEC 23008-12 §7).
package struct ImageSequence {
  /// The track that is shown.
  package let track: ISOTrack
  /// Whether another track holds transparency or depth of the frames.
  package let hasAuxiliaryTrack: Bool
  /// The ID of the track with the transparency of the frames; nil if there is none of their size.
  package let alphaTrack: UInt32?

  /// - Returns: nil where no track holds frames that are shown.
  init?(_ movie: ISOMovie) {
    let frames = movie.tracks.filter { $0.width > 0 && $0.height > 0 && $0.handler != "auxv" }
    guard let track = frames.first(where: { $0.handler == "pict" }) ?? frames.first
    else { return nil }
    self.track = track
    let auxiliaries = movie.tracks.filter { $0.handler == "auxv" }
    hasAuxiliaryTrack = !auxiliaries.isEmpty
    alphaTrack =
      auxiliaries.first { other in
        other.width == track.width && other.height == track.height
          && other.sampleEntries.contains {
            $0.auxiliaryType?.hasPrefix("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha") == true
          }
      }?.id
  }

  /// How the coded frames must be turned.
  package var orientation: Orientation {
    track.orientation ?? .up
  }

  /// The frames' size as a person sees it, in pixels.
  package var uprightSize: PixelSize {
    orientation.upright(PixelSize(width: track.width, height: track.height))
  }
}

extension HEIFContainer {
  /// Whether the file holds an image sequence and no still picture. A still picture has priority.
  package var isSequenceOnly: Bool { hasSequence && displaySize == nil }
}

extension MediaFile {
  /// The image sequence of a file without a still picture.
  ///
  /// - Throws: ``ProbeFailure`` where there is none; ``ContainerError``.
  package func imageSequence() throws -> ImageSequence {
    guard let found = ImageSequence(try ISOMovie(WindowedSource(self))) else {
      throw ProbeFailure(
        .damaged, "The file contains neither a still picture nor the frames of an image sequence.")
    }
    return found
  }
}
