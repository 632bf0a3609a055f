import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// The file that `--manifest` names. It is created before the export, so that an unusable path costs no export. It
/// replaces nothing but an earlier manifest.
struct ExportManifest: ~Copyable {
  /// A text in the first line of each manifest that other files hardly contain.
  private static let mark = Array(#""referenceURL":"shoebox://asset/"#.utf8)

  /// An earlier manifest, or a file without content.
  private static var kind: ResultFile.Kind {
    ResultFile.Kind("manifest", headLength: 1 << 16) { head in
      head.isEmpty || head.prefix { $0 != UInt8(ascii: "\n") }.contains(mark)
    }
  }

  private enum Place: ~Copyable {
    /// A file that appears when it is complete.
    case file(ResultFile)
    /// A device or a pipe.
    case stream(AppendFile)
  }

  private let place: Place

  /// - Parameters:
  ///   - typed: the path as the user typed it.
  ///   - session: the export.
  ///
  /// - Throws: ``Failure`` if the file cannot be written or must not be replaced.
  init(_ typed: BytePath, _ session: ExportSession) throws {
    guard typed.bytes != Array("-".utf8) else {
      throw Failure(.usage, "--format jsonl prints the manifest's lines: --manifest names a file")
    }
    let given: BytePath
    do {
      given = try typed.absolute()
    } catch {
      throw Self.unwritable(typed, error)
    }
    let path =
      (try? given.resolved())
      ?? (try? given.parent.resolved()).map { $0.appending(given.lastComponent) } ?? given
    let isStream =
      (try? FileStatus(of: path))?.kind == .other || given.isWithin(BytePath("/dev"))
    var isReplacing = false
    if !isStream { isReplacing = try Self.isEarlier(at: path, session) }
    do throws(SystemError) {
      if isStream {
        place = .stream(try AppendFile(existing: given))
        return
      }
      if path.isWithin(session.target) { try path.parent.makeFolders(isShared: true) }
      place = .file(
        try ResultFile(path, isReplacing: isReplacing, removingLeftovers: false))
    } catch {
      throw Self.unwritable(typed, error)
    }
  }

  private static func unwritable(_ typed: BytePath, _ error: SystemError) -> Failure {
    Failure(
      .inputOutput, "the manifest \(typed.display.terminalSafe) cannot be written: \(error.reason)")
  }

  /// Whether an earlier manifest is replaced.
  private static func isEarlier(
    at path: BytePath, _ session: ExportSession
  ) throws -> Bool {
    if session.isResult(path) {
      throw Failure(
        .usage,
        "\(path.display.terminalSafe) would be overwritten by a result: name another file with --manifest"
      )
    }
    return try kind.exists(at: path, flag: "--manifest")
  }

  /// Writes a line for each item, and gives the file its name.
  func write(_ outcome: ExportOutcomes) throws {
    var writer = JSONWriter()
    var bytes: [UInt8] = []
    for line in outcome.lines {
      writer.removeAll()
      writer.value(line)
      bytes += writer.bytes + [UInt8(ascii: "\n")]
    }
    switch place {
    case .stream(let stream): try stream.append(bytes)
    case .file(let file):
      try file.write(bytes, at: 0)
      try file.publish()
    }
  }
}
