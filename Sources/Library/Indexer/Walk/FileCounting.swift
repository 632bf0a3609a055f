import Catalog
import Linux
import MediaModel

extension [ScanScope] {
  /// How many files the walk will meet, for an estimate of the time that remains; nil if cancelled.
  ///
  /// It reads every folder once more, but asks for no file's status, and so is soon ahead of the walk.
  package func countFiles() -> Int? {
    var count = 0
    let exclusions = Exclusions(paths: [])
    for scope in self where scope.isAvailable {
      var folders = [scope.subfolder.reduce(scope.root.path) { $0.appending($1) }]
      while let folder = folders.popLast() {
        if Task.isCancelled || Interruption.isRequested { return nil }
        guard var directory = try? Directory(reading: folder, namesOnly: true) else { continue }
        _ = directory.removeDuplicateNames()
        for entry in directory.entries {
          guard entry.kind == .directory else {
            count += 1
            continue
          }
          if !exclusions.excludes(entry, below: []) {
            folders.append(folder.appending(entry.name))
          }
        }
      }
    }
    return count
  }
}
