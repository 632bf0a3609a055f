import ByteReading
package import MediaModel

/// MPEG-2 transport streams, as broadcast and as AVCHD camcorders write them.
package enum MPEGTransportStreamFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [.mpeg2TransportStream, .avchd]

  package static func recognize(_ head: FileHead) -> UniformType? {
    MPEGTransportPackets(head: head.bytes).map { $0.stride == 192 ? .avchd : .mpeg2TransportStream }
  }
}
