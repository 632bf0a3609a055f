/// The names under which programs keep the previous state of a file that they change.
///
/// They rename the file and write another one under its name: exiftool to `a.jpg_original`, editors to `a.jpg~` or
/// `a.jpg.bak`. So the file with the old inode is the backup, and the one with the name is still the picture.
enum BackupName {
  /// - Parameters:
  ///   - name: a file's name.
  ///   - other: that of a file in the same folder.
  /// - Returns: whether `name` is `other` with a suffix that begins with `_`, `~` or a full stop.
  static func isBackup(_ name: some Collection<UInt8>, of other: some Collection<UInt8>) -> Bool {
    guard name.count > other.count, name.starts(with: other) else { return false }
    return name.dropFirst(other.count).first.map { Array("_~.".utf8).contains($0) } ?? false
  }
}
