import MediaModel

/// The priority of a sidecar among those of one file: the least comes first. A user's programs write XMP, so it precedes the
/// JSON of Takeout, and that the JSON of Ente. Of one kind, a sidecar with the whole name of the file (`a.jpg.xmp`) precedes
/// one that has only its stem (`a.xmp`).
struct SidecarPriority: Comparable {
  private let kind: Int
  private let hasStemOnly: Bool
  private let name: [UInt8]

  /// - Parameter owner: the name of the file that the sidecar describes.
  init(_ sidecar: FamilySidecar, ofFile owner: [UInt8]) {
    kind =
      switch sidecar.facts.kind {
      case .adjustmentData: 0
      case .xmp: 1
      case .takeoutJSON, .albumJSON: sidecar.facts.isEntes ? 3 : 2
      }
    hasStemOnly = folded(FileNameParts(name: sidecar.name).stem) == folded(nameStem(owner))
    name = sidecar.name
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.kind != right.kind { return left.kind < right.kind }
    if left.hasStemOnly != right.hasStemOnly { return right.hasStemOnly }
    return left.name.lexicographicallyPrecedes(right.name)
  }
}

extension SidecarFacts {
  fileprivate var isEntes: Bool { captureTime?.source.hasPrefix("ente:") == true }
}

extension [SidecarFacts] {
  /// The index of the sidecar whose capture time applies: unlike other facts, that of JSON has priority. Google and Ente store
  /// the time of capture, whereas programs also write dates of edits into XMP.
  ///
  /// The sidecars are in the order of their priority.
  package var indexOfTime: Int? {
    firstIndex { $0.kind == .takeoutJSON && $0.captureTime != nil }
      ?? firstIndex { $0.captureTime != nil }
  }
}
