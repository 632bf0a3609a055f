import Foundation
import ShoeboxKit

/// A finished rendition. Its file is removed with the last reference to this object.
final class MadeFile: Sendable {
  /// The file.
  let url: URL
  /// A name for the file where it goes.
  let name: String
  /// Bytes.
  let size: Int64
  /// Changes with every rendition: a validator for caches and ranges.
  let tag: String

  private let folder: TemporaryFolders.Part

  init(_ item: ExportedItem, in folder: TemporaryFolders.Part) throws(RenditionFailure) {
    guard let path = item.files.first, item.error == nil else {
      throw RenditionFailure(item.error ?? "The asset has no such part.")
    }
    (url, name, self.folder) = (
      URL(filePath: path.string), path.lastComponent?.string ?? "", folder
    )
    let attributes = try? FileManager.default.attributesOfItem(atPath: path.string)
    guard let size = attributes?[.size] as? Int64 ?? (attributes?[.size] as? Int).map(Int64.init)
    else {
      throw RenditionFailure("The result is no longer there.")
    }
    self.size = size
    tag = "\"\(folder.url.lastPathComponent)\""
  }

  /// Whether the file is still there: some systems delete temporary files that have not been used for days.
  var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

  /// The media type of the content, by the name's extension.
  var mediaType: String { MediaTypeName(fileName: name).text }
}

/// Nothing can be made of an asset.
struct RenditionFailure: Error, CustomStringConvertible {
  /// A sentence. It may contain paths.
  let description: String
  /// Whether a file of the asset is no longer where the last scan found it.
  var isSourceGone = false

  init(_ description: String) { self.description = description }
}
