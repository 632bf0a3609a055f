import ByteReading
package import MediaModel

/// AVI, a movie in RIFF chunks.
package enum AVIFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [.avi]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasText("RIFF") && head.bytes.hasText("AVI ", at: 8) ? .avi : nil
  }
}
