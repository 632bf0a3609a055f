import Catalog
import Linux
import MediaModel
import Testing

@testable import Verifier

/// What a file's content and times say, in all combinations.
struct FileJudgementTests {
  private static let recorded: [UInt8] = [1]
  private static let other: [UInt8] = [2]
  private static let scanned = Fingerprint(bytes: [3])

  /// A status with these values; a real file's, changed.
  private func status(
    size: Int64 = 10, modified: Int64 = 100, changed: Int64 = 100, inode: UInt64 = 7
  ) throws -> FileStatus {
    var status = try FileStatus(of: BytePath("/"))
    status.stamp = FileStamp(size: size, modified: modified, inode: inode)
    status.changed = changed
    return status
  }

  /// A file as the last scan saw it, with the content that was recorded at times 100.
  private func file(
    scanned modified: Int64 = 100, size: Int64 = 10, isKnown: Bool = true, isYoung: Bool = false
  ) -> FileToVerify {
    FileToVerify(
      id: 1, path: BytePath("/photos/a.jpg"), root: BytePath("/photos"),
      stamp: FileStamp(size: size, modified: modified, inode: 7),
      fingerprint: Self.scanned, isYoung: isYoung,
      content: isKnown
        ? RecordedContent(
          digest: Self.recorded, stamp: FileStamp(size: 10, modified: 100, inode: 7), changed: 100)
        : nil, outcome: nil)
  }

  @Test func `other content with the recorded times is bit rot`() throws {
    #expect(try FileJudgement(Self.other, status(), file()) == .rotted(.untouched))
    // chmod, or a copy of the whole library.
    #expect(try FileJudgement(Self.other, status(changed: 900), file()) == .rotted(.touched))
    #expect(try FileJudgement(Self.other, status(inode: 8), file()) == .rotted(.touched))
    // The scan has seen an earlier state only.
    #expect(try FileJudgement(Self.other, status(), file(scanned: 50)) == .rotted(.untouched))
  }

  @Test func `other content with another time or size is an edit, once a scan has seen it`() throws
  {
    #expect(try FileJudgement(Self.other, status(modified: 200), file(scanned: 200)) == .edited)
    #expect(try FileJudgement(Self.other, status(size: 11), file(size: 11)) == .edited)
    #expect(try FileJudgement(Self.other, status(modified: 200), file()) == .unscanned)
    #expect(try FileJudgement(Self.other, status(size: 11), file()) == .unscanned)
  }

  @Test func `the recorded content is sound with any times`() throws {
    #expect(try FileJudgement(Self.recorded, status(), file()) == .equal)
    #expect(try FileJudgement(Self.recorded, status(modified: 300), file()) == .equal)
    #expect(
      try FileJudgement(Self.recorded, status(changed: 300, inode: 9), file(scanned: 300)) == .equal
    )
  }

  @Test func `the first content is recorded if a scan has seen it`() throws {
    #expect(try FileJudgement(Self.other, status(), file(isKnown: false)) == .first)
    #expect(
      try FileJudgement(Self.other, status(modified: 200), file(isKnown: false)) == .unscanned)
  }

  @Test func `the first check compares with the fingerprint of the last scan`() throws {
    let changed = Fingerprint(bytes: [4])
    let new = file(isKnown: false)
    #expect(try FileJudgement(Self.other, fingerprint: Self.scanned, status(), new) == .first)
    #expect(
      try FileJudgement(Self.other, fingerprint: changed, status(), new) == .rotted(.sinceScan))
    #expect(
      try FileJudgement(Self.other, fingerprint: changed, status(modified: 200), new) == .unscanned)
    let young = file(isKnown: false, isYoung: true)
    #expect(try FileJudgement(Self.other, fingerprint: changed, status(), young) == .unscanned)
    #expect(try FileJudgement(Self.other, fingerprint: Self.scanned, status(), young) == .first)
  }
}
