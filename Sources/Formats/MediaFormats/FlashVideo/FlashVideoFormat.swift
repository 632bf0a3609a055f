import ByteReading
package import MediaModel

/// Flash Video.
package enum FlashVideoFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [.flashVideo]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasText("FLV\u{1}") ? .flashVideo : nil
  }
}
