import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// A page while it is being written to a temporary file next to its final name: it is complete or does not appear.
final class PageFile {
  private let file: ResultFile
  /// Bytes written so far.
  private(set) var size: UInt64 = 0

  /// - Parameters:
  ///   - target: absolute.
  ///   - isReplacing: whether an earlier page is replaced.
  /// - Throws: `Failure` if the folder cannot be written.
  init(_ target: BytePath, isReplacing: Bool) throws {
    do throws(SystemError) {
      file = try ResultFile(target, isReplacing: isReplacing)
    } catch {
      throw Failure(
        .inputOutput, "\(target.display.terminalSafe) cannot be written: \(error.reason)")
    }
  }

  func write(_ bytes: [UInt8]) throws {
    try file.write(bytes, at: size)
    size += UInt64(bytes.count)
  }

  /// Gives the page its name, unless another file got that name meanwhile.
  func publish() throws { try file.publish() }
}
