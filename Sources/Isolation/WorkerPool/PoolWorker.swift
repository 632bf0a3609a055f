import Linux
import MediaModel
import WorkerProtocol

/// One of the pool's workers: runs codec processes in succession, and sends them batch after batch.
struct PoolWorker<Item: Sendable, Reply: BatchReply> {
  let pool: CodecPool
  /// Makes the request for some items; each item gets one reply.
  let request: @Sendable (ArraySlice<Item>) -> CodecRequest
  let deliver: @Sendable ([(item: Item, reply: Reply)]) async throws -> Void
  /// Called with replies that only report that the work on an item continues.
  let interim: @Sendable (Item, Reply) -> Void
  /// Called when the worker has taken files.
  let begin: @Sendable () -> Void
  /// Whether the processes may create files.
  let isWriting: Bool
  /// Consecutive processes that ended without a greeting: the third one is reported.
  private var failedStarts = 0
  /// Whether any process has sent a greeting. If none has, one that sends nothing is another program.
  private var hasGreeted = false

  init(
    pool: CodecPool, isWriting: Bool,
    request: @escaping @Sendable (ArraySlice<Item>) -> CodecRequest,
    deliver: @escaping @Sendable ([(item: Item, reply: Reply)]) async throws -> Void,
    interim: @escaping @Sendable (Item, Reply) -> Void,
    begin: @escaping @Sendable () -> Void
  ) {
    self.begin = begin
    self.pool = pool
    self.isWriting = isWriting
    self.request = request
    self.deliver = deliver
    self.interim = interim
  }

  /// A batch in progress: its items and the replies so far, in the same order.
  private struct Batch {
    var items: [Item]
    var replies: [Reply] = []
    /// Whether the first item without a reply has already ended a process.
    var isSecondTry = false

    /// The items to request next: the suspect alone, else all that are left.
    var next: ArraySlice<Item> {
      isSecondTry ? items[replies.count...].prefix(1) : items[replies.count...]
    }
    var isDone: Bool { replies.count == items.count }
    /// The items that have a reply.
    var answered: [(item: Item, reply: Reply)] {
      zip(items, replies).map { (item: $0, reply: $1) }
    }
  }

  /// Works until there are no more batches, or an interruption.
  mutating func run(_ batches: some AsyncSequence<[Item], Never> & Sendable) async throws {
    var iterator = batches.makeAsyncIterator()
    while !GracefulCancellation.isRequested, let items = await iterator.next(isolation: #isolation)
    {
      if !items.isEmpty { begin() }
      var batch: Batch? = Batch(items: items)
      while let current = batch {
        batch = try await runProcess(from: current, drawing: &iterator)
      }
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
    let outcome = try await pool.converse(isWriting: isWriting) { (conversation) -> Void? in
      var isAsked = false
      while true {
        guard try await finish(&batch, isAsked: isAsked, with: conversation) else { return nil }
        conversation.rest()
        let answered = batch.answered
        async let delivery: Void = deliver(answered)
        guard !GracefulCancellation.isRequested,
          let items = await iterator.next(isolation: #isolation)
        else {
          try await delivery
          return ()
        }
        if !items.isEmpty { begin() }
        batch = Batch(items: items)
        conversation.send(request(batch.next))
        isAsked = true
        // The time limit is for the codec process, not for the catalog.
        conversation.rest()
        try await delivery
      }
    }
    guard case .lost(let process) = outcome else { return nil }
    if GracefulCancellation.isRequested {
      // The current file is left to the next run.
      if !batch.replies.isEmpty { try await deliver(batch.answered) }
      return nil
    }
    guard process.hasStarted else {
      failedStarts += 1
      guard failedStarts < 3, hasGreeted || !process.hasTimedOut else {
        throw process.startFailure(pool.executable)
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
  ///
  /// - Parameter isAsked: whether the first request has already been sent.
  private func finish(
    _ batch: inout Batch, isAsked: Bool, with conversation: Conversation
  ) async throws -> Bool {
    while !batch.isDone {
      let asked = batch.next
      if !isAsked || !batch.replies.isEmpty { conversation.send(request(asked)) }
      for item in asked {
        guard let reply = try await nextReply(for: item, from: conversation) else { return false }
        batch.replies.append(reply)
        batch.isSecondTry = false
        if GracefulCancellation.isRequested {
          batch.items.removeSubrange(batch.replies.count...)
          return true
        }
      }
    }
    return true
  }

  /// The next final reply; nil if the process has ended.
  private func nextReply(
    for item: Item, from conversation: Conversation
  ) async throws -> Reply? {
    while let payload = await conversation.receive() {
      guard let reply = try? Reply(payload: payload) else { return nil }
      if !reply.isInterim { return reply }
      interim(item, reply)
    }
    return nil
  }
}
