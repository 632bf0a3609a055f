import Exporter
public import Foundation
import Linux
import MediaModel
public import SystemPackage

/// The action of an export for an asset.
public enum ExportAction: String, Sendable, Hashable, Codable, CaseIterable {
  /// Nothing: the result is there, or the asset could not be read by the last scan.
  case skipped
  /// The files are copied.
  case copied
  /// The tracks of a video are copied into another container.
  case remuxed
  /// The picture or video is decoded and encoded.
  case transcoded
  /// Nothing can be made of it.
  case failed

  init(_ action: Exporter::ExportAction) {
    self =
      switch action {
      case .skipped: .skipped
      case .copied: .copied
      case .remuxed: .remuxed
      case .transcoded: .transcoded
      case .failed: .failed
      }
  }
}

/// The plan of an export for one asset.
public struct PlannedItem: Sendable, Hashable {
  /// The asset.
  public let asset: Asset
  /// The planned action.
  public let action: ExportAction
  /// Why, a phrase each; or one sentence if it cannot be done.
  public let reasons: [String]
  /// Why it is exported again, a phrase each, such as "source changed"; empty if it was never exported.
  public let changes: [String]
  /// Notes for the user about the choice of its files, a sentence each.
  public let notes: [String]
  /// The name of the preset.
  public let preset: String
  /// The files that are made, or are there: the picture before its clip.
  public let names: [FilePath]

  init(_ line: ExportLine, bursts: [String: Int]) {
    asset = Asset(line.asset, bursts: bursts)
    (action, preset, notes) = (line.action, line.preset, line.notes)
    reasons = line.error.map { [$0] } ?? line.reasons
    changes = line.changes
    names = line.files.map { FilePath($0) }
  }
}

/// The result of an export for one asset.
public struct ExportedItem: Sendable, Hashable {
  /// The asset.
  public let asset: Asset
  /// The action that was carried out.
  public let action: ExportAction
  /// Why, a phrase each.
  public let reasons: [String]
  /// Why it was exported again, a phrase each, such as "source changed"; empty if it was never exported.
  public let changes: [String]
  /// Notes for the user about the result, a sentence each.
  public let notes: [String]
  /// The name of the preset.
  public let preset: String
  /// The files that were made, or are there: the picture before its clip.
  public let files: [FilePath]
  /// Why it failed, one sentence; nil if it did not.
  public let error: String?
  /// The same as a JSON object, with the keys of PhotoKit's picker: a line of the manifest of `shoebox export`.
  public let json: Data
  /// Which of ``files`` is the clip of a live photo: that of the edited version, if there are two.
  let pairedVideo: FilePath?

  init(_ line: ExportLine, bursts: [String: Int]) {
    asset = Asset(line.asset, bursts: bursts)
    (action, preset, notes) = (line.action, line.preset, line.notes)
    pairedVideo = line.clip.map { FilePath($0) }
    (reasons, changes, error) = (line.reasons, line.changes, line.error)
    files = line.files.map { FilePath($0) }
    var writer = JSONWriter()
    writer.value(line)
    json = Data(writer.bytes)
  }
}

/// The result of an export, for the command line.
package struct ExportOutcomes: Sendable {
  /// In the plan's order; assets that were not begun when it ended are not among them.
  package let lines: [ExportLine]
  /// How long it took.
  package let seconds: Double
  /// Bytes of the files that were made.
  package let bytes: Int64
  /// Whether it was cancelled.
  package let isInterrupted: Bool
  /// The error that ended it before it was done.
  package let failure: PhotoLibraryError?

  init(_ report: Exporter::ExportReport, catalog: FilePath) {
    lines = report.outcomes.map(ExportLine.init)
    (seconds, bytes) = (report.seconds, report.bytes)
    isInterrupted = report.isInterrupted
    failure = report.failure.map { PhotoLibraryError($0, catalog: catalog) }
  }

  /// The number of assets that came to an end.
  package func count(_ action: ExportAction) -> Int { lines.count { $0.action == action } }
}
