package import MediaModel

extension AssetFilter {
  /// Everything the filter requires, flags and expressions alike.
  package var requirements: [Condition] {
    var required: [Condition] = []
    func requireAny(_ parts: [Condition]) {
      if parts.count == 1 { required.append(parts[0]) }
      if parts.count > 1 { required.append(.any(parts)) }
    }
    func require(_ attribute: Attribute, _ relation: Relation, _ value: Double?) {
      guard let value else { return }
      required.append(.comparison(attribute, .number(relation, value)))
    }
    func requireAny(_ attribute: Attribute, _ relation: TextRelation, _ texts: [String]) {
      requireAny(texts.map { .comparison(attribute, .text(relation, $0)) })
    }
    if areDuplicates { required.append(.type(.duplicates)) }
    if isMissing { required.append(.missing) }
    requireAny(types.map(Condition.type))
    required += excludedTypes.map { .not(.type($0)) }
    if let since { required.append(.comparison(.captureDate, .date(.atLeast, since))) }
    if let until { required.append(.comparison(.captureDate, .date(.atMost, until))) }
    if let addedSince { required.append(.comparison(.addedDate, .date(.atLeast, addedSince))) }
    requireAny(.name, .like, names)
    requireAny(.camera, .contains, cameras)
    requireAny(.lens, .contains, lenses)
    requireAny(.album, .equal, albums)
    if let hasLocation {
      required.append(hasLocation ? .has(.location) : .not(.has(.location)))
    }
    require(.size, .atLeast, minimumSize.map(Double.init))
    require(.size, .atMost, maximumSize.map(Double.init))
    require(.duration, .atLeast, minimumDuration)
    require(.duration, .atMost, maximumDuration)
    requireAny(folders.map(Condition.under))
    requireAny(places)
    requireAny(searches.map(Condition.search))
    requireAny(expressions)
    for other in others {
      required += other.requirements
    }
    return required.flatMap(\.simplified.requirements)
  }

  /// Whether missing assets are requested: by the flag, an expression or a saved search.
  package var wantsMissing: Bool { requirements.contains(.missing) }

  /// Whether `missing`, which selects missing assets instead of present ones, occurs only where it applies to the
  /// whole listing, not as one of several expressions.
  package var canBeAsked: Bool {
    (expressions.count < 2 || !expressions.contains(where: \.isMissing))
      && others.allSatisfy(\.canBeAsked)
  }
}

extension AssetFilter {
  /// All folders that it names, those in expressions and saved searches too.
  package var namedFolders: [BytePath] {
    folders + expressions.flatMap { $0.folders(where: { _ in true }) }
      + others.flatMap(\.namedFolders)
  }

  /// The folders that it leaves out, as `not under "/trash"` does.
  package var excludedFolders: [BytePath] {
    expressions.flatMap { $0.folders(where: { $0 }) } + others.flatMap(\.excludedFolders)
  }
}

extension Condition {
  /// The folders in it.
  ///
  /// - Parameters:
  ///   - isNegated: whether the condition is inside an odd number of `not`s.
  ///   - isWanted: whether folders inside an odd (true) or even number of `not`s are wanted.
  fileprivate func folders(
    isNegated: Bool = false, where isWanted: (Bool) -> Bool
  ) -> [BytePath] {
    switch self {
    case .all(let parts), .any(let parts):
      parts.flatMap { $0.folders(isNegated: isNegated, where: isWanted) }
    case .not(let part): part.folders(isNegated: !isNegated, where: isWanted)
    case .under(let folder): isWanted(isNegated) ? [folder] : []
    default: []
    }
  }
}
