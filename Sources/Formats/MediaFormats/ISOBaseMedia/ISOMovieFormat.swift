package import MediaModel

/// QuickTime, MP4, M4V and 3GPP: movies in boxes (ISO/IEC 14496-12).
package enum ISOMovieFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [
    .quickTimeMovie, .mpeg4, .appleM4V, .threeGPP, .threeGPP2,
  ]

  package static func recognize(_ head: FileHead) -> UniformType? {
    uniformTypes.containing(isoBaseMediaType(head))
  }
}
