import GRDB
import MediaModel

/// The versions of the program's readers, by the uniform type that they read.
///
/// What a reader found in a file is kept as long as the file stays as it is. When a reader finds more than before,
/// its version grows, and the next scan reads the files of this type again, and no others.
enum ReaderVersion {
  /// The version of a reader that has never changed since the first release.
  private static let first = 1

  /// Readers that have changed.
  private static let changed: [UniformType: Int] = [:]

  /// The version of recognition itself: of a file that is neither media nor a sidecar, or that cannot be read. It
  /// grows when a new format is supported.
  static let recognition = first

  /// The key of ``recognition`` in the table `readers`, which is no uniform type.
  private static let recognitionKey = ""

  static func of(_ type: UniformType) -> Int { changed[type] ?? first }

  /// The versions that differ from ``first``, and that of recognition, as the table `readers` keeps them.
  fileprivate static var stored: [String: Int] {
    var versions = Dictionary(
      uniqueKeysWithValues: changed.map { ($0.key.rawValue, $0.value) })
    versions[recognitionKey] = recognition
    return versions
  }
}

extension CatalogTransaction {
  /// Marks the files that an earlier version of a reader has read, so that this scan reads them again.
  ///
  /// - Parameter versions: the present ones by uniform type; a type without one has version 1.
  package func markOutdatedFiles() throws {
    try markOutdatedFiles(versions: ReaderVersion.stored)
  }

  func markOutdatedFiles(versions: [String: Int]) throws {
    let known = Dictionary(
      try rows("SELECT uniform_type, version FROM readers") { row -> (String, Int) in
        (row[0], row[1])
      }, uniquingKeysWith: { $1 })
    let changed = versions.filter { known[$0.key] != $0.value }
    guard !changed.isEmpty else { return }
    for (type, version) in changed {
      let files =
        type.isEmpty
        ? "kind = 'other' OR error IS NOT NULL"
        : """
        id IN (SELECT assets.id FROM assets JOIN origins ON origins.id = origin_id
          WHERE origins.uniform_type = ?2)
          OR id IN (SELECT file_id FROM sidecars WHERE kind IN (\(Self.sidecarKinds(of: "?2"))))
        """
      let arguments: StatementArguments = type.isEmpty ? [version] : [version, type]
      try execute(
        """
        UPDATE files SET reader_version = 0
        WHERE reader_version NOT IN (0, ?1) AND missing_since IS NULL AND (\(files))
        """, arguments)
      try execute("INSERT OR REPLACE INTO readers VALUES (?, ?)", [type, version])
    }
    try execute(
      """
      UPDATE folders SET digest = NULL
      WHERE id IN (SELECT folder_id FROM files WHERE reader_version = 0)
      """)
  }

  /// The kinds of sidecars that a uniform type means, as SQL.
  private static func sidecarKinds(of type: String) -> String {
    let kinds = [SidecarKind.adjustmentData, .xmp, .takeoutJSON, .albumJSON]
    return kinds.map { "iif(\(type) = '\($0.uniformType.rawValue)', '\($0.name)', '')" }
      .joined(separator: ", ")
  }
}
