package import ByteReading
package import MediaModel

/// Our own readers do not suffice for a file. Only a library that `shoebox-codec` links can read it.
package struct NeedsCodec: Error, Sendable, Hashable {}

/// The readers that use the libraries of `shoebox-codec`, for the files that throw ``NeedsCodec``.
package struct CodecReaders: Sendable {
  /// Reads a picture of a type that was recognised by content.
  package var picture: @Sendable (UniformType, any ByteSource) throws -> PictureReading?

  /// Reads a video of a type that was recognised by content.
  package var movie: @Sendable (UniformType, any ByteSource) throws -> MovieReading

  package init(
    picture: @escaping @Sendable (UniformType, any ByteSource) throws -> PictureReading?,
    movie: @escaping @Sendable (UniformType, any ByteSource) throws -> MovieReading
  ) {
    self.picture = picture
    self.movie = movie
  }
}
