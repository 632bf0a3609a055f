package import Catalog
import Exporter
import Linux
package import MediaModel
import Query

/// Files that belong together and get their names together: a picture with its clip, RAW, edited version and sidecars.
package struct ImportGroup: Sendable {
  /// Pictures and videos, also damaged ones; by path.
  package var media: [ImportableFile]
  /// Sidecars, by path.
  package var companions: [ImportableFile]
  /// The asset that gives the group its name.
  package var lead: AssetRecord

  package var files: [ImportableFile] { media + companions }
}

/// What is on a source.
package struct SourceContents: Sendable {
  /// In the order of capture, those without a time last.
  package var groups: [ImportGroup]
  /// Files that are neither media nor belong to one, and what a camera has derived from its clips.
  package var left: [BytePath]

  /// - Parameter catalog: that of a scan of the source alone.
  /// - Throws: ``CatalogError``.
  package init(_ catalog: Catalog) throws {
    let files = try catalog.importableFiles().filter { !isDerivedByCamera($0.path) }
    var others: [BytePath] = []
    var companions: [ImportableFile] = []
    let known = Set(files.lazy.filter { $0.kind != .other }.map(\.path))
    for folder in try catalog.folderPaths() {
      // A folder that cannot be read was reported by the scan.
      guard let open = try? OpenFolder(folder), let entries = try? open.names() else { continue }
      for entry in entries where entry.kind == .regular && entry.name.first != UInt8(ascii: ".") {
        let path = folder.appending(entry.name)
        if known.contains(path) { continue }
        if isCompanion(entry.name), let status = try? open.status(of: entry.name),
          status.kind == .regular
        {
          companions.append(
            ImportableFile(id: 0, path: path, stamp: status.stamp, kind: .other, fingerprint: nil))
        } else {
          others.append(path)
        }
      }
    }
    var assets: [Int64: AssetRecord] = [:]
    try catalog.forEachAsset(matching: .init(), with: .all) { assets[$0.rowID] = $0 }
    let grouping = Grouping(
      files.filter { $0.kind != .other }, companions, links: try catalog.fileLinks(), assets)
    groups = grouping.groups
    left = (others + grouping.left).sorted()
  }
}

/// Whether a file is a thumbnail or proxy that a Sony camera has made of a clip, by its folder: `M4ROOT/THMBNL` and
/// `M4ROOT/SUB`.
func isDerivedByCamera(_ path: BytePath) -> Bool {
  let folders = path.components.dropLast().suffix(2).map { readableName($0).caseFolded }
  return folders == ["m4root", "thmbnl"] || folders == ["m4root", "sub"]
}

/// Finds which files belong together.
struct Grouping {
  private(set) var groups: [ImportGroup] = []
  /// Sidecars of nothing.
  private(set) var left: [BytePath] = []

  private struct StemInFolder: Hashable {
    var folder: BytePath
    var stem: String
  }

  /// - Parameters:
  ///   - files: media and sidecars that a scan knows.
  ///   - companions: those that it does not.
  ///   - links: files that the scan has found to belong together.
  ///   - assets: by the row of their file.
  init(
    _ files: [ImportableFile], _ companions: [ImportableFile], links: [(Int64, Int64)],
    _ assets: [Int64: AssetRecord]
  ) {
    let all = (files + companions).sorted { $0.path < $1.path }
    var sets = DisjointSets()
    var indices: [Int64: Int] = [:]
    var stems: [StemInFolder: Int] = [:]
    for (index, file) in all.enumerated() {
      if file.id != 0 { indices[file.id] = index }
      let key = StemInFolder(
        folder: file.path.parent, stem: commonStem(file.path.lastComponent))
      if let first = stems[key] { sets.join(first, index) } else { stems[key] = index }
    }
    for (first, second) in links {
      if let first = indices[first], let second = indices[second] { sets.join(first, second) }
    }
    let members = Dictionary(grouping: all.indices) { sets.smallest(with: $0) }
    for indices in members.values {
      let files = indices.map { all[$0] }
      let media = files.filter { $0.kind == .media }
      let listed = media.compactMap { assets[$0.id] }
      guard let lead = listed.min(by: Self.leads) else {
        left += files.map(\.path)
        continue
      }
      groups.append(
        ImportGroup(media: media, companions: files.filter { $0.kind != .media }, lead: lead))
    }
    groups.sort { left, right in
      (left.lead.captureWall ?? .max, left.lead.path) < (
        right.lead.captureWall ?? .max, right.lead.path
      )
    }
  }

  /// Pictures before videos, what has a time before what has none.
  private static func leads(_ left: AssetRecord, _ right: AssetRecord) -> Bool {
    func rank(_ asset: AssetRecord) -> (Int, Int) {
      (asset.captureWall == nil ? 1 : 0, asset.mediaType == .image ? 0 : 1)
    }
    return rank(left) == rank(right) ? left.path < right.path : rank(left) < rank(right)
  }
}
