// WorkerPool: keeps the workers busy and survives their crashes.
//
// Media bytes are opened in `shoebox-codec` only, and that process may crash, hang or be killed at any file. The pool
// starts one process for each job, sends it batches of paths, and counts its replies: the first file without a reply is
// the one that ended it. The pool tries that file again, alone, in a new process. If that one ends too, the file is
// reported as unreadable, and all other files continue. No process starts before there is a file to read.

package import MediaEdits
package import MediaModel
package import WorkerProtocol

/// How codec processes are started and what one file may cost.
package struct CodecPool: Sendable {
  /// The program `shoebox-codec`.
  package var executable: BytePath
  /// How many processes may run at once.
  package var jobs: Int
  /// How long one file may take.
  package var fileTimeout: Duration
  /// How many bytes of address space one process may have.
  package var memoryLimit: UInt64
  /// Whether an interruption ends the work on the file that is under way at once, not after a few seconds.
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

  /// Looks at the files of every batch and hands each batch over when all of its files have a reply.
  ///
  /// - Parameters:
  ///   - batches: where work comes from; several consumers draw from it at once.
  ///   - path: the file that an item stands for.
  ///   - deliver: takes a batch's items with their replies, in the batch's order. What it throws ends
  ///     the run.
  /// - Throws: ``CodecPoolError`` if codec processes cannot be had at all.
  package func probe<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches,
    path: @escaping @Sendable (Item) -> BytePath,
    deliver: @escaping @Sendable ([(item: Item, reply: ProbeReply)]) async throws -> Void
  ) async throws {
    try await work(on: batches, deliver: deliver) { .probe($0.map(path)) }
  }

  /// Has a digest made of all of each file's content, and hands each batch over as ``probe(_:path:deliver:)``
  /// does.
  package func digest<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches,
    path: @escaping @Sendable (Item) -> BytePath,
    deliver: @escaping @Sendable ([(item: Item, reply: DigestReply)]) async throws -> Void
  ) async throws {
    try await work(on: batches, deliver: deliver) { .digest($0.map(path)) }
  }

  /// Has a small picture made of each file, with at most `longerSide` pixels on its longer side, and hands
  /// each batch over as ``probe(_:path:deliver:)`` does.
  package func thumbnails<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches, longerSide: Int,
    file: @escaping @Sendable (Item) -> ThumbnailItem,
    deliver: @escaping @Sendable ([(item: Item, reply: ThumbnailReply)]) async throws -> Void
  ) async throws {
    try await work(on: batches, deliver: deliver) {
      .thumbnails($0.map(file), longerSide: longerSide)
    }
  }

  /// Asks what planning the export of each file needs to know, and hands each batch over as
  /// ``probe(_:path:deliver:)`` does.
  package func examine<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches,
    file: @escaping @Sendable (Item) -> ExamineItem,
    deliver: @escaping @Sendable ([(item: Item, reply: ExamineReply)]) async throws -> Void
  ) async throws {
    try await work(on: batches, deliver: deliver) { .examine($0.map(file)) }
  }

  /// Has files made. A file whose making brought a process down is begun anew, once.
  ///
  /// - Parameter progress: hears now and then how many seconds of a movie are done.
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
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<jobs {
        group.addTask { @concurrent in
          var worker = PoolWorker(
            pool: self, isWriting: isWriting, request: request, deliver: deliver, interim: interim)
          try await worker.run(batches)
        }
      }
      // One by one, so that the first failure ends the others.
      while try await group.next() != nil {}
    }
  }

  /// Every metadata tag of one file.
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

  /// What the codec program says of itself.
  package func hello() async throws -> Hello {
    switch try await converse({ $0.hello }) {
    case .value(let hello): return hello
    case .lost(let process): throw process.startFailure(executable)
    }
  }
}

/// Why no codec process can be had.
package enum CodecPoolError: Error, Sendable, Hashable, CustomStringConvertible {
  case notFound(BytePath)
  /// It may be there, but the operating system does not let this user look; the second value is its reason.
  case unreachable(BytePath, String)
  /// The operating system does not start it; the second value is its reason.
  case notStarted(BytePath, String)
  /// This process or the machine lacks descriptors, memory or processes; the value is the reason.
  case noResources(String)
  /// It ends without a greeting.
  case doesNotStart(BytePath)
  /// It runs, but says nothing.
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
