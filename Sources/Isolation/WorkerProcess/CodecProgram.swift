import FactReading
import Linux
import MediaModel
import WorkerProtocol

/// The program `shoebox-codec`: sets the process's limits and serves its standard streams.
package enum CodecProgram {
  private static let help = """
    Opens pictures and videos for shoebox, which starts this program itself.

    usage: shoebox-codec --memory-limit BYTES --file-timeout SECONDS [--make-files]

      --memory-limit BYTES    bound the address space
      --file-timeout SECONDS  end when one file takes longer
      --make-files            keep the right to write files
      --version               print the version and exit
      --help                  print this help and exit

    It reads requests from standard input and writes replies to standard output.

    """

  /// Runs to the end of standard input. Returns the exit status: 0, 64 for wrong usage, 65 for an invalid
  /// message, 74 for an input/output error.
  package static func run(arguments: [String]) -> Int32 {
    var memoryLimit: UInt64?
    var fileTimeout: UInt32?
    var purpose = Confinement.Purpose.reading
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--help": return say(help, on: .output, status: 0)
      case "--version":
        return say("shoebox-codec, protocol \(codecProtocolVersion)\n", on: .output, status: 0)
      case "--memory-limit":
        guard let limit = rest.popFirst().flatMap({ UInt64($0) }), limit > 0 else {
          return say("--memory-limit takes a number of bytes.\n", on: .error, status: 64)
        }
        memoryLimit = limit
      case "--file-timeout":
        guard let limit = rest.popFirst().flatMap({ UInt32($0) }), limit > 0 else {
          return say("--file-timeout takes a number of seconds.\n", on: .error, status: 64)
        }
        fileTimeout = limit
      case "--make-files": purpose = .writing
      default: return say("Unknown argument \(argument).\n\(help)", on: .error, status: 64)
      }
    }
    guard let memoryLimit, let fileTimeout else {
      return say("--memory-limit and --file-timeout are missing.\n\(help)", on: .error, status: 64)
    }
    return serve(memoryLimit: memoryLimit, fileTimeout: fileTimeout, purpose)
  }

  private static func serve(
    memoryLimit: UInt64, fileTimeout: UInt32, _ purpose: Confinement.Purpose
  ) -> Int32 {
    ProcessSettings.disableCoreDumps()
    ProcessSettings.ignoreWriteSignals()
    do {
      try Confinement.enter(for: purpose)
      try ProcessSettings.limitMemory(to: memoryLimit)
      let loop = MessageLoop(
        // The time limit starts with a request or the last reply and ends with the next reply. Waiting for
        // requests is not limited.
        read: {
          ProcessSettings.disarmWatchdog()
          let request = try StandardStream.input.read(upTo: 64 << 10)
          ProcessSettings.armWatchdog(seconds: fileTimeout)
          return request
        },
        write: {
          try StandardStream.output.write($0)
          ProcessSettings.armWatchdog(seconds: fileTimeout)
        })
      try loop.run()
      return 0
    } catch let error as SystemError {
      // shoebox has ended: there is nothing left to do.
      if error.isBrokenPipe { return 0 }
      return say("shoebox-codec: \(error)\n", on: .error, status: 74)
    } catch {
      return say("shoebox-codec: unreadable request (\(error))\n", on: .error, status: 65)
    }
  }

  private static func say(_ text: String, on stream: StandardStream, status: Int32) -> Int32 {
    // If even this cannot be written, the exit status remains.
    try? stream.write(Array(text.utf8))
    return status
  }
}
