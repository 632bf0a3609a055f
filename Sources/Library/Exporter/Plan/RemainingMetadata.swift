import MediaEdits
import MediaModel

// Earlier results that may contain metadata which an export removes. They are not skipped silently: a person who removes
// locations must not find one in the target afterwards.

extension ExportPlanner {
  /// Why an earlier result may contain metadata that this export removes; nil if it does not.
  ///
  /// - Parameter states: of its files.
  func metadataError(
    _ subject: ExportSubject, _ states: [EarlierResult.State]
  ) -> String? {
    guard let what = removedContent(of: subject.asset) else { return nil }
    if let other = target.retainedFile(of: subject, request) {
      return
        "\(other) of an earlier export exists and may still \(what): remove it, or export that "
        + "file too (--live-photo pair, --edits both, --sidecars xmp)."
    }
    let gone = target.filesOfGoneParts(of: subject, request)
    if !gone.isEmpty {
      let (verb, pronoun) = gone.count == 1 ? ("exists", "it") : ("exist", "them")
      return
        "\(gone.joined(separator: ", ")) of an earlier export \(verb) and may still \(what), and "
        + "the source is no longer part of the asset: remove \(pronoun)."
    }
    for state in states {
      switch (request.replacement, state) {
      case (.never, .outdated):
        return "An earlier export may still \(what): use --update to replace it."
      case (.never, .altered), (.outdated, .altered):
        return "The target file was changed and may still \(what): "
          + "--overwrite replaces it."
      case (.never, .unproven), (.outdated, .unproven):
        return "The target file was not exported from this catalog and may still \(what): "
          + "--overwrite replaces it."
      default: continue
      }
    }
    return nil
  }

  /// What results must not contain, as part of a sentence; nil if no metadata is removed.
  private func removedContent(of asset: AssetRecord) -> String? {
    let policy = asset.mediaType == .image ? request.imageMetadata : request.videoMetadata
    guard policy != .keep else { return nil }
    return "contain " + (policy == .appearanceOnly ? "metadata" : policy.removedText)
  }

  /// Fails the item if earlier results that may contain metadata which this export removes would stay beside its own,
  /// which have other names.
  func failIfKeepingMetadata(_ item: inout ExportItem) {
    guard item.fate == .make, let what = removedContent(of: item.subject.asset) else { return }
    let names = item.files.map(\.target)
    let others = target.filesUnderOtherNames(of: item.subject, request, names: Set(names))
    guard let first = others.first else { return }
    let (verb, pronoun) = others.count == 1 ? ("exists", "it") : ("exist", "them")
    item.fate = .fail(
      "\(others.joined(separator: ", ")) of an earlier export \(verb) and may still \(what), and "
        + "\(names.first ?? first) would not replace \(pronoun): remove \(pronoun).")
    item.files = []
  }
}
