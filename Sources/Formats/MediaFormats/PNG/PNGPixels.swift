import ByteReading

/// Which chunks of a PNG its decoder is given.
package enum PNGPixels {
  /// What the pixels need, and the short chunks about their colours.
  private static let needed: Set<FourCC> = [
    "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "sBIT", "sRGB", "gAMA", "cHRM", "cICP",
  ]
  /// A private ancillary chunk (PNG specification, third edition, §5.4), which decoders skip.
  private static let hidden: [UInt8] = Array("skIp".utf8)
  /// Chunks that are looked at: more than a file of the largest size that is decoded has in practice.
  private static let maximumChunks = 1_000_000

  /// Renames all chunks that the pixels do not need, so that the decoder skips them.
  ///
  /// libavcodec inflates texts and profiles without a limit while it decodes: 3 MB of a file can become
  /// gigabytes. Our own reader has taken them by then, with limits. The chunks' checksums are not changed;
  /// libavcodec does not look at them.
  ///
  /// - Parameter content: a whole file; what comes after a chunk that is cut off stays as it is.
  package static func hideOthers(in content: inout [UInt8]) {
    var position = 8
    for _ in 0..<maximumChunks {
      guard let length = content.u32(at: position), let type = content.fourCC(at: position + 4)
      else { return }
      if !needed.contains(type) {
        content.replaceSubrange((position + 4)..<(position + 8), with: hidden)
      }
      if type == "IEND" { return }
      position += 12 + Int(length)
    }
    // Whatever follows so many chunks is not read.
    content.removeSubrange(min(position, content.count)...)
  }
}
