extension TargetState {
  /// Finds the lines about files that had another key when they were exported: a key contains a file's name only as long as
  /// its asset has several files of its type, for example two sidecars.
  ///
  /// Such a line counts if the file is the only one that it may be about, and is as it was then.
  mutating func followOtherKeys(of subjects: some Sequence<ExportSubject>, _ request: ExportRequest)
  {
    guard !record.history.isEmpty else { return }
    for subject in subjects {
      var found: [ExportRecord.Key: Set<ExportRecord.Key>] = [:]
      for part in subject.recordableParts {
        let key = ExportRecord.Key(subject.asset, part)
        guard let variant = part.otherVariant, record.history[key] == nil else { continue }
        var other = key
        other.variant = variant
        guard let entry = record.latest(other), entry.isDone,
          subject.version(of: part, request) == entry.source
        else { continue }
        found[other, default: []].insert(key)
      }
      for (other, keys) in found {
        guard keys.count == 1, let key = keys.first, let entry = record.latest(other) else {
          continue
        }
        record.add(key, entry)
        recognized.insert(key)
      }
    }
  }
}
