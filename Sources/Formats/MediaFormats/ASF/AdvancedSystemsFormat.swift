import ByteReading
package import MediaModel

/// Advanced Systems Format: Windows Media Video.
package enum AdvancedSystemsFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [.windowsMediaVideo]

  /// Nil for audio.
  package static func recognize(_ head: FileHead) -> UniformType? {
    guard head.bytes.hasBytes(ASFIdentifier.header.bytes) else { return nil }
    let hasVideo = head.bytes.firstIndex(of: ASFIdentifier.video.bytes) != nil
    return hasVideo || head.fileExtension != "wma" ? .windowsMediaVideo : nil
  }
}
