import MediaModel
import ShoeboxKit
import Terminal

extension ResultFile.Kind {
  /// Whether an earlier file exists at a path that the user chose, and may be replaced.
  ///
  /// - Parameter flag: names the file on the command line.
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` if something else has the name, `PhotoLibraryError`.
  func exists(at path: BytePath, flag: String) throws -> Bool {
    do {
      return try exists(at: path)
    } catch .notReplaceable(_, let reason) {
      throw Failure(
        .usage, "\(path.display.terminalSafe) \(reason): name another file with \(flag)")
    }
  }
}
