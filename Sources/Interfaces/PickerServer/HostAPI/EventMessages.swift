/// The events of a session as `text/event-stream` has them, and a comment after each period without one.
struct EventMessages: AsyncSequence, Sendable {
  private let events: AsyncStream<SessionEvent>
  private let silence: Duration

  /// - Parameters:
  ///   - events: ends the sequence when it ends.
  ///   - silence: the longest time without a message.
  init(_ events: AsyncStream<SessionEvent>, silence: Duration) {
    (self.events, self.silence) = (events, silence)
  }

  func makeAsyncIterator() -> AsyncStream<String>.Iterator {
    let (messages, writer) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(32))
    let work = Task { [events, silence] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          while (try? await Task.sleep(for: silence)) != nil { writer.yield(": alive\n\n") }
        }
        for await event in events { writer.yield(event.message) }
        group.cancelAll()
      }
      writer.finish()
    }
    writer.onTermination = { _ in work.cancel() }
    return messages.makeAsyncIterator()
  }
}
