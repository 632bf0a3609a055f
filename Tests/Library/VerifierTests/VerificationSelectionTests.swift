import Testing

@testable import Verifier

/// Which files a run reads.
struct VerificationSelectionTests {
  @Test func `files of any size give back what they have not used`() {
    let files: [VerificationSelection.Candidate] = (1...3).map { ($0, .max, false) }
    var all = VerificationSelection(files, .all)
    #expect(all.next(3) == [1, 2, 3])
    #expect(all.giveBack([1, 2, 3]) == 0)
    var limited = VerificationSelection(files, .bytes(10))
    #expect(limited.next(3) == [1])
    #expect(limited.giveBack([1]) == 1)
    #expect(limited.next(3) == [2])
  }
}
