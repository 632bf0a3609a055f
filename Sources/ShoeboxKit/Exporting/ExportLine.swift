import Exporter
package import MediaEdits
package import MediaModel

/// One planned or exported asset with all that is reported of it.
package struct ExportLine: Sendable {
  /// The asset.
  package let asset: AssetRecord
  /// The action.
  package let action: ExportAction
  /// The files of the results: a picture before its clip.
  package let files: [BytePath]
  /// The paths of all planned results below the target folder.
  package let targets: [String]
  /// Why it is done so, or is not done, a phrase each.
  package let reasons: [String]
  /// Why the asset is exported again, a phrase each; empty for one that was never exported.
  package let changes: [String]
  /// Why it failed, one sentence.
  package let error: String?
  /// Notes for the user, a sentence each.
  package let notes: [String]
  /// The preset's name.
  package let preset: String
  /// The part of the picture that is exported; nil for all of it.
  package let crop: CropRect?
  /// The metadata that is exported.
  package let metadata: MetadataPolicy
  /// Why it was skipped, if another export may include it.
  package let unusualSkip: String?
  private let parts: [ExportPart]

  /// A line of a plan.
  init(_ item: ExportItem, in target: TargetFolder) {
    var reasons = Self.reasons(item)
    // The export may still fail for these, although they are planned.
    if item.fate == .make, !item.files.allSatisfy(\.decision.wasOpened) {
      reasons.append("not yet examined")
    }
    var error: String?
    if case .fail(let sentence) = item.fate { error = sentence }
    self.init(
      item, item.action, files: item.files.map { target.path(of: $0.target) }, reasons, error,
      notes: item.notes)
  }

  /// A line of a report.
  init(_ outcome: ExportOutcome) {
    self.init(
      outcome.item, outcome.action, files: outcome.made.map(\.path),
      outcome.action == .failed ? [] : Self.reasons(outcome.item), outcome.error,
      notes: outcome.notes)
  }

  private init(
    _ item: ExportItem, _ action: Exporter::ExportAction, files: [BytePath], _ reasons: [String],
    _ error: String?, notes: [String]
  ) {
    asset = item.asset
    self.action = ExportAction(action)
    (self.files, self.reasons, self.error, self.notes) = (files, reasons, error, notes)
    changes = item.fate == .make ? item.changes.map(\.rawValue) : []
    targets = item.files.map(\.target)
    (preset, crop, metadata) = (item.preset, item.crop, item.metadata)
    parts = item.files.map(\.part)
    if case .skip(let reason) = item.fate, reason.isUnusual {
      unusualSkip = reason.description
    } else {
      unusualSkip = nil
    }
  }

  private static func reasons(_ item: ExportItem) -> [String] {
    switch item.fate {
    case .make:
      // Several files may have one reason.
      item.files.flatMap(\.decision.reasons).reduce(into: []) { reasons, reason in
        if !reason.isEmpty, !reasons.contains(reason) { reasons.append(reason) }
      }
    case .skip(let reason): [reason.description]
    case .fail: []
    }
  }

  /// The asset's main result: the picture or video itself, of two versions the edited one; nil if only a clip was
  /// requested.
  package var main: BytePath? { mainIndex.map { files[$0] } }

  /// The clip of that version of a live photo.
  package var clip: BytePath? {
    let version = mainIndex.map { parts[$0].version }
    let index = parts.indices.prefix(files.count).first {
      parts[$0].resource == .pairedVideo && (version == nil || parts[$0].version == version)
    }
    return index.map { files[$0] }
  }

  /// The other results: the original next to its edited version, RAW files, sidecars.
  var others: [(resource: ResourceType, path: BytePath)] {
    zip(parts, files).compactMap { part, path in
      path == main || path == clip ? nil : (part.resource, path)
    }
  }

  /// The source of ``main``, or the asset's main file.
  package var source: BytePath { mainIndex.map { parts[$0].path } ?? asset.path }

  private var mainIndex: Int? {
    let sideshow: [ResourceType] = [.pairedVideo, .adjustmentData, .sidecar]
    return parts.indices.prefix(files.count).first { !sideshow.contains(parts[$0].resource) }
  }
}
