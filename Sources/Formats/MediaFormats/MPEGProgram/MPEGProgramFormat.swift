import ByteReading
package import MediaModel

/// MPEG-1 and MPEG-2 program streams, and bare MPEG video.
package enum MPEGProgramStreamFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [.mpeg]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasBytes([0, 0, 1, 0xBA]) || head.bytes.hasBytes([0, 0, 1, 0xB3]) ? .mpeg : nil
  }
}
