import Foundation
import Glibc
import Linux
import MediaModel
import WorkerPool
import WorkerProtocol

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
  if let lack = lackOfProcess() {
    context.complain(lack)
    exit(ExitStatus.inputOutput.rawValue)
  }
  // Swift's own list of arguments is empty if reading /proc fails.
  let arguments = context.rawArguments().map { String(decoding: $0, as: UTF8.self) }
  guard !arguments.isEmpty else {
    context.complain("/proc/self/cmdline, which has the command's arguments, cannot be read")
    exit(ExitStatus.inputOutput.rawValue)
  }
  let status = await runShoebox(Array(arguments.dropFirst()), in: context)
  exit(status.rawValue)
}

/// A resource that every command needs and the operating system refuses, as a message with a remedy; nil if nothing
/// is missing.
///
/// Swift's runtime reads the arguments and counts threads in `/proc`. It ends the process if it cannot count them, or
/// if it has no event queue for its timers.
private func lackOfProcess() -> String? {
  guard (try? FileStatus(of: BytePath("/proc/self/task"), followingLinks: true)) != nil else {
    return "/proc is not mounted, and Shoebox cannot run without it: `mount -t proc proc /proc`"
  }
  do {
    try OpenFileLimit.prepare()
  } catch {
    return
      "\(error.reason): at least \(OpenFileLimit.startReserve) more are needed; raise the limit with "
      + "`ulimit -n 1024`"
  }
  do {
    try RuntimeNeeds.check()
    return nil
  } catch {
    return
      "the system refuses to \(error.operation): \(error.reason); check the limits on processes and "
      + "memory (`ulimit -u`, `ulimit -v`) and on epoll watches"
  }
}

/// The program `shoebox-codec`: `$SHOEBOX_CODEC`, or the one next to this program, or the one in `../libexec`.
///
/// - Throws: `CodecPoolError` if it does not exist or cannot be accessed.
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
  /// - Throws: `CodecPoolError.unreachable` if that is unknown.
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
