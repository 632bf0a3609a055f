package import MediaModel

/// Assets that are the same, and which of them to keep. Nothing is ever deleted by Shoebox.
package struct DuplicateSet: Sendable {
  /// The rule by which the assets are the same.
  package enum Kind: String, Sendable, CaseIterable {
    /// Their files have the same bytes.
    case exact
    /// Their pictures look the same.
    case similar
  }

  /// One asset of the set.
  package struct Member: Sendable {
    package var asset: AssetRecord
    /// Whether it can go.
    package var isSpare: Bool
    /// How much it looks like the one to keep, 0 to 1.
    package var similarity: Double
    /// The reason why the other asset is kept, as a phrase; nil for the asset that is kept.
    package var reason: String?
    /// Its files that go with it, without sidecars.
    package var files: [File]
  }

  /// A file of a member.
  package struct File: Sendable {
    package var path: BytePath
    /// The file of the kept asset with the same bytes; nil if there is none.
    package var equal: BytePath?
    /// Bytes.
    package var size: Int64
  }

  package var kind: Kind
  /// The asset to keep.
  package var keeper: Member
  /// Why that one: its advantage over the best other one.
  package var reason: String
  /// The others, best first.
  package var spares: [Member]

  package var members: [Member] { [keeper] + spares }
  /// The bytes of the spare assets' files.
  package var reclaimableBytes: Int64 {
    spares.flatMap(\.files).reduce(0) { $0.addingReportingOverflow($1.size).partialValue }
  }
}

/// How far the search for duplicates has come.
package enum DuplicateProgress: Sendable, Hashable {
  /// Small pictures that are made, which the comparison needs.
  case previews(Int, of: Int)
  /// Pictures that are compared with all others.
  case comparing(Int, of: Int)
}
