import Catalog
import Linux
import MediaModel
import Verifier

/// Finds files of the library that have the content of a file of the source. Files on the source do not count as copies,
/// even if the catalog contains them, or links to them.
struct KnownContent {
  let catalog: Catalog
  /// The folder that is imported into: its files come first.
  let root: BytePath
  /// The folders that are imported.
  private let sources: [BytePath]
  /// Called with bytes that were read; false ends the reading.
  let progress: (Int) -> Bool
  /// The media of the source.
  private let files: [BytePath]
  /// Their identities, and those of the files that they link to.
  private lazy var identities = Set(files.compactMap { Self.identity(of: $0) })
  private var digests: [BytePath: [UInt8]?] = [:]
  /// For each file of the source without a place, a file that the catalog has with its size and fingerprint, and that is
  /// not there.
  private(set) var absent: [BytePath: BytePath] = [:]

  init(
    _ catalog: Catalog, _ request: ImportRequest, _ contents: SourceContents,
    progress: @escaping (Int) -> Bool
  ) {
    (self.catalog, self.progress) = (catalog, progress)
    (root, sources) = (request.root, request.sources)
    files = contents.groups.flatMap { $0.media.map(\.path) }
  }

  /// The paths of files with a file's content, those in the root first. Size and fingerprint select the candidates; the
  /// SHA-256 of all of the content decides.
  mutating func places(of file: ImportableFile) throws -> [BytePath] {
    let candidates = try catalog.candidates(for: file).filter { !isOnSource($0.path) }
    guard !candidates.isEmpty, let digest = digest(of: file.path) else { return [] }
    var places: [BytePath] = []
    for candidate in candidates where self.digest(of: candidate) == digest {
      places.append(candidate.path)
    }
    if places.isEmpty, file.fingerprint != nil {
      absent[file.path] =
        candidates.first { candidate in
          Self.isAbsent(candidate.path) && (candidate.digest ?? digest) == digest
        }?.path
    }
    return places.sorted {
      ($0.isWithin(root) ? 0 : 1, $0) < ($1.isWithin(root) ? 0 : 1, $1)
    }
  }

  /// Whether two files have the same content. A file that cannot be read has not.
  mutating func areEqual(_ first: BytePath, _ second: BytePath) -> Bool {
    guard let size = try? FileStatus(of: first).stamp.size,
      size == (try? FileStatus(of: second).stamp.size), let digest = digest(of: first)
    else { return false }
    return digest == self.digest(of: second)
  }

  /// Whether a path leads to the source, by a symbolic link, a hard link or a bind mount.
  private mutating func isOnSource(_ path: BytePath) -> Bool {
    let paths = [path] + ((try? path.resolved()).map { [$0] } ?? [])
    if sources.contains(where: { source in paths.contains { $0.isWithin(source) } }) { return true }
    return Self.identity(of: path).map { identities.contains($0) } ?? false
  }

  private static func isAbsent(_ path: BytePath) -> Bool {
    do throws(SystemError) {
      _ = try FileStatus(of: path, followingLinks: true)
      return false
    } catch {
      return error.isNotFound
    }
  }

  /// Device and inode; nil if there is no such file.
  private static func identity(of path: BytePath) -> FolderIdentity? {
    (try? FileStatus(of: path, followingLinks: true))?.folderIdentity
  }

  /// The digest of a library's file: that of a verification if the file is as it was then.
  private mutating func digest(of candidate: ContentCandidate) -> [UInt8]? {
    guard let status = try? FileStatus(of: candidate.path, followingLinks: true) else { return nil }
    if let digest = candidate.digest, status.stamp.size == candidate.stamp.size,
      status.stamp.modified == candidate.stamp.modified
    {
      return digest
    }
    return digest(of: candidate.path)
  }

  /// Nil if it cannot be read.
  mutating func digest(of path: BytePath) -> [UInt8]? {
    if let known = digests[path] { return known }
    let digest: [UInt8]?
    do {
      let file = try ReadOnlyFile(path: path)
      digest = try ContentReading.digest(of: file, progress: progress)
    } catch {
      digest = nil
    }
    digests[path] = digest
    return digest
  }
}
