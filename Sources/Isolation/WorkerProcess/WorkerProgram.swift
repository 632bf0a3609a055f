import Linux
import MediaModel
import WorkerProtocol

/// One of the worker programs.
package struct WorkerProgram {
  /// The program's name, such as `shoebox-codec`.
  private let name: String
  /// A sentence about its purpose, for `--help`.
  private let purpose: String
  /// Whether it writes to files that it receives.
  private let isWriting: Bool
  /// Loads everything that the sandbox does not let it load later.
  private let warmUp: () -> Void
  package let answer: MessageLoop.Answer

  /// - Parameters:
  ///   - warmUp: opens libraries, plugins and devices; starts no thread.
  ///   - answer: answers one request, with one reply for each of its files.
  package init(
    name: String, purpose: String, isWriting: Bool, warmUp: @escaping () -> Void = {},
    answer: @escaping MessageLoop.Answer
  ) {
    self.name = name
    self.purpose = purpose
    self.isWriting = isWriting
    self.warmUp = warmUp
    self.answer = answer
  }

  private var help: String {
    """
    \(purpose)
    It is started by shoebox, and of no use to a person.

    usage: \(name) --memory-limit BYTES --file-timeout SECONDS [--sandbox MODE]

      --memory-limit BYTES    bound the address space
      --file-timeout SECONDS  end when one file takes longer
      --sandbox MODE          auto, required or off (default: auto)
      --without-landlock      leave out Landlock, to test the other levels
      --version               print the version and exit
      --help                  print this help and exit

    Standard input is a Unix socket. Requests arrive on it with open files, and
    replies leave on it.

    """
  }

  /// Runs to the end of the requests. Returns the exit status: 0, 64 for wrong usage, 65 for an invalid
  /// message, 74 for an input/output error, 77 if the kernel lacks a required level of the sandbox.
  package func run(arguments: [String]) -> Int32 {
    var memoryLimit: UInt64?
    var fileTimeout: UInt32?
    var mode = SandboxMode.auto
    var leavesOutLandlock = false
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--help": return say(help, on: .output, status: 0)
      case "--version":
        return say("\(name), protocol \(workerProtocolVersion)\n", on: .output, status: 0)
      case "--memory-limit":
        guard let limit = rest.popFirst().flatMap({ UInt64($0) }), limit > 0 else {
          return say("\(name): --memory-limit takes a number of bytes.\n", on: .error, status: 64)
        }
        memoryLimit = limit
      case "--file-timeout":
        guard let limit = rest.popFirst().flatMap({ UInt32($0) }), limit > 0 else {
          return say("\(name): --file-timeout takes a number of seconds.\n", on: .error, status: 64)
        }
        fileTimeout = limit
      case "--sandbox":
        guard let value = rest.popFirst().flatMap({ SandboxMode(rawValue: $0) }) else {
          return say("\(name): --sandbox takes auto, required or off.\n", on: .error, status: 64)
        }
        mode = value
      case "--without-landlock": leavesOutLandlock = true
      default: return say("\(name): unknown argument \(argument)\n\(help)", on: .error, status: 64)
      }
    }
    guard let memoryLimit, let fileTimeout else {
      return say(
        "\(name): --memory-limit and --file-timeout are missing.\n\(help)", on: .error, status: 64)
    }
    var sandbox = Sandbox(mode: mode, memoryLimit: memoryLimit, isWriting: isWriting)
    sandbox.leavesOutLandlock = leavesOutLandlock
    return serve(in: sandbox, fileTimeout: fileTimeout)
  }

  private func serve(in sandbox: Sandbox, fileTimeout: UInt32) -> Int32 {
    ProcessSettings.ignoreWriteSignals()
    warmUp()
    let state: SandboxState
    do {
      state = try sandbox.enter()
    } catch {
      return say("\(name): the sandbox cannot be entered (\(error))\n", on: .error, status: 77)
    }
    let limit = ReplyTimeLimit(seconds: fileTimeout)
    let loop = MessageLoop(
      sandbox: state,
      // The time limit starts with a request or the last reply and ends with the next reply. Waiting for
      // requests is not limited.
      receive: {
        limit.lift()
        let request = try WorkerSocket.receive(upTo: 64 << 10)
        limit.renew()
        return request
      },
      send: {
        try WorkerSocket.send($0)
        limit.renew()
      }, answer: answer)
    do {
      try loop.run()
      return 0
    } catch let error as SystemError {
      // shoebox has ended: there is nothing left to do.
      if error.isBrokenPipe { return 0 }
      return say("\(name): \(error)\n", on: .error, status: 74)
    } catch {
      return say("\(name): unreadable request (\(error))\n", on: .error, status: 65)
    }
  }

  private func say(_ text: String, on stream: StandardStream, status: Int32) -> Int32 {
    // If even this cannot be written, the exit status remains.
    try? stream.write(Array(text.utf8))
    return status
  }
}

/// Ends the process if the next reply takes too long, also if `shoebox` has ended.
private final class ReplyTimeLimit {
  /// How often the limit is renewed, at most: the system calls take as long as a small picture's header.
  private static let step = Duration.milliseconds(250)
  /// The threads of an encoder that may work at once.
  private static let threads: UInt64 = 64

  private let seconds: UInt32
  private var renewed: ContinuousClock.Instant?

  /// - Parameter seconds: the time for one reply. The limit is up to a second longer.
  init(seconds: UInt32) {
    self.seconds = seconds
  }

  /// Limits the time until the next reply.
  func renew() {
    let now = ContinuousClock.now
    if let renewed, now - renewed < Self.step { return }
    renewed = now
    ProcessSettings.armWatchdog(seconds: min(seconds, .max - 1) + 1)
    ProcessSettings.limitProcessorTime(to: UInt64(seconds) * Self.threads)
  }

  /// Ends the limit.
  func lift() {
    renewed = nil
    ProcessSettings.disarmWatchdog()
  }
}
