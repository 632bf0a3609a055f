import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// `assets.file_folder_id` says the folder of the asset's file, whatever is written.
struct FolderColumnTests {
  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary(count: 60)
  }

  private static let strays = """
    SELECT count(*) FROM assets JOIN files ON files.id = file_id
    WHERE file_folder_id IS NOT files.folder_id
    """

  private func strays(after change: String = "") throws -> Int? {
    try library.catalog.database.write { database in
      try database.execute(
        sql: """
          INSERT INTO folders (id, root_id, parent_id, path, name) VALUES (900, 1, 1, 'x', 'x');
          \(change)
          """)
      return try Int.fetchOne(database, sql: Self.strays)
    }
  }

  @Test func theGeneratedCatalogHasIt() throws {
    #expect(try strays() == 0)
  }

  @Test(arguments: [
    "UPDATE files SET folder_id = 900 WHERE id IN (1, 2, 19)",
    "UPDATE files SET folder_id = 900, name = 'moved.jpg', status = 'present' WHERE id = 3",
    """
    INSERT INTO files (id, folder_id, name, size, modified, inode, kind, status)
      VALUES (901, 900, 'n.jpg', 1, 1, 1, 'media', 'present');
    INSERT INTO assets (id, identifier, file_id, status, media_type, uniform_type, name, size,
      added_date) VALUES (901, 'X', 901, 'present', 'image', 'public.jpeg', 'n.jpg', 1, 0)
    """,
  ])
  func itFollowsTheFile(change: String) throws {
    #expect(try strays(after: change) == 0)
    let moved = try library.listed(.with { $0.folders = [BytePath("/benchmark/library/x")] })
    let expected = try library.everything().filter { asset, isAbsorbed in
      !isAbsorbed && asset.status != .missing
        && asset.path.isWithin(BytePath("/benchmark/library/x"))
    }
    #expect(!expected.isEmpty)
    #expect(Set(moved) == Set(expected.map(\.asset.identifier)))
  }

  @Test func aScanWritesIt() throws {
    let facts = MediaFacts(mediaType: .image, uniformType: .jpeg)
    try library.catalog.write { transaction in
      for (folder, file) in [(1000, nil), (1, 5)] as [(Int64, Int64?)] {
        try transaction.record(
          FileRecording(
            folderID: folder, name: Array("new.jpg".utf8),
            stamp: FileStamp(size: 1, modified: 1, inode: 1), changed: 1, fileID: file,
            content: .media(facts, Fingerprint(bytes: [1]), [])), now: 0)
      }
    }
    #expect(try strays() == 0)
  }
}
