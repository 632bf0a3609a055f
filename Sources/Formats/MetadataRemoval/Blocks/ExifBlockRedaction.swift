import ByteReading
package import MediaEdits
import MediaFormats
package import MediaModel

/// Removes metadata from an EXIF block.
///
/// A block begins with its TIFF header. Nothing in it moves, because MakerNotes contain offsets from that header.
package enum ExifBlockRedaction {
  /// A block of the same length without the metadata that a policy removes; zeros for a block that cannot be read.
  ///
  /// - Parameter depth: the number of files that the block is inside of.
  package static func removing(
    _ policy: MetadataPolicy, from block: [UInt8], depth: Int = 1
  ) -> [UInt8] {
    guard let tiff = try? TIFFFile(ArraySource(block)),
      let redaction = try? TIFFRedaction.find(policy, in: tiff, depth: depth)
    else { return [UInt8](repeating: 0, count: block.count) }
    return redaction.applied(to: block)
  }

  /// Does the same for a block that may follow the name `Exif` and two zeros, as some programs write it in WebP, PNG
  /// and JPEG 2000.
  static func removing(_ policy: MetadataPolicy, fromNamed content: [UInt8]) -> [UInt8] {
    let skip = content.hasText("Exif\0\0") ? 6 : 0
    return content.prefix(skip) + removing(policy, from: content.bytes(from: skip))
  }

  /// Does the same for a block in the `Exif` item of a HEIF or the `Exif` box of a JPEG XL. Bytes in front of the block
  /// that could record a place become zeros, except for its offset.
  ///
  /// - Returns: nil if the block cannot be found.
  static func removing(_ policy: MetadataPolicy, fromItem content: [UInt8]) -> [UInt8]? {
    guard let block = tiffBlock(inExifItem: content) else { return nil }
    var lead = Array(content.dropLast(block.count))
    if policy.removes(data: lead) {
      for index in lead.indices.dropFirst(4) { lead[index] = 0 }
    }
    return lead + removing(policy, from: block, depth: 1)
  }

  /// The orientation that a block records; nil if it records none.
  package static func orientation(_ block: [UInt8]) -> Orientation? {
    guard let tiff = try? TIFFFile(ArraySource(block)),
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let value = try? tiff.unsigned(TIFFTag.orientation, in: main)
    else { return nil }
    return UInt8(exactly: value).flatMap(Orientation.init(rawValue:))
  }
}
