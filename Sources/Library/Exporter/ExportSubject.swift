import Linux
package import MediaModel

extension ExportSubject {
  /// An asset with the current sizes and times of its files, without them if another task exports it.
  ///
  /// - Parameters:
  ///   - roots: the library folders, one of which contains the asset.
  ///   - request: which of its files may be exported.
  ///   - isNamed: whether the user named this asset.
  ///   - named: the files of it that the user named.
  package init(
    _ asset: AssetRecord, roots: [BytePath], for request: ExportRequest, isNamed: Bool = false,
    named: Set<BytePath> = []
  ) {
    self.init(asset, roots: roots, isNamed: isNamed, named: named)
    // The files of other tasks' assets are on storage that all tasks share.
    if request.owns(asset) { readStamps(request) }
  }

  private init(
    _ asset: AssetRecord, roots: [BytePath], isNamed: Bool, named: Set<BytePath>
  ) {
    let root = roots.filter { asset.path.isWithin($0) }.max { $0.bytes.count < $1.bytes.count }
    let above = root?.components.count ?? max(0, asset.path.components.count - 1)
    let folder = asset.path.components.dropFirst(above).dropLast()
      .reduce(BytePath(bytes: [])) { $0.appending($1) }
    self.init(asset: asset, folder: folder, stamps: [:], isNamed: isNamed, named: named)
  }

  /// Reads the current sizes and times of its files.
  mutating func readStamps(_ request: ExportRequest) {
    for path in Set(parts(request).map(\.path)) {
      do throws(SystemError) {
        // A scan with --follow-links records links to files.
        let status = try FileStatus(of: path, followingLinks: true)
        if status.kind == .regular { stamps[path] = status.stamp }
      } catch {
        if !error.isNotFound { obstacles[path] = error.reason }
      }
    }
  }
}

/// An asset to export, with the current state of its files.
package struct ExportSubject: Sendable, Hashable {
  package var asset: AssetRecord
  /// Its folder below its root; empty for the root's own.
  package var folder: BytePath
  /// The current sizes and times of its files; files that do not exist are absent.
  package var stamps: [BytePath: FileStamp]
  /// Why the system does not show other files of it, such as `Permission denied`.
  package var obstacles: [BytePath: String] = [:]
  /// Whether the user named this asset: then it is a failure if it cannot be read.
  package var isNamed: Bool
  /// The files of it that the user named: they are exported, whatever versions are asked for. Empty if the
  /// asset was named by its id, or not at all.
  package var named: Set<BytePath>

  package init(
    asset: AssetRecord, folder: BytePath, stamps: [BytePath: FileStamp], isNamed: Bool = false,
    named: Set<BytePath> = []
  ) {
    self.asset = asset
    self.folder = folder
    self.stamps = stamps
    self.isNamed = isNamed
    self.named = named
  }
}

extension ExportSubject {
  /// The capture time in nanoseconds since 1970 UTC, or the file's modification time. A capture time without
  /// a zone counts as UTC, since this machine's zone says nothing about the picture.
  var moment: Int64 {
    guard let wall = asset.captureWall else { return asset.modified }
    let (utc, isTooFar) = wall.subtractingReportingOverflow(
      Int64(asset.captureTime?.offsetMinutes ?? 0) * 60_000)
    let (nanoseconds, isFarther) = utc.multipliedReportingOverflow(by: 1_000_000)
    return isTooFar || isFarther ? asset.modified : nanoseconds
  }

  /// The subject without copies that exports have made: the target's folder is not an album of the asset.
  func without(_ results: Set<BytePath>) -> ExportSubject {
    guard !results.isEmpty, !asset.copiesInAlbums.isEmpty else { return self }
    var subject = self
    subject.asset.copiesInAlbums.removeAll { results.contains($0.path) }
    return subject
  }
}
