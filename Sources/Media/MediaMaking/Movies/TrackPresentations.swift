import ByteReading
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import MetadataRemoval
import MetadataTransfer

extension MovieRendering {
  /// How each track of the result is presented: as in the source, as far as that is right for its frames.
  ///
  /// - Parameters:
  ///   - reading: of the source.
  ///   - trackIDs: the source track of each track of the result.
  func presentations(
    _ reading: MovieReading, _ trackIDs: [UInt32], _ source: any ByteSource,
    _ policy: MetadataPolicy
  ) throws -> [TrackPresentation] {
    let known = reading.boxes == nil ? [:] : try TrackPresentation.tracks(of: source, policy)
    return zip(tracks, trackIDs).map { track, id in
      let streams = reading.movie.streams
      let stream = streams.indices.contains(track.index) ? streams[track.index] : nil
      var presentation = known[id] ?? TrackPresentation()
      switch track.work {
      case .copy: break
      case .encodeVideo:
        presentation = presentation.encoded(isTurned: (stream?.orientation ?? .up) != .up)
      case .encodeAudio, .encodeSubtitles: presentation = presentation.encoded(isTurned: false)
      }
      presentation.language =
        if let boxes = reading.boxes {
          boxes.tracks.first { $0.id == id }?.language
        } else {
          stream?.metadata.first { $0.key == "language" }
            .flatMap { TrackLanguage(name: $0.value) }
        }
      if let tag = presentation.language?.tag, policy.removes(text: Array(tag.utf8)) {
        presentation.language?.tag = nil
      }
      return presentation
    }
  }
}
