public import Foundation
import Linux
import MediaModel
import SystemPackage

/// One asset as a file of its own, as `loadTransferable` gives it on Apple's systems. The file is removed when the last
/// reference to this object is released: copy or send it before. Only this user can read it there.
public final class TransferredFile: Sendable {
  /// The file: the picture or video, or of a live photo the picture.
  public let url: URL
  /// The uniform type of the file.
  public let uniformType: String
  /// A name for the file where it goes, from the name in the library.
  public let filename: String
  /// The clip of a live photo, if the representation has both parts; removed with ``url``.
  public let pairedVideo: URL?

  private let folder: TemporaryFolders.Part

  init(
    _ item: ExportedItem, in folder: TemporaryFolders.Part
  ) throws(PhotoLibraryError) {
    guard let main = item.files.first, item.error == nil else {
      throw .unreadable(path: item.asset.path, reason: item.error ?? "Nothing can be made of it.")
    }
    self.folder = folder
    url = URL(filePath: main.string)
    pairedVideo = item.pairedVideo.flatMap { $0 == main ? nil : URL(filePath: $0.string) }
    filename = main.lastComponent?.string ?? ""
    let type = UniformType(fileExtension: FileNameParts(name: Array(filename.utf8)).fileExtension)
    uniformType = type?.rawValue ?? item.asset.uniformType
  }
}

extension PhotoLibrary {
  /// One asset as a file, without a folder to name: for sending it to a client.
  ///
  /// - Parameters:
  ///   - id: the asset.
  ///   - representation: what it becomes.
  /// - Throws: ``PhotoLibraryError``, as ``export(_:as:to:options:)-([Asset.ID],_,_,_)``.
  nonisolated public func data(
    for id: Asset.ID, as representation: Representation = .compatible
  ) async throws(PhotoLibraryError) -> TransferredFile {
    do {
      let folder = try transfers.make()
      let export = try await export([id], as: representation, to: FilePath(folder.url.path))
      guard let item = try await export.report.first else { throw PhotoLibraryError.noAsset(id) }
      return try TransferredFile(item, in: folder)
    } catch {
      throw PhotoLibraryError(error, catalog: configuration.catalog)
    }
  }
}
