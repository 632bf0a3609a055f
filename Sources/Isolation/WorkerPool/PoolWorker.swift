import Linux
import MediaModel
import WorkerProtocol

/// How a kind of work is requested.
struct BatchWork<Item: Sendable, Reply: BatchReply>: Sendable {
  /// Makes the request for some items; each item gets one reply.
  let request: @Sendable (ArraySlice<Item>) -> WorkerRequest
  /// Opens the files of an item.
  let open: @Sendable (Item, OpenRoots) throws(SystemError) -> [SharedFile]
  /// Called with replies that only report that the work on an item continues.
  var interim: @Sendable (Item, Reply) -> Void = { _, _ in }
}

/// One of the tasks that work on batches: uses worker processes in succession, and sends them batch after batch.
struct PoolWorker<Item: Sendable, Reply: BatchReply> {
  let workers: MediaWorkers
  let kind: WorkerKind
  let priority: WorkPriority
  let work: BatchWork<Item, Reply>
  /// How long the task works before it has the next one begin.
  let alone: Duration
  /// Has the next task begin.
  let begin: @Sendable () -> Void
  let deliver: @Sendable ([(item: Item, reply: Reply)]) async throws -> Void
  private var hasWorked = false
  /// Consecutive processes that ended without a greeting: the third one is reported.
  private var failedStarts = 0
  /// Whether any process has sent a greeting. If none has, one that sends nothing is another program.
  private var hasGreeted = false

  init(
    workers: MediaWorkers, kind: WorkerKind, priority: WorkPriority, work: BatchWork<Item, Reply>,
    alone: Duration, begin: @escaping @Sendable () -> Void,
    deliver: @escaping @Sendable ([(item: Item, reply: Reply)]) async throws -> Void
  ) {
    self.workers = workers
    self.kind = kind
    self.priority = priority
    self.work = work
    self.alone = alone
    self.begin = begin
    self.deliver = deliver
  }

  /// A batch in progress: its items and the replies so far, in the same order.
  private struct Batch {
    var items: [Item]
    var replies: [Reply] = []
    /// The files of the next items; nil before they are opened and requested.
    var opening: FileOpening.Outcome?
    /// Whether the first item without a reply has already ended a process.
    var isSecondTry = false

    /// The items to request next: the suspect alone, else all that are left.
    var next: ArraySlice<Item> {
      items[replies.count...].prefix(isSecondTry ? 1 : Self.maximumItems)
    }

    /// The number of items in one request: each has up to two open files.
    private static var maximumItems: Int { 100 }

    var isDone: Bool { replies.count == items.count }
    /// The items that have a reply.
    var answered: [(item: Item, reply: Reply)] {
      replies.indices.map { (item: items[$0], reply: replies[$0]) }
    }
  }

  /// Works until there are no more batches, or an interruption.
  mutating func run(_ batches: some AsyncSequence<[Item], Never> & Sendable) async throws {
    var iterator = batches.makeAsyncIterator()
    while !GracefulCancellation.isRequested, let items = await iterator.next(isolation: #isolation)
    {
      noteWork(items)
      var batch: Batch? = Batch(items: items)
      while let current = batch {
        batch = try await runProcess(from: current, drawing: &iterator)
      }
    }
  }

  private mutating func noteWork(_ items: [Item]) {
    guard !items.isEmpty, !hasWorked else { return }
    hasWorked = true
    guard alone > .zero else { return begin() }
    // A clock of its own: this task may wait for a file that hangs.
    Task { [alone, begin] in
      try? await Task.sleep(for: alone)
      begin()
    }
  }

  /// Uses one process as long as it runs. It works on the next batch while the last one is delivered.
  ///
  /// - Returns: the unfinished batch, with a failure for the file that ended the process; nil if there is
  ///   no more work.
  private mutating func runProcess<Iterator: AsyncIteratorProtocol>(
    from first: Batch, drawing iterator: inout Iterator
  ) async throws -> Batch? where Iterator.Element == [Item], Iterator.Failure == Never {
    var batch = first
    let deliver = deliver
    let slots = workers.slots(of: kind)
    let outcome = try await workers.converse(with: kind, priority: priority) {
      (conversation) -> Void? in
      while true {
        guard try await finish(&batch, with: conversation) else { return nil }
        let answered = batch.answered
        async let delivery: Void = deliver(answered)
        guard !GracefulCancellation.isRequested, !slots.isWanted(above: priority),
          let items = await iterator.next(isolation: #isolation)
        else {
          try await delivery
          return ()
        }
        noteWork(items)
        batch = Batch(items: items)
        await send(&batch, to: conversation)
        try await delivery
      }
    }
    guard case .lost(let process) = outcome else { return nil }
    batch.opening = nil
    if GracefulCancellation.isRequested {
      // The current file is left to the next run.
      if !batch.replies.isEmpty { try await deliver(batch.answered) }
      return nil
    }
    guard process.hasStarted else {
      failedStarts += 1
      guard failedStarts < 3, hasGreeted || !process.hasTimedOut else {
        throw process.startFailure(workers.configuration.executable(kind))
      }
      return batch
    }
    failedStarts = 0
    hasGreeted = true
    if batch.isSecondTry || process.isStuck {
      batch.replies.append(.failed(process.failure))
      batch.isSecondTry = false
    } else {
      batch.isSecondTry = true
    }
    guard batch.isDone else { return batch }
    try await deliver(batch.answered)
    return nil
  }

  /// Requests replies until every item of the batch has one; false if the process ended first. After an
  /// interruption, items without a reply are removed from the batch: the user waits for one file only.
  private func finish(
    _ batch: inout Batch, with conversation: Conversation
  ) async throws -> Bool {
    while !batch.isDone {
      if batch.opening == nil { await send(&batch, to: conversation) }
      guard let opening = batch.opening else { continue }
      // Indices instead of `zip`, which the compiler does not specialize here: that took 3 % of a scan.
      let (next, opened) = (batch.next, opening.opened)
      for index in 0..<min(next.count, opened.count) {
        let item = next[next.startIndex + index]
        if case .failure(let error) = opened[index] {
          // Such an error is not the file's.
          if error.isShortage { throw WorkerError.noResources(error.reason) }
          batch.replies.append(.failed(ProbeFailure(error)))
        } else {
          guard let reply = try await nextReply(for: item, from: conversation) else { return false }
          batch.replies.append(reply)
        }
        batch.isSecondTry = false
        if GracefulCancellation.isRequested {
          if !batch.isDone { conversation.abandon() }
          batch.items.removeSubrange(batch.replies.count...)
          return true
        }
      }
      // The next file could not even be opened in time.
      if opening.isNextStuck {
        batch.replies.append(.failed(.unresponsive))
        batch.isSecondTry = false
      }
      batch.opening = nil
    }
    return true
  }

  /// Opens the next files of the batch and requests replies for them.
  private func send(_ batch: inout Batch, to conversation: Conversation) async {
    let next = batch.next
    guard !next.isEmpty else { return }
    let opening = await workers.opening.open(
      next, limit: workers.configuration.fileTimeout, work.open)
    batch.opening = opening
    var items: [Item] = []
    var files: [SharedFile] = []
    for (item, opened) in zip(next, opening.opened) {
      guard case .success(let open) = opened else { continue }
      items.append(item)
      files += open
    }
    if !items.isEmpty { conversation.send(work.request(items[...]), files) }
  }

  /// The next final reply; nil if the process has ended.
  private func nextReply(
    for item: Item, from conversation: Conversation
  ) async throws -> Reply? {
    while let payload = await conversation.receive() {
      guard let reply = try? Reply(payload: payload) else { return nil }
      if !reply.isInterim { return reply }
      work.interim(item, reply)
    }
    return nil
  }
}
