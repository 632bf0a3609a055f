import Exporter
import Linux
import MediaModel
import Terminal

/// A kind of file that may replace an earlier one of a name that the user chose. No other file is replaced, because
/// it may be an original.
struct EarlierFile {
  /// What it is called, without an article.
  let kind: String
  /// By which a person names the file; nil if it is the command's argument.
  let flag: String?
  /// The first bytes of such a file.
  let headLength: Int
  let isKnown: ([UInt8]) -> Bool

  /// Whether an earlier file exists at a path and may be replaced; false if the name is free.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage`` if something else has the name, with
  ///   ``ExitStatus/inputOutput`` if that is unknown.
  func exists(at path: BytePath) throws(Failure) -> Bool {
    let name = path.display.terminalSafe
    let remedy = "name another file" + (flag.map { " with \($0)" } ?? "")
    var head: [UInt8] = []
    let status: FileStatus?
    do throws(SystemError) {
      status = try path.status()
      if let status, status.kind != .directory {
        head = try ReadOnlyFile(path: path).read(at: 0, count: headLength)
      }
    } catch {
      throw Failure(.inputOutput, "\(name) cannot be examined: \(error.reason)")
    }
    guard let status else { return false }
    if status.kind == .directory {
      throw Failure(.usage, "\(name) is a folder: \(remedy)")
    }
    guard isKnown(head) else {
      throw Failure(
        .usage, "\(name) exists and is not a \(kind): \(remedy)")
    }
    return true
  }
}

extension StagedFile {
  /// Gives a finished file its name, and syncs it if it had none.
  ///
  /// - Parameter isReplacing: whether an earlier one has the name and is replaced.
  func publish(chosen name: BytePath, isReplacing: Bool) throws {
    do {
      try publish(as: name, replacing: isReplacing)
      try syncNamed()
    } catch {
      guard error.isTaken else { throw error }
      throw Failure(
        .inputOutput,
        "\(name.display.terminalSafe) was created by another process, and is left as it is")
    }
  }
}
