import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// A page while it is being written to a temporary file next to its final name: it is complete or does not appear.
final class PageFile {
  private let target: BytePath
  private let file: ResultFile
  /// Bytes written so far.
  private(set) var size: UInt64 = 0

  /// - Parameters:
  ///   - target: absolute.
  ///   - isReplacing: whether an earlier page is replaced.
  /// - Throws: `Failure` if the folder cannot be written.
  init(_ target: BytePath, isReplacing: Bool) throws {
    self.target = target
    do throws(SystemError) {
      file = try ResultFile(target, isReplacing: isReplacing)
    } catch {
      throw Failure(unwritable: target, error)
    }
  }

  func write(_ bytes: [UInt8]) throws {
    do throws(SystemError) {
      try file.write(bytes, at: size)
    } catch {
      throw Failure(unwritable: target, error)
    }
    size += UInt64(bytes.count)
  }

  /// Gives the page its name, unless another file got that name meanwhile.
  func publish() throws {
    do {
      try file.publish()
    } catch let error as SystemError {
      throw Failure(unwritable: target, error)
    }
  }
}

extension Failure {
  /// A file that the user named cannot be written. The error names the temporary file next to it.
  fileprivate init(unwritable target: BytePath, _ error: SystemError) {
    self.init(.inputOutput, "\(target.display.terminalSafe) cannot be written: \(error.reason)")
  }
}
