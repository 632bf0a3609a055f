package import MediaModel

/// Why no worker can be used.
package enum WorkerError: Error, Sendable, Hashable, CustomStringConvertible {
  case notFound(BytePath)
  /// It may exist, but the operating system does not let this user check; the second value is the reason.
  case unreachable(BytePath, String)
  /// The operating system cannot start it; the second value is the reason.
  case notStarted(BytePath, String)
  /// This process or the machine lacks descriptors, memory or processes; the value is the reason.
  case noResources(String)
  /// It ends without a greeting.
  case doesNotStart(BytePath)
  /// It runs but sends no greeting.
  case doesNotGreet(BytePath)
  case otherVersion(BytePath)
  /// The kernel does not enforce what `--sandbox required` demands; the value names it.
  case notConfined(String)
  /// This many processes were killed and are still there.
  case tooManyStuck(Int)
  /// This many different requests wait already.
  case tooManyRequests(Int)

  package var description: String {
    switch self {
    case .notFound(let path):
      "the program \(path.display) is missing: install Shoebox again, or name it in "
        + "$SHOEBOX_CODEC or $SHOEBOX_PROBE"
    case .notConfined(let lack):
      "this kernel does not support \(lack), which --sandbox required demands: use another kernel, or --sandbox auto"
    case .unreachable(let path, let reason):
      "the program \(path.display) cannot be examined: \(reason)"
    case .notStarted(let path, let reason):
      "the program \(path.display) cannot be started: \(reason)"
    case .noResources(let reason):
      "no worker can be started: \(reason); raise the limits on open files (`ulimit -n 1024`) and "
        + "processes (`ulimit -u`), or lower --jobs"
    case .doesNotStart(let path):
      "the program \(path.display) does not start: run it with --version to see why"
    case .doesNotGreet(let path):
      "the program \(path.display) runs but has not answered for \(MediaWorkers.startTimeout): it is "
        + "another program, or the machine is too busy"
    case .otherVersion(let path):
      "the program \(path.display) belongs to another version of Shoebox: install both together"
    case .tooManyStuck(let count):
      "\(count) workers wait for a disk or network share that does not respond, and cannot be stopped: "
        + "check the disk, then run the command again"
    case .tooManyRequests(let count):
      "\(count) requests wait for a worker: cancel those that are not needed, or ask again later"
    }
  }
}
