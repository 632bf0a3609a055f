import Synchronization
import Testing

@testable import WorkerPool

/// Which work gets a process first.
struct WorkerSlotsTests {
  private final class Order: Sendable {
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  /// Waits until a number of tasks wait for a place.
  private func wait(for count: Int, in slots: WorkerSlots) async {
    while slots.waiterCount < count { await Task.yield() }
  }

  @Test(.timeLimit(.minutes(1))) func urgentWorkComesFirst() async throws {
    let slots = WorkerSlots(count: 1)
    let order = Order()
    try await slots.acquire(.background)
    #expect(!slots.isWanted(above: .background))
    var tasks: [Task<Void, any Error>] = []
    for (name, priority) in [
      ("scan", WorkPriority.background), ("export", .background), ("person", .interactive),
    ] {
      tasks.append(
        Task {
          try await slots.acquire(priority)
          order.add(name)
          slots.release()
        })
      await wait(for: tasks.count, in: slots)
    }
    #expect(slots.isWanted(above: .background))
    #expect(!slots.isWanted(above: .interactive))
    slots.release()
    for task in tasks { try await task.value }
    #expect(order.all == ["person", "scan", "export"])
  }

  @Test(.timeLimit(.minutes(1))) func aCancelledTaskWaitsNoLonger() async throws {
    let slots = WorkerSlots(count: 1)
    try await slots.acquire(.background)
    let task = Task { try await slots.acquire(.interactive) }
    await wait(for: 1, in: slots)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    slots.release()
    // The place is still there.
    try await slots.acquire(.background)
  }
}
