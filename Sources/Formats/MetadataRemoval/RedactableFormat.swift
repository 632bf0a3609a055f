package import ByteReading
package import MediaEdits
import MediaFormats
package import MediaModel

/// A format whose files can be copied without some of their metadata, without re-encoding them.
protocol RedactableFormat: MediaFormat {
  /// The changes that remove metadata from a copy of a file.
  ///
  /// - Throws: ``RedactionRefusal`` for a file from which the metadata cannot be removed reliably;
  ///   ``ContainerError`` for a damaged file; the errors of the source.
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction
}

extension Redaction {
  /// The changes that make a copy of a file conform to a policy.
  ///
  /// - Throws: ``RedactionRefusal`` if the file's type or structure requires re-encoding; ``ContainerError`` for a
  ///   damaged file; the errors of the source.
  package static func of(
    _ type: UniformType, _ source: any ByteSource, _ policy: MetadataPolicy
  ) throws -> Redaction {
    guard policy != .keep else { return Redaction() }
    if policy == .appearanceOnly, type.isRaw {
      throw RedactionRefusal(
        "A RAW file cannot be developed without its metadata; export it as a picture instead.")
    }
    guard let format = type.format as? any RedactableFormat.Type else {
      throw RedactionRefusal(type, policy)
    }
    return try format.redaction(policy, type, source)
  }
}

extension RedactionRefusal {
  fileprivate init(_ type: UniformType, _ policy: MetadataPolicy) {
    let metadata = policy.removedText
    let pronoun = metadata.hasSuffix("captions") ? "them" : "it"
    let remedy =
      type.mediaType == .video
      ? "; the video preset `compatible` makes a new video without \(pronoun)" : ""
    self.init("Shoebox cannot remove \(metadata) from files of type \(type.rawValue)\(remedy).")
  }
}
