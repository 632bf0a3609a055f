package import Linux
package import MediaModel

/// Which worker programs to start, and the limits for each file.
package struct WorkerConfiguration: Sendable {
  /// The program `shoebox-probe`; nil to have the other program read facts too.
  package var probe: BytePath?
  /// The program `shoebox-codec`.
  package var codec: BytePath
  /// How many processes of each program may work at once.
  package var jobs: Int
  /// The time limit for one file.
  package var fileTimeout: Duration
  /// The limit on a process's address space in bytes.
  package var memoryLimit: UInt64
  /// Whether an interruption ends the work on the current file at once rather than after a few seconds.
  package var stopsAtOnce: Bool
  package var sandbox: SandboxMode
  /// Whether workers do without Landlock, to test that the other levels of the sandbox are enough.
  package var leavesOutLandlock = false
  /// How long a process may be idle before it ends.
  package var idleTime = Duration.seconds(30)

  package init(
    probe: BytePath?, codec: BytePath, jobs: Int, fileTimeout: Duration = .seconds(20),
    memoryLimit: UInt64 = 4 << 30, stopsAtOnce: Bool = false, sandbox: SandboxMode = .auto
  ) {
    self.probe = probe
    self.codec = codec
    self.jobs = max(1, jobs)
    self.fileTimeout = fileTimeout
    self.memoryLimit = memoryLimit
    self.stopsAtOnce = stopsAtOnce
    self.sandbox = sandbox
  }

  /// The file of a program.
  func executable(_ program: WorkerKind) -> BytePath {
    program == .probe ? probe ?? codec : codec
  }

  /// The arguments for a worker.
  var arguments: [String] {
    [
      "--memory-limit", String(memoryLimit),
      "--file-timeout", String(fileTimeout.components.seconds + 1),
      "--sandbox", sandbox.rawValue,
    ] + (leavesOutLandlock ? ["--without-landlock"] : [])
  }
}

/// The worker programs.
package enum WorkerKind: Sendable, CaseIterable {
  /// Reads facts.
  case probe
  /// Decodes, encodes, and reads the facts that the other one cannot read.
  case codec

  /// All variables of the program's environment, each in the form `NAME=value`.
  var environment: [String] {
    // By default the runtime starts a program that prints a backtrace.
    let quiet = "SWIFT_BACKTRACE=enable=no"
    switch self {
    case .probe: return [quiet]
    case .codec:
      // The planes of pictures then are in pages of 2 MB, where the kernel gives them on request, and up to 64 MiB of
      // them are kept for the next picture. An export of HEICs has a quarter of the page faults, and takes 1 to 4 % less
      // processor time; its peak memory stays the same. Small allocations would only take more memory.
      let tunables = [
        "hugetlb=1", "mmap_threshold=\(32 * 1024 * 1024)", "trim_threshold=\(64 * 1024 * 1024)",
      ]
      return [
        quiet,
        "GLIBC_TUNABLES=" + tunables.map { "glibc.malloc." + $0 }.joined(separator: ":"),
      ]
    }
  }
}

/// Whose work comes first if all processes are busy.
package enum WorkPriority: Int, Sendable, Comparable, CaseIterable {
  /// Scans and exports.
  case background
  /// What a person will perhaps look at soon.
  case upcoming
  /// What a person waits for.
  case interactive

  package static func < (first: WorkPriority, second: WorkPriority) -> Bool {
    first.rawValue < second.rawValue
  }
}
