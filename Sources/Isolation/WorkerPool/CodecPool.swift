// WorkerPool: keeps the workers busy and survives their crashes.
//
// Media bytes are opened in `shoebox-codec` only, and that process may crash, hang or be killed at any file. The pool
// starts one process for each job, sends it batches of paths, and counts its replies: the first file without a reply
// is the one that ended it. The pool tries that file again, alone, in a new process. If that process ends too, the file
// is reported as unreadable and the other files continue. No process starts before there is a file to read.

package import MediaEdits
package import MediaModel
package import WorkerProtocol

/// How to start codec processes, and the limits for each file.
package struct CodecPool: Sendable {
  /// The program `shoebox-codec`.
  package var executable: BytePath
  /// How many processes may run at once.
  package var jobs: Int
  /// The time limit for one file.
  package var fileTimeout: Duration
  /// The limit on a process's address space in bytes.
  package var memoryLimit: UInt64
  /// Whether an interruption ends the work on the current file at once rather than after a few seconds.
  package var stopsAtOnce: Bool

  package init(
    executable: BytePath, jobs: Int, fileTimeout: Duration = .seconds(20),
    memoryLimit: UInt64 = 4 << 30, stopsAtOnce: Bool = false
  ) {
    self.executable = executable
    self.jobs = max(1, jobs)
    self.fileTimeout = fileTimeout
    self.memoryLimit = memoryLimit
    self.stopsAtOnce = stopsAtOnce
  }

  /// Probes the files of every batch, and delivers each batch when all of its files have a reply.
  ///
  /// - Parameters:
  ///   - batches: the work; several consumers take from it concurrently. An empty first batch has a process start,
  ///     which takes the next batch.
  ///   - path: the file of an item.
  ///   - deliver: takes a batch's items with their replies, in the batch's order. An error that it throws
  ///     ends the run.
  /// - Throws: ``CodecPoolError`` if no codec process can be started.
  package func probe<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches,
    path: @escaping @Sendable (Item) -> BytePath,
    deliver: @escaping @Sendable ([(item: Item, reply: ProbeReply)]) async throws -> Void
  ) async throws {
    try await work(on: batches, deliver: deliver) { .probe($0.map(path)) }
  }

  /// Computes a digest of each file's whole content, and delivers each batch as ``probe(_:path:deliver:)``
  /// does.
  package func digest<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches,
    path: @escaping @Sendable (Item) -> BytePath,
    deliver: @escaping @Sendable ([(item: Item, reply: DigestReply)]) async throws -> Void
  ) async throws {
    try await work(on: batches, deliver: deliver) { .digest($0.map(path)) }
  }

  /// Makes a thumbnail of each file, with at most `longerSide` pixels on its longer side, and delivers each
  /// batch as ``probe(_:path:deliver:)`` does.
  package func thumbnails<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches, longerSide: Int,
    file: @escaping @Sendable (Item) -> ThumbnailItem,
    deliver: @escaping @Sendable ([(item: Item, reply: ThumbnailReply)]) async throws -> Void
  ) async throws {
    try await work(on: batches, deliver: deliver) {
      .thumbnails($0.map(file), longerSide: longerSide)
    }
  }

  /// Describes each file for planning its export, and delivers each batch as ``probe(_:path:deliver:)``
  /// does.
  package func examine<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches,
    file: @escaping @Sendable (Item) -> ExamineItem,
    deliver: @escaping @Sendable ([(item: Item, reply: ExamineReply)]) async throws -> Void
  ) async throws {
    try await work(on: batches, deliver: deliver) { .examine($0.map(file)) }
  }

  /// Makes files. If a process ends while it makes a file, the file is made again, once.
  ///
  /// - Parameter progress: called from time to time with the finished seconds of a movie.
  package func render<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches,
    step: @escaping @Sendable (Item) -> RenderStep,
    progress: @escaping @Sendable (Item, Double) -> Void,
    deliver: @escaping @Sendable ([(item: Item, reply: RenderReply)]) async throws -> Void
  ) async throws {
    try await work(
      on: batches, isWriting: true, deliver: deliver,
      interim: { item, reply in
        if case .working(let position) = reply { progress(item, position) }
      },
      request: { .render($0.map(step)) })
  }

  private func work<
    Item: Sendable, Reply: BatchReply, Batches: AsyncSequence<[Item], Never> & Sendable
  >(
    on batches: Batches, isWriting: Bool = false,
    deliver: @escaping @Sendable ([(item: Item, reply: Reply)]) async throws -> Void,
    interim: @escaping @Sendable (Item, Reply) -> Void = { _, _ in },
    request: @escaping @Sendable (ArraySlice<Item>) -> CodecRequest
  ) async throws {
    // Each worker waits until the one before it has work, so that work for one process goes to one that has started.
    let gates = (0...jobs).map { _ in AsyncStream<Never>.makeStream() }
    gates[0].continuation.finish()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<jobs {
        group.addTask { @concurrent in
          defer { gates[number + 1].continuation.finish() }
          for await _ in gates[number].stream {}
          var worker = PoolWorker(
            pool: self, isWriting: isWriting, request: request, deliver: deliver, interim: interim
          ) { gates[number + 1].continuation.finish() }
          try await worker.run(batches)
        }
      }
      // In order of completion, so that the first failure ends the others.
      while try await group.next() != nil {}
    }
  }

  /// All metadata tags of one file.
  package func inspect(_ path: BytePath) async throws -> InspectReply {
    let outcome = try await converse { conversation in
      conversation.send(.inspect(path))
      return try await conversation.receive().map { try InspectReply(payload: $0) }
    }
    switch outcome {
    case .value(let reply): return reply
    case .lost(let process) where process.hasStarted: return .failed(process.failure)
    case .lost(let process): throw process.startFailure(executable)
    }
  }

  /// The codec program's libraries and codecs.
  package func describe() async throws -> ProgramDescription {
    let outcome = try await converse { conversation in
      conversation.send(.describe)
      return try await conversation.receive().map { try ProgramDescription(payload: $0) }
    }
    switch outcome {
    case .value(let description): return description
    case .lost(let process): throw process.startFailure(executable)
    }
  }
}

/// Why no codec process can be used.
package enum CodecPoolError: Error, Sendable, Hashable, CustomStringConvertible {
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
  /// This many processes were killed and are still there.
  case tooManyStuck(Int)

  package var description: String {
    switch self {
    case .notFound(let path):
      "the program \(path.display) is missing: install Shoebox again, or name it in $SHOEBOX_CODEC"
    case .unreachable(let path, let reason):
      "the program \(path.display) cannot be examined: \(reason)"
    case .notStarted(let path, let reason):
      "the program \(path.display) cannot be started: \(reason)"
    case .noResources(let reason):
      "no codec process can be started: \(reason); raise the limits on open files (`ulimit -n 1024`) and "
        + "processes (`ulimit -u`), or lower --jobs"
    case .doesNotStart(let path):
      "the program \(path.display) does not start: run it with --version to see why"
    case .doesNotGreet(let path):
      "the program \(path.display) runs but has not answered for \(CodecPool.startTimeout): it is "
        + "another program, or the machine is too busy"
    case .otherVersion(let path):
      "the program \(path.display) belongs to another version of Shoebox: install both together"
    case .tooManyStuck(let count):
      "\(count) codec processes wait for a disk or network share that does not respond, and cannot be stopped: "
        + "check the disk, then run the command again"
    }
  }
}
