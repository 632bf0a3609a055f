package import MediaEdits
package import MediaModel

/// What an export will do: a value that can be printed and then carried out.
package struct ExportPlan: Sendable, Hashable {
  /// In the order of their sources' paths.
  package var items: [ExportItem]
  /// The results of other assets in the target that may contain metadata which this export removes, by their paths below the
  /// target.
  package var remainingResults: [String] = []
}

extension ExportPlan {
  /// What a user who has metadata removed should know, a sentence each.
  ///
  /// Names that come from the library's folders and files may name a place, and stay. So do results of other assets.
  package func warnings(of request: ExportRequest) -> [String] {
    var warnings: [String] = []
    let removes = items.contains { $0.fate == .make && $0.metadata.contains(.withoutLocation) }
    if removes, request.template?.takesNamesOfSources ?? true {
      warnings.append(
        "folder and file names stay and may name a place: "
          + "`shoebox export --name '{captureDate:yyyy/MM}/{index:4}{ext}'` makes other names")
    }
    if let first = remainingResults.first {
      let policy = request.imageMetadata.union(request.videoMetadata)
      let what = policy == .appearanceOnly ? "metadata" : policy.removedText
      let others = remainingResults.count - 1
      let names =
        others == 0
        ? "\(first) stays" : "\(first) and \(others) other\(others == 1 ? "" : "s") stay"
      warnings.append(
        "\(names) in the target and may still contain \(what), because this export does not include "
          + "the asset\(others == 0 ? "" : "s"): remove what you do not want to pass on")
    }
    return warnings
  }
}

/// What an export does with one asset.
package struct ExportItem: Sendable, Hashable {
  package enum Fate: Sendable, Hashable {
    /// Its files are made.
    case make
    /// They are left as they are.
    case skip(SkipReason)
    /// Nothing can be made of it; why, one sentence.
    case fail(String)
  }

  package var subject: ExportSubject
  /// The preset's name.
  package var preset: String
  package var fate: Fate
  /// What is made, or for a skipped item what is there: a picture before its clip.
  package var files: [PlannedFile]
  /// The metadata that is exported.
  package var metadata: MetadataPolicy
  /// What a person should know of the choice of its files, a sentence each.
  package var notes: [String] = []
  /// Why it is exported again; empty for an asset that was never exported, and for one that stays.
  package var changes: [ResultChange] = []

  package var asset: AssetRecord { subject.asset }

  /// The files that are made; those of an earlier export that stay are not among them.
  var madeFiles: [PlannedFile] { files.filter { $0.decision.work != .keep } }

  /// The part of the picture that is exported; nil for all of it.
  package var crop: CropRect? {
    files.lazy.compactMap { file in
      if case .render(.picture(_, let rendering), _) = file.decision.work {
        rendering.crop
      } else {
        nil
      }
    }.first
  }
}

/// Why an asset is skipped, a phrase.
package enum SkipReason: Sendable, Hashable, CustomStringConvertible {
  /// The last scan could not read it, and the user did not name it.
  case unreadable(String)
  /// The result of an earlier export is up to date.
  case unchanged
  /// A result exists; without `--update` it is not compared.
  case present
  /// A result of another source or other settings exists, and `--update` was not given.
  case outdated
  /// The result was changed in the target, and `--update` was not given.
  case changed
  /// The result was changed in the target, so `--update` keeps it.
  case keptChange
  /// A result exists without a proof in the record: another catalog, or a version of Shoebox without proofs,
  /// exported it.
  case unproven
  /// An export into the same target has made it. Otherwise each export would export the results of the one before.
  case ownResult

  package var description: String {
    switch self {
    case .unreadable(let error): error
    case .unchanged: "unchanged"
    case .present: "already exported"
    case .outdated: "the target has an older or different version: --update replaces it"
    case .changed: "the target file was changed"
    case .unproven: "the target file was not exported from this catalog: --overwrite replaces it"
    case .ownResult: "an export into this folder has made it"
    case .keptChange: "the target file was changed: --overwrite replaces it"
    }
  }

  /// Whether a person may want to repeat the export with the flag that it names.
  package var isUnusual: Bool { [.outdated, .keptChange, .unproven].contains(self) }
}

/// A file that an export makes.
package struct PlannedFile: Sendable, Hashable {
  package var part: ExportPart
  package var decision: FileDecision
  /// Below the target's folder, with `/` between folders.
  package var target: String
  /// Whether a file of that name that an earlier export made gives way.
  package var replacesOwn: Bool
  /// The clip that is appended to this picture, which becomes a motion photo.
  package var clip: AppendedClip?
  /// For an XMP file: the extension of the result that it describes, with its dot.
  var describedExtension: String?
}

/// A clip that becomes a part of its picture's file.
package struct AppendedClip: Sendable, Hashable {
  package var part: ExportPart
  package var decision: FileDecision
}

/// What was done with an item or a file, in the manifest's words, from the least to the most.
package enum ExportAction: String, Sendable, CaseIterable {
  case skipped, copied, remuxed, transcoded, failed
}

extension FileDecision {
  /// What carrying it out does.
  package var action: ExportAction {
    switch work {
    case .keep: .skipped
    case .render(.copy, _) where livePhoto != nil || removesGainMap: .remuxed
    case .copy, .describe, .render(.copy, _): .copied
    case .render(.picture, _): .transcoded
    case .render(.movie(let rendering), _):
      rendering.tracks.allSatisfy { $0.work == .copy } ? .remuxed : .transcoded
    }
  }
}

extension ExportItem {
  /// What carrying it out does: of several files, the most.
  package var action: ExportAction {
    switch fate {
    case .skip: .skipped
    case .fail: .failed
    case .make:
      files.flatMap { [$0.decision.action] + [$0.clip?.decision.action].compactMap(\.self) }
        .max { $0.weight < $1.weight } ?? .skipped
    }
  }

  /// Why it is not made; nil if it is.
  package var reason: String? {
    switch fate {
    case .make: nil
    case .skip(let reason): reason.description
    case .fail(let reason): reason
    }
  }
}

extension ExportAction {
  fileprivate var weight: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
