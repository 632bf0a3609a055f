import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// `assets.folder_id` is the folder of the asset's file, and `facets` lists what `assets.facets` says, whatever a
/// scan writes.
struct DerivedColumnTests {
  private static let strays = """
    SELECT (SELECT count(*) FROM assets JOIN files USING (id) WHERE assets.folder_id <> files.folder_id)
      + (SELECT count(*) FROM (
        SELECT bit, ifnull(capture_wall, -9223372036854775808), id, subtypes, is_video
        FROM assets JOIN facet_bits ON facets & bit EXCEPT SELECT * FROM facets))
      + (SELECT count(*) FROM facets)
      - (SELECT count(*) FROM assets JOIN facet_bits ON facets & bit)
    """

  private func strays(_ library: SampleLibrary) throws -> Int? {
    try library.catalog.database.read { try Int.fetchOne($0, sql: Self.strays) }
  }

  @Test(arguments: [
    "", "UPDATE assets SET subtypes = 5, capture_wall = NULL WHERE id < 9",
    "UPDATE assets SET is_missing = 1 WHERE id % 3 = 1",
    "UPDATE assets SET absorbed_by = 1 WHERE id = 5",
    "UPDATE assets SET title = 't', caption = '', rating = 0, is_duplicate = 1, is_spare = 1",
    "DELETE FROM files WHERE id < 20",
    "UPDATE assets SET is_video = 1 - is_video, capture_wall = -id",
  ])
  func triggersKeepFacets(change: String) throws {
    let library = try SampleLibrary(count: 60, with: change)
    #expect(try strays(library) == 0)
  }

  @Test func aScanWritesThem() throws {
    let library = try SampleLibrary(count: 60)
    let facts = MediaFacts(mediaType: .video, uniformType: .mpeg4)
    let label = Label(.slomo, isGiven: true, evidence: ["rate"])
    try library.catalog.write { transaction in
      for (folder, file) in [(1000, nil), (1, 5)] as [(Int64, Int64?)] {
        _ = try transaction.record(
          FileRecording(
            folderID: folder, name: Array("new.mp4".utf8), family: 1,
            stamp: FileStamp(size: 1, modified: 1, inode: 1), changed: 1, fileID: file,
            content: .media(facts, Fingerprint(bytes: [1]), [label])), now: 0)
      }
    }
    #expect(try strays(library) == 0)
    #expect(try library.catalog.count(matching: .with { $0.types = [.slomoVideos] }) >= 2)
  }
}

/// Columns that take no space say the same as those that are read.
struct GeneratedColumnTests {
  @Test(
    arguments: [
      (0, "", nil), (-1, "", 60), (1_645_016_141, "123", 60), (1_645_016_141, "12", nil),
      (1_645_016_141, "007", -90), (1_645_016_141, "000", 0), (1_645_016_141, "123456", 765),
      (-1_645_016_141, "5", nil), (-62_135_596_800, "", nil), (253_402_300_799, "999", 0),
    ] as [(Int64, String, Int?)])
  func aCaptureDateIsThatOfTheFile(seconds: Int64, fraction: String, offset: Int?) throws {
    let library = try SampleLibrary(count: 10)
    var facts = MediaFacts(mediaType: .image, uniformType: .png)
    facts.captureTime = CaptureTime(
      wallSeconds: seconds, fraction: fraction, offsetMinutes: offset, source: "exif:DateTime")
    #expect(facts.captureTime != nil)
    try library.catalog.write { transaction in
      _ = try transaction.record(
        FileRecording(
          folderID: 1000, name: Array("new.png".utf8), family: 1,
          stamp: FileStamp(size: 1, modified: 1, inode: 1), changed: 1, fileID: 1,
          content: .media(facts, Fingerprint(bytes: [1]), [])), now: 0)
    }
    let asset = try #require(try library.everything().first { $0.asset.rowID == 1 }?.asset)
    #expect(asset.captureTime == facts.captureTime)
    let text = try library.catalog.database.read {
      try String.fetchOne($0, sql: "SELECT capture_date FROM assets WHERE id = 1")
    }
    #expect(text == facts.captureTime?.iso8601)
  }
}
