import Linux
import MediaModel
import SystemPackage
import WorkerPool
import WorkerProtocol

/// One piece of metadata in a file, as the file has it.
public struct MetadataTag: Sendable, Hashable, Codable {
  /// The block that contains it: `EXIF IFD0`, `EXIF GPS`, `Apple`, `XMP`, `IPTC`, `QuickTime` …
  public let group: String
  /// Its name in that block.
  public let name: String
  /// Its value as text. It is from a file and may contain any characters.
  public let value: String

  /// A piece of metadata.
  public init(group: String, name: String, value: String) {
    (self.group, self.name, self.value) = (group, name, value)
  }
}

extension PhotoLibrary {
  /// All metadata in the main file of an asset, which a worker reads.
  ///
  /// - Throws: ``PhotoLibraryError/noAsset(_:)``, ``PhotoLibraryError/unreadable(path:reason:)``,
  ///   ``PhotoLibraryError/workersMissing(searched:)``, ``PhotoLibraryError/cancelled``.
  nonisolated public func metadata(
    of id: Asset.ID
  ) async throws(PhotoLibraryError) -> [MetadataTag] {
    guard let asset = try await record(id) else { throw .noAsset(id) }
    guard asset.status == .present else {
      throw .unreadable(
        path: FilePath(asset.path), reason: asset.error ?? "The file is missing.")
    }
    let reply: InspectReply
    do {
      reply = try await startedWorkers().inspect(asset.path)
    } catch {
      throw PhotoLibraryError(error, catalog: configuration.catalog)
    }
    // Cancellation ends the worker, which looks like a crash.
    if Task.isCancelled { throw .cancelled }
    switch reply {
    case .tags(let tags):
      return tags.map { MetadataTag(group: $0.group, name: $0.name, value: $0.value) }
    case .failed(let failure):
      throw .unreadable(path: FilePath(asset.path), reason: failure.message)
    case .passedOn: return []
    }
  }
}
