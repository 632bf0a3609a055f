import CodecMessages
import CodecPool
import Foundation
import Glibc
import MediaModel
import POSIX

/// Runs this process's own command line and ends the process with its status.
package func runProcess() async -> Never {
  ProcessSettings.ignoreWriteSignals()
  let environment = ProcessInfo.processInfo.environment
  let context = CommandContext.process(environment: environment) { path in
    let pool = CodecPool(executable: try codecExecutable(environment), jobs: 1)
    switch try await pool.inspect(path) {
    case .tags(let tags): return tags
    case .failed(let failure): throw Failure(.someFailed, failure.message)
    }
  }
  let status = await runShoebox(Array(CommandLine.arguments.dropFirst()), in: context)
  exit(status.rawValue)
}

/// The program `shoebox-codec`: `$SHOEBOX_CODEC`, else beside this program, else in `../libexec`.
///
/// - Throws: `CodecPoolError`: it is not there, or nobody may look.
func codecExecutable(_ environment: [String: String]) throws -> BytePath {
  if let named = environment["SHOEBOX_CODEC"], !named.isEmpty {
    let path = try BytePath(named).absolute()
    guard try path.isRegularFile else { throw CodecPoolError.notFound(path) }
    return path
  }
  let folder = try executablePath().parent
  let beside = folder.appending("shoebox-codec")
  let candidates = [beside, folder.parent.appending("libexec/shoebox-codec")]
  guard let found = try candidates.first(where: { try $0.isRegularFile }) else {
    throw CodecPoolError.notFound(beside)
  }
  return found
}

extension BytePath {
  /// - Throws: `CodecPoolError.unreachable` if that cannot be told.
  fileprivate var isRegularFile: Bool {
    get throws {
      do {
        return try FileStatus(of: self, followingLinks: true).kind == .regular
      } catch  where error.isNotFound {
        return false
      } catch {
        throw CodecPoolError.unreachable(self, error.reason)
      }
    }
  }
}
