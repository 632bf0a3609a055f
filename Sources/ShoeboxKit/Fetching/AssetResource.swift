import Catalog
import Linux
import MediaModel
public import SystemPackage

/// One of the files, or parts of a file, that an asset consists of, as `PHAssetResource` is on Apple's systems.
public struct AssetResource: Sendable, Hashable, Codable {
  /// The role of a resource in its asset, in PhotoKit's words.
  public enum ResourceType: String, Sendable, Hashable, Codable, CaseIterable {
    /// The picture.
    case photo
    /// The video.
    case video
    /// The clip of a live or motion photo.
    case pairedVideo
    /// Another picture of the shot: the JPEG of a RAW, or the RAW of a JPEG.
    case alternatePhoto
    /// The edited picture.
    case fullSizePhoto
    /// Apple's instructions for an edit (AAE).
    case adjustmentData
    /// Facts in a file of their own: XMP or a Takeout's JSON.
    case sidecar
  }

  /// Its role in the asset.
  public let type: ResourceType
  /// Its file.
  public var path: FilePath { codedPath.path }
  private let codedPath: CodedPath
  /// The uniform type of its content.
  public let uniformType: String
  /// Bytes of the resource itself.
  public let size: Int64
  /// The bytes of the file that it consists of; nil for the whole file.
  public let range: Range<Int64>?
  /// For ``ResourceType/adjustmentData``: the edits that it records and that are switched on, such as `crop` and
  /// `filter`, in the words of `docs/recognition.md`. Empty for other resources, and if the instructions cannot be
  /// read. Edits that have no such word keep the name that Photos gives them, and instructions of another program are
  /// one word, the identifier of their format.
  public let adjustments: [String]

  /// The keys in JSON: those of the properties.
  private enum CodingKeys: String, CodingKey {
    /// Facts.
    case type, uniformType, size, range, adjustments
    /// The path, which is a text.
    case codedPath = "path"
  }

  init(_ resource: ResourceRecord) {
    type = ResourceType(rawValue: resource.type.rawValue) ?? .sidecar
    codedPath = CodedPath(FilePath(resource.path))
    uniformType = resource.uniformType.rawValue
    size = resource.size
    range = resource.range.map { $0.offset..<($0.offset + $0.length) }
    adjustments = resource.adjustments
  }
}

/// Why an asset is of a kind, or not quite.
public struct Evidence: Sendable, Hashable, Codable {
  /// The kind.
  public let label: MediaSubtypes
  /// The evidence, a phrase: the tag, the name or the size that was found.
  public let source: String
  /// Whether the asset is of the kind; false if the evidence was not enough.
  public let isGiven: Bool

  static func list(_ labels: [Label]) -> [Evidence] {
    labels.flatMap { label in
      label.evidence.map {
        Evidence(label: MediaSubtypes(label.subtype), source: $0, isGiven: label.isGiven)
      }
    }
  }
}
