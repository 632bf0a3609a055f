import ByteReading
package import MediaModel

// Movies that only FFmpeg reads: Shoebox has no reader of their structure.

/// Advanced Systems Format: Windows Media Video.
package enum AdvancedSystemsFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [.windowsMediaVideo]

  /// Nil for audio.
  package static func recognize(_ head: FileHead) -> UniformType? {
    guard head.bytes.hasBytes(headerIdentifier) else { return nil }
    let hasVideo = head.bytes.firstIndex(of: videoIdentifier) != nil
    return hasVideo || head.fileExtension != "wma" ? .windowsMediaVideo : nil
  }

  /// The object identifier of the file's header, as stored.
  private static let headerIdentifier: [UInt8] = [
    0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
  ]
  /// The identifier of the stream type video, as stored.
  private static let videoIdentifier: [UInt8] = [
    0xC0, 0xEF, 0x19, 0xBC, 0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD, 0x00, 0x80, 0x5F, 0x5C, 0x44, 0x2B,
  ]
}

/// Flash Video.
package enum FlashVideoFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [.flashVideo]

  package static func recognize(_ head: FileHead) -> UniformType? {
    head.bytes.hasText("FLV\u{1}") ? .flashVideo : nil
  }
}

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
