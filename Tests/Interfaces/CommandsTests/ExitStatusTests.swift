import Testing

@testable import Commands

/// The exit status of a command with several results.
struct ExitStatusTests {
  private typealias Status = Commands.ExitStatus

  @Test func `the order of results does not count`() {
    for first in Status.allCases {
      for second in Status.allCases {
        let result = first.moreSerious(second)
        #expect(result == second.moreSerious(first), "\(first), \(second)")
        #expect([first, second].contains(result))
        for third in Status.allCases {
          #expect(result.moreSerious(third) == first.moreSerious(second.moreSerious(third)))
        }
      }
    }
  }

  /// A missing folder has to be mended; another export ends by itself.
  @Test func `what has to be mended hides what passes`() {
    #expect(Status.inputOutput.moreSerious(.busy) == .inputOutput)
    #expect(Status.busy.moreSerious(.someFailed) == .busy)
    #expect(Status.success.moreSerious(.someFailed) == .someFailed)
    #expect(Status.inputOutput.moreSerious(.interrupted) == .interrupted)
  }
}
