/// Why a movie could not be made.
package enum MovieMakingError: Error, Sendable, Hashable {
  /// The source is truncated: where it ends, and where it should end, in seconds.
  case endsEarly(at: Double, of: Double)
  /// The number of damaged frames, and of the frames that were checked.
  case damaged(frames: Int, of: Int)
  /// A track contains nothing that can be used.
  case empty
  /// A video track has no frame in the selected part.
  case noPicture
  /// A movie without video has no audio in the selected part.
  case noAudio
  /// The rendering names a track that the source does not have.
  case noSuchTrack(Int)
  /// FFmpeg's name of the codec of a track of which nothing can be decoded.
  case undecodable(String)
  /// FFmpeg's name of the codec that this build cannot decode.
  case noDecoder(String)
  /// FFmpeg's name of the encoder that this build lacks.
  case noEncoder(String)
  /// Dolby Vision without a base layer that other decoders can show.
  case noBaseLayer
  /// A copy of a track would not play, as only its packets show.
  case cannotCopy(track: Int, CopyFault)
  /// The codec that the container does not support.
  case notForContainer(codec: String)
  /// The `errno` of a failed write.
  case cannotWrite(errno: Int32)
  /// What failed, as the end of "cannot", and FFmpeg's reason.
  case failed(String, AudioVideoError)
}

/// Why a track cannot be copied.
package enum CopyFault: Sendable, Hashable {
  /// Its codec configuration changes midway.
  case changesConfiguration
  /// An edit list hides frames in its middle, from which shown ones are decoded.
  case hidesFrames
  /// The container does not record when its frames are shown.
  case lacksTimes
}

/// Adds the name of the current action to the error that `body` throws.
func doing<Value>(
  _ action: String, _ body: () throws(AudioVideoError) -> Value
) throws(MovieMakingError) -> Value {
  do {
    return try body()
  } catch {
    throw .failed(action, error)
  }
}
