import ByteReading

/// The chunks of a PNG that its decoder receives.
package enum PNGPixels {
  /// Chunks that the pixels need, and the short chunks about their colours.
  private static let needed: Set<FourCC> = [
    "IHDR", "PLTE", "tRNS", "IDAT", "IEND", "sBIT", "sRGB", "gAMA", "cHRM", "cICP",
  ]
  /// A private ancillary chunk (PNG specification, third edition, §5.4), which decoders skip.
  private static let hidden: [UInt8] = Array("skIp".utf8)
  /// The number of chunks that are read. Files of the largest size that Shoebox decodes have fewer in practice.
  private static let maximumChunks = 1_000_000

  /// Renames all chunks that the pixels do not need, so that the decoder skips them.
  ///
  /// While it decodes, libavcodec inflates texts and profiles without a limit: 3 MB of a file can become
  /// gigabytes. ``PNGFile`` reads them with limits. The chunks' CRCs stay, because libavcodec does not check them.
  ///
  /// - Parameters:
  ///   - content: a whole file. Bytes after a chunk that is cut off stay as they are.
  ///   - hidesTransparency: whether the `tRNS` chunk is hidden too.
  package static func hideOthers(in content: inout [UInt8], hidesTransparency: Bool = false) {
    var position = 8
    for _ in 0..<maximumChunks {
      guard let chunk = content.pngChunk(at: position) else { return }
      if !needed.contains(chunk.type) || hidesTransparency && chunk.type == "tRNS" {
        content.replaceSubrange((position + 4)..<(position + 8), with: hidden)
      }
      if chunk.type == "IEND" { return }
      position = Int(chunk.end)
    }
    // Chunks after the limit must not reach the decoder either.
    content.removeSubrange(min(position, content.count)...)
  }
}
