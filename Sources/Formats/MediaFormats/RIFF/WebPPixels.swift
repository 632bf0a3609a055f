import ByteReading

/// The chunks of a WebP that its decoder receives.
package enum WebPPixels {
  private static let metadata: Set<FourCC> = ["EXIF", "XMP "]
  /// A chunk of no meaning, which decoders skip (RFC 9649 §2.7.1.6).
  private static let hidden: [UInt8] = Array("JUNK".utf8)

  /// Renames the chunks with EXIF and XMP, so that the decoder skips them. No byte moves.
  ///
  /// libavcodec copies each value of EXIF into a dictionary as text: in 5 MB of a file, 60,000 values that share their bytes
  /// become gigabytes. ``WebPFile`` reads both with limits.
  ///
  /// - Parameter content: a whole file. What follows a chunk that is cut off stays as it is; decoders ignore it.
  package static func hideMetadata(in content: inout [UInt8]) {
    var position = 12
    while let type = content.fourCC(at: position),
      let size = content.u32(at: position + 4, .little)
    {
      if metadata.contains(type) {
        content.replaceSubrange(position..<(position + 4), with: hidden)
      }
      position += 8 + Int(size) + Int(size & 1)
    }
  }
}
