import Foundation
import Glibc
import Linux
import MediaModel

/// Runs this process's own command line and ends the process with its status.
package func runProcess() async -> Never {
  ProcessSettings.ignoreWriteSignals()
  let context = CommandContext.process(environment: ProcessSettings.environment())
  if let lack = lackOfProcess() {
    context.complain(lack)
    exit(ExitStatus.inputOutput.rawValue)
  }
  // Swift's own list of arguments has U+FFFD in place of what is not UTF-8.
  let arguments = CommandContext.processArguments().map(ArgumentText.text)
  guard !arguments.isEmpty else {
    context.complain("/proc/self/cmdline, which has the command's arguments, cannot be read")
    exit(ExitStatus.inputOutput.rawValue)
  }
  let status = await runShoebox(Array(arguments.dropFirst()), in: context)
  // What the context keeps open is not closed before.
  withExtendedLifetime(context) { exit(status.rawValue) }
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
