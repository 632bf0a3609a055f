import MediaModel

extension ExportItem {
  /// What a person should know of edits that are only instructions: Shoebox does not carry them out, so the result shows
  /// the original. One sentence; nil if there are none, if there is an edited version, or if the original was asked for.
  ///
  /// Called when the files have their names.
  func missingEdits(_ request: ExportRequest) -> String? {
    guard fate == .make, request.edits != .original, subject.edited.isEmpty,
      let instructions = asset.editInstructions, !instructions.adjustments.isEmpty,
      let result = madeFiles.first(where: { $0.part == subject.original.main })
    else { return nil }
    let edits = instructions.adjustments.map(Adjustment.text).joined(separator: ", ")
    let name = result.target.split(separator: "/").last.map(String.init) ?? result.target
    // An edited video is an asset of its own, which may or may not be there.
    let reason =
      asset.mediaType == .video
      ? "Shoebox does not carry out edits" : "the edited version is not in the library"
    return "The edits in \(readableName(instructions.path.lastComponent)) (\(edits)) are not in "
      + "\(name), because \(reason)."
  }
}
