import Catalog
import MediaModel

/// What lies in the target's folder already, as far as the plan needs to know.
package struct TargetState: Sendable, Hashable {
  package var record: ExportRecord
  /// The files that the record speaks of, as they are now, by their paths below the target; what is
  /// missing here is not there.
  package var versions: [String: ExportRecord.Version]
  /// The names in the folders below the target that results may lie in, by the folders' paths.
  package var names: [String: Set<String>]

  package init(
    record: ExportRecord = ExportRecord(), versions: [String: ExportRecord.Version] = [:],
    names: [String: Set<String>] = [:]
  ) {
    self.record = record
    self.versions = versions
    self.names = names
  }
}

/// A file that an earlier export made, as its record has it.
struct RecordedFile: Sendable {
  var part: ExportPart
  /// Below the target's folder.
  var target: String
}

/// How what an earlier export made of an asset stands to what is wanted now.
struct EarlierResult: Sendable {
  enum Standing: Sendable {
    /// Nothing was made, or some of it is gone.
    case absent
    /// It is there as it would be made now.
    case current
    /// It is there, but the source or what is asked of it has changed.
    case outdated
    /// It is there, but somebody has changed it since.
    case altered
  }

  var standing: Standing
  /// The recorded files, a picture before its clip.
  var files: [RecordedFile] = []

  /// The names by the part they belong to.
  var targets: [ExportPart: String] {
    Dictionary(files.map { ($0.part, $0.target) }) { first, _ in first }
  }
}

extension TargetState {
  /// What an earlier export made of an asset under the same naming.
  ///
  /// - Parameter settings: the digest of what is asked for now.
  func earlierResult(
    of subject: ExportSubject, _ request: ExportRequest, settings: String
  ) -> EarlierResult {
    var result = EarlierResult(standing: .current)
    for part in subject.parts(request) {
      let key = ExportRecord.Key(subject.asset, part)
      guard let entry = record.entries[key], entry.naming == request.naming else {
        // A clip inside its picture's file need not have been handed out by itself.
        if part.range == nil || request.livePhotos == .motion { result.standing = .absent }
        continue
      }
      result.files.append(RecordedFile(part: part, target: entry.target))
      let standing = standing(of: entry, subject.stamps[part.path], settings)
      result.standing = result.standing.worse(standing)
    }
    return result
  }

  /// The path of a part that an earlier export handed out under the same naming but in another way, and
  /// that is not asked for now, so that it stays as it is: the clip where only the still is wanted.
  ///
  /// - Parameter settings: the digests of what is asked for now, whichever parts of it.
  func remainder(
    of subject: ExportSubject, _ request: ExportRequest, settings: Set<String>
  ) -> String? {
    let wanted = subject.parts(request)
    return subject.recordableParts.lazy.filter { !wanted.contains($0) }.compactMap { part in
      let key = ExportRecord.Key(subject.asset, part)
      guard let entry = record.entries[key], entry.naming == request.naming,
        versions[entry.target] != nil, !settings.contains(entry.settings)
      else { return nil }
      return entry.target
    }.first
  }

  private func standing(
    of entry: ExportRecord.Entry, _ source: FileStamp?, _ settings: String
  ) -> EarlierResult.Standing {
    guard let version = versions[entry.target] else { return .absent }
    if !entry.made.isStill(version) { return .altered }
    let isSame = source.map { ExportRecord.Version($0) == entry.source } ?? false
    return isSame && entry.settings == settings ? .current : .outdated
  }
}

extension EarlierResult.Standing {
  /// What holds for several files together.
  fileprivate func worse(_ other: EarlierResult.Standing) -> EarlierResult.Standing {
    let order: [EarlierResult.Standing] = [.absent, .altered, .outdated, .current]
    return order.first { $0 == self || $0 == other } ?? self
  }
}
