package import MediaEdits
package import MediaModel
import MetadataTransfer

/// An XMP file with what the catalog knows of an asset, as digiKam, exiftool and Lightroom read it.
///
/// Properties and their forms: XMP specification part 1 (ISO 16684-1), part 2 (Adobe's schemas, EXIF), and the
/// Metadata Working Group's schema of collections. People are in the IPTC's property and in digiKam's keywords, a
/// favorite is in F-Stop's property, which PhotoPrism reads, and has digiKam's flag "accepted".
package struct XMPSidecar: Sendable, Hashable {
  /// UTF-8.
  package let bytes: [UInt8]

  /// A digest of the content, by which a later export notices that the catalog knows something else by now.
  var settings: String { "xmp " + String(FNV1a(bytes).value, radix: 16) }

  /// - Parameters:
  ///   - asset: with its keywords and people.
  ///   - source: the file that the described result is made from.
  ///   - policy: what is left out. With captions go the title and the description, with the location the coordinates
  ///     and the albums, whose names may be those of places. The source's name goes with either.
  package init(_ asset: AssetRecord, source: BytePath, _ policy: MetadataPolicy) {
    bytes = CatalogXMP.packet(CatalogFacts(asset, source: source, policy))
  }
}
