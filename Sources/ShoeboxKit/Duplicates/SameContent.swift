import Catalog

extension PhotoLibrary {
  /// The assets whose files all have the content of another asset's files, by the digests of the last scan. Hard links
  /// count too: they have one content.
  ///
  /// - Returns: for each row a number, which is that of all assets with the same content. Assets that share only some
  ///   content, such as a live photo and its picture alone, are left out.
  nonisolated package func sameContent() throws -> [Int64: Int] {
    let owners = try read { try $0.copyOwners() }
    var groups: [Set<CopyFile.Content>: [Int64]] = [:]
    for owner in owners where owner.files.allSatisfy(\.file.content.isKnown) {
      groups[Set(owner.files.map(\.file.content)), default: []].append(owner.asset)
    }
    var numbers: [Int64: Int] = [:]
    for (number, group) in groups.values.enumerated() where group.count > 1 {
      for asset in group { numbers[asset] = number }
    }
    return numbers
  }
}

extension CopyFile.Content {
  /// Whether the digest of the content is known.
  fileprivate var isKnown: Bool {
    if case .digest = self { true } else { false }
  }
}
