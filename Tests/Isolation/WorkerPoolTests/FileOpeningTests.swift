import Foundation
import Linux
import Synchronization
import Testing

@testable import WorkerPool

/// The time limit for opening files. It is that of one file, however many are opened by one call.
@Suite(.timeLimit(.minutes(1)))
struct FileOpeningTests {
  private let opening = FileOpening()

  @Test func `slow files are opened by several calls`() async {
    var left = Array(0..<8)[...]
    var calls = 0
    while !left.isEmpty {
      let outcome = await opening.open(left, limit: .seconds(1)) { _, _ in
        usleep(250_000)
        return []
      }
      #expect(!outcome.isNextStuck)
      guard !outcome.opened.isEmpty else { break }
      left = left.dropFirst(outcome.opened.count)
      calls += 1
    }
    #expect(left.isEmpty)
    #expect(calls > 1, "a worker would wait for all of them")
  }

  @Test func `a file that cannot be opened in time is the next one`() async {
    let gate = Gate()
    let outcome = await opening.open([0, 1, 2, 3][...], limit: .seconds(2)) { item, _ in
      usleep(50_000)
      if item == 2 { gate.wait() }
      return []
    }
    #expect(outcome.opened.count == 2)
    #expect(outcome.isNextStuck)
    gate.open()
  }

  /// Calls that hang occupy as many threads as there are at first.
  @Test func `files of other disks wait for no file that hangs`() async {
    let gate = Gate()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { [opening] in
          let outcome = await opening.open([0][...], limit: .seconds(1)) { _, _ in
            gate.wait()
            return []
          }
          #expect(outcome.isNextStuck)
        }
      }
      group.addTask { [opening] in
        // The others have the threads.
        try? await Task.sleep(for: .milliseconds(200))
        let outcome = await opening.open([0][...], limit: .seconds(5)) { _, _ in [] }
        #expect(outcome.opened.count == 1)
        #expect(!outcome.isNextStuck)
      }
    }
    gate.open()
  }

  /// Blocks threads until it is opened.
  private final class Gate: Sendable {
    private let isOpen = Atomic(false)

    func wait() { while !isOpen.load(ordering: .relaxed) { usleep(10_000) } }
    func open() { isOpen.store(true, ordering: .relaxed) }
  }
}
