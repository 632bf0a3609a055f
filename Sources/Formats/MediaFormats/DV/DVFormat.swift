import ByteReading
package import MediaModel

/// DV as camcorders record it, without a container.
package enum DVFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [.dv]

  package static func recognize(_ head: FileHead) -> UniformType? {
    guard head.bytes.hasBytes([0x1F, 0x07, 0]), let mode = head.bytes.u8(at: 3),
      mode & 0x7F == 0x3F
    else { return nil }
    return .dv
  }
}
