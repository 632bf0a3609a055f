// WorkerPool: keeps the workers busy and survives their crashes.
//
// Media bytes are read in worker programs only, and such a process may crash, hang or be killed at any file. The pool
// opens the files, sends them to processes in batches, and counts the replies: the first file without a reply is the one
// that ended the process. The pool tries that file again, alone, in a new process. If that process ends too, the file is
// reported as unreadable and the other files continue. No process starts before there is a file to read. A process that
// is done waits for the next work, up to 30 seconds.

package import Linux
package import MediaEdits
package import MediaModel
import Synchronization
package import WorkerProtocol

/// The worker processes of this program, which any number of tasks may use at once.
package final class MediaWorkers: Sendable {
  package let configuration: WorkerConfiguration
  let opening = FileOpening()
  private let slots: [WorkerKind: WorkerSlots]
  private let idle = Mutex<[WorkerKind: [WorkerProcess]]>([:])
  private let reportsLack: @Sendable (String) -> Void
  private let hasReported = Atomic(false)

  /// - Parameter reportsLack: called at most once, with the levels of the sandbox that the kernel does not support.
  package init(
    _ configuration: WorkerConfiguration,
    reportingLack reportsLack: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.configuration = configuration
    self.reportsLack = reportsLack
    slots = Dictionary(
      uniqueKeysWithValues: WorkerKind.allCases.map {
        ($0, WorkerSlots(count: configuration.jobs))
      })
  }

  deinit {
    for process in idle.withLock({ $0.values.flatMap(\.self) }) { process.kill() }
  }

  func slots(of kind: WorkerKind) -> WorkerSlots {
    // There is one for each kind.
    slots[kind] ?? WorkerSlots(count: 1)
  }

  /// A warm process; nil if none waits for work.
  func takeIdle(_ kind: WorkerKind) -> WorkerProcess? {
    while let process = idle.withLock({ $0[kind]?.popLast() }) {
      if process.beginWork() { return process }
    }
    return nil
  }

  /// Keeps a process for the next work.
  func keep(_ process: WorkerProcess, _ kind: WorkerKind) {
    process.rest(atMost: configuration.idleTime)
    idle.withLock { idle in
      // Those that have ended meanwhile are forgotten.
      idle[kind] = (idle[kind] ?? []).filter(\.isAlive) + [process]
    }
  }

  /// Checks the levels of the sandbox that a new process has reported.
  ///
  /// - Throws: ``WorkerError/notConfined(_:)``.
  func check(_ sandbox: SandboxState) throws(WorkerError) {
    guard configuration.sandbox != .off, !configuration.leavesOutLandlock, let lack = sandbox.lack
    else { return }
    guard configuration.sandbox == .auto else { throw .notConfined(lack) }
    if !hasReported.exchange(true, ordering: .relaxed) { reportsLack(lack) }
  }
}

// MARK: Batches

extension MediaWorkers {
  /// Reads the facts of the files of every batch, and delivers each batch when all of its files have a reply.
  ///
  /// - Parameters:
  ///   - batches: the work; several consumers take from it concurrently. An empty first batch has a process start,
  ///     which takes the next batch.
  ///   - source: the file of an item.
  ///   - deliver: takes a batch's items with their replies, in the batch's order. An error that it throws
  ///     ends the run.
  /// - Throws: ``WorkerError`` if no process can be started.
  package func probe<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches, source: @escaping @Sendable (Item) -> SourceFile,
    deliver: @escaping @Sendable ([(item: Item, reply: ProbeReply)]) async throws -> Void
  ) async throws {
    let work = BatchWork<Item, ProbeReply>(
      request: { .probe($0.map { source($0).path }) },
      open: { (item, roots) throws(SystemError) in [try roots.open(source(item))] })
    try await run(work, by: .probe, on: batches, deliver: deliver)
  }

  /// Computes a digest of each file's whole content, and delivers each batch as
  /// ``probe(_:source:deliver:)`` does.
  package func digest<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches, source: @escaping @Sendable (Item) -> SourceFile,
    deliver: @escaping @Sendable ([(item: Item, reply: DigestReply)]) async throws -> Void
  ) async throws {
    let work = BatchWork<Item, DigestReply>(
      request: { .digest($0.map { source($0).path }) },
      open: { (item, roots) throws(SystemError) in [try roots.open(source(item))] })
    try await run(work, by: .probe, on: batches, deliver: deliver)
  }

  /// Makes a thumbnail of each file, with at most `longerSide` pixels on its longer side, and delivers each
  /// batch as ``probe(_:source:deliver:)`` does.
  package func thumbnails<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches, longerSide: Int, priority: WorkPriority = .background,
    file: @escaping @Sendable (Item) -> ThumbnailItem,
    deliver: @escaping @Sendable ([(item: Item, reply: ThumbnailReply)]) async throws -> Void
  ) async throws {
    let work = BatchWork<Item, ThumbnailReply>(
      request: { .thumbnails($0.map(file), longerSide: longerSide) },
      open: { (item, roots) throws(SystemError) in
        [try roots.open(SourceFile(file(item).path))]
      })
    try await run(work, by: .codec, priority: priority, on: batches, deliver: deliver)
  }

  /// Describes each file for planning its export, and delivers each batch as ``probe(_:source:deliver:)``
  /// does.
  package func examine<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches,
    file: @escaping @Sendable (Item) -> ExamineItem,
    deliver: @escaping @Sendable ([(item: Item, reply: ExamineReply)]) async throws -> Void
  ) async throws {
    let work = BatchWork<Item, ExamineReply>(
      request: { .examine($0.map(file)) },
      open: { (item, roots) throws(SystemError) in
        [try roots.open(SourceFile(file(item).path))]
      })
    try await run(work, by: .codec, on: batches, deliver: deliver)
  }

  /// Makes files. If a process ends while it makes a file, the file is made again, once.
  ///
  /// - Parameters:
  ///   - target: the file to fill. It is empty, or has the rest of a first try.
  ///   - progress: called from time to time with the finished seconds of a movie.
  package func render<Item: Sendable, Batches: AsyncSequence<[Item], Never> & Sendable>(
    _ batches: Batches,
    step: @escaping @Sendable (Item) -> RenderStep,
    target: @escaping @Sendable (Item) throws(SystemError) -> SharedFile,
    progress: @escaping @Sendable (Item, Double) -> Void,
    deliver: @escaping @Sendable ([(item: Item, reply: RenderReply)]) async throws -> Void
  ) async throws {
    var work = BatchWork<Item, RenderReply>(
      request: { .render($0.map(step)) },
      open: { (item, roots) throws(SystemError) in
        [try roots.open(SourceFile(step(item).source)), try target(item)]
      })
    work.interim = { item, reply in
      if case .working(let position) = reply { progress(item, position) }
    }
    try await run(work, by: .codec, on: batches, deliver: deliver)
  }

  /// Works on batches until there are no more. Files that the program passes on go to the codec program meanwhile.
  private func run<
    Item: Sendable, Reply: BatchReply, Batches: AsyncSequence<[Item], Never> & Sendable
  >(
    _ work: BatchWork<Item, Reply>, by kind: WorkerKind, priority: WorkPriority = .background,
    on batches: Batches,
    deliver: @escaping @Sendable ([(item: Item, reply: Reply)]) async throws -> Void
  ) async throws {
    guard kind == .probe else {
      return try await start(work, by: kind, priority, on: batches, deliver: deliver)
    }
    try await BatchFeed<Item>.run { passedOn in
      try await self.start(work, by: .probe, priority, on: batches) { answered in
        let items = answered.filter(\.reply.needsCodec).map(\.item)
        try await deliver(
          items.isEmpty ? answered : answered.filter { !$0.reply.needsCodec })
        if !items.isEmpty { await passedOn.send(items) }
      }
    } working: { passedOn in
      try await self.start(
        work, by: .codec, priority, on: passedOn.buffered(Self.waitingForCodec),
        alone: Self.timeForOneCodec, deliver: deliver)
    }
  }

  /// Batches that wait for the codec program: it takes ten times as long to start as the other one, which goes on
  /// meanwhile.
  private static var waitingForCodec: Int { 64 }
  /// A second process of the codec program pays only if there is work for longer than it takes to start.
  private static var timeForOneCodec: Duration { .milliseconds(200) }

  /// Runs up to ``WorkerConfiguration/jobs`` processes until there are no more batches.
  ///
  /// - Parameter alone: how long each process works before the next one starts.
  private func start<
    Item: Sendable, Reply: BatchReply, Batches: AsyncSequence<[Item], Never> & Sendable
  >(
    _ work: BatchWork<Item, Reply>, by kind: WorkerKind, _ priority: WorkPriority,
    on batches: Batches, alone: Duration = .zero,
    deliver: @escaping @Sendable ([(item: Item, reply: Reply)]) async throws -> Void
  ) async throws {
    // Each worker waits until the one before it has work, so that work for one process goes to one that has started.
    let gates = (0...configuration.jobs).map { _ in AsyncStream<Never>.makeStream() }
    gates[0].continuation.finish()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<configuration.jobs {
        group.addTask { @concurrent in
          defer { gates[number + 1].continuation.finish() }
          for await _ in gates[number].stream {}
          var worker = PoolWorker(
            workers: self, kind: kind, priority: priority, work: work, alone: alone,
            begin: { gates[number + 1].continuation.finish() }, deliver: deliver)
          try await worker.run(batches)
        }
      }
      // In order of completion, so that the first failure ends the others.
      while try await group.next() != nil {}
    }
  }
}

// MARK: Single requests

extension MediaWorkers {
  /// All metadata tags of one file.
  package func inspect(_ path: BytePath) async throws -> InspectReply {
    let reply = try await inspect(path, by: .probe)
    return reply == .passedOn ? try await inspect(path, by: .codec) : reply
  }

  private func inspect(_ path: BytePath, by kind: WorkerKind) async throws -> InspectReply {
    let limit = configuration.fileTimeout
    let opening = await opening.open([path], limit: limit) { (path, roots) throws(SystemError) in
      [try roots.open(SourceFile(path))]
    }
    guard let result = opening.opened.first else { return .failed(.unresponsive) }
    let files: [SharedFile]
    do {
      files = try result.get()
    } catch {
      return .failed(ProbeFailure(error))
    }
    let outcome = try await converse(with: kind, priority: .interactive) { conversation in
      conversation.send(.inspect(path), files)
      return try await conversation.receive().map { try InspectReply(payload: $0) }
    }
    switch outcome {
    case .value(let reply): return reply
    case .lost(let process) where process.hasStarted: return .failed(process.failure)
    case .lost(let process): throw process.startFailure(configuration.executable(kind))
    }
  }

  /// The codec program's libraries and codecs.
  package func describe() async throws -> ProgramDescription {
    try await ask(.describe, .codec) { try ProgramDescription(payload: $0) }
  }

  /// Has a worker try what its sandbox refuses.
  package func selfTest(_ kind: WorkerKind) async throws -> SelfTestReply {
    try await ask(.selfTest, kind) { try SelfTestReply(payload: $0) }
  }

  /// The levels of the sandbox that a worker has.
  package func sandbox(of kind: WorkerKind) async throws -> SandboxState {
    let outcome = try await converse(with: kind) { $0.sandbox }
    switch outcome {
    case .value(let state): return state
    case .lost(let process): throw process.startFailure(configuration.executable(kind))
    }
  }

  private func ask<Reply: Sendable>(
    _ request: WorkerRequest, _ kind: WorkerKind,
    _ decode: @escaping @Sendable ([UInt8]) throws -> Reply
  ) async throws -> Reply {
    let outcome = try await converse(with: kind, priority: .interactive) { conversation in
      conversation.send(request, [])
      return try await conversation.receive().map { try decode($0) }
    }
    switch outcome {
    case .value(let reply): return reply
    case .lost(let process): throw process.startFailure(configuration.executable(kind))
    }
  }
}
