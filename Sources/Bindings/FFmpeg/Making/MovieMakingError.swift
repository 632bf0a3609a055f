/// Why a movie could not be made.
package enum MovieMakingError: Error, Sendable, Hashable {
  /// The source is cut off: where it ends, and where it should, in seconds.
  case endsEarly(at: Double, of: Double)
  /// So many of the frames that were looked at are damaged.
  case damaged(frames: Int, of: Int)
  /// Nothing could be got out of a track.
  case empty
  /// No picture is left of a picture's track, as where a part is wanted in which none is shown.
  case noPicture
  /// The rendering names a track that the source has not.
  case noSuchTrack(Int)
  /// FFmpeg's name of the codec of a track of which nothing can be decoded.
  case undecodable(String)
  /// FFmpeg's name of the codec that this build cannot decode.
  case noDecoder(String)
  /// FFmpeg's name of the encoder that this build has not.
  case noEncoder(String)
  /// Dolby Vision without a base layer that others can show.
  case noBaseLayer
  /// The codec that the container has no place for.
  case notForContainer(codec: String)
  /// The `errno` of a failed write.
  case cannotWrite(errno: Int32)
  /// What was being done, as the end of "cannot", and FFmpeg's word for why not.
  case failed(String, AudioVideoError)
}

/// Names what is being done in the error that `body` throws.
func doing<Value>(
  _ action: String, _ body: () throws(AudioVideoError) -> Value
) throws(MovieMakingError) -> Value {
  do {
    return try body()
  } catch {
    throw .failed(action, error)
  }
}
