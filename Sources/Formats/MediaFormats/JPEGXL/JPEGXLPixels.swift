import ByteReading

/// The boxes of a JPEG XL file that its decoder receives.
package enum JPEGXLPixels {
  /// `brob` boxes are compressed ones of other types (ISO/IEC 18181-2).
  private static let metadata: Set<FourCC> = ["Exif", "xml ", "brob"]
  private static let hidden: [UInt8] = Array("free".utf8)

  /// Renames the boxes with metadata, so that the decoder skips them. No byte moves.
  ///
  /// Since version 8, libavcodec copies each value of EXIF, as ``WebPPixels`` describes.
  ///
  /// - Parameter content: a whole file. A bare codestream stays as it is.
  package static func hideMetadata(in content: inout [UInt8]) {
    guard content.hasText("JXL ", at: 4) else { return }
    var position = 0
    while let size = content.u32(at: position), let type = content.fourCC(at: position + 4) {
      if metadata.contains(type) {
        content.replaceSubrange((position + 4)..<(position + 8), with: hidden)
      }
      // The size 1 is followed by one of 64 bits; 0 is the rest of the file.
      let stated = size == 1 ? content.u64(at: position + 8) : UInt64(size)
      guard let length = stated, length >= 8, let count = Int(exactly: length),
        let next = position.adding(count)
      else { return }
      position = next
    }
  }
}
