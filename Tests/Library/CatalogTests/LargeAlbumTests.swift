import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// Changes of many rows in one transaction.
struct LargeAlbumTests {
  /// SQLite once reported a full disk when a statement changed more than 4 MiB.
  @Test func `an album with every asset is filled, renamed and deleted`() throws {
    let library = try SampleLibrary(count: 30_000)
    let catalog = library.catalog
    let rows = try catalog.rows(matching: AssetFilter())
    #expect(rows.count > 25_000)
    let added = try catalog.add(rows, toAlbum: "All", now: 1)
    #expect(added == AlbumAddition(title: "All", isNew: true, count: rows.count))
    #expect(try catalog.renameAlbum("all", to: "Everything").new == "Everything")
    var filter = AssetFilter()
    filter.albums = ["everything"]
    #expect(try catalog.count(matching: filter) == rows.count)
    #expect(try catalog.deleteAlbum("Everything") == "Everything")
    #expect(try catalog.count(matching: filter) == 0)
  }

  @Test func `a folder with many assets is forgotten in one statement`() throws {
    let library = try SampleLibrary(count: 30_000)
    let root = try #require(try library.catalog.roots().first).record.path
    #expect(try library.catalog.forgetRoot(root) > 25_000)
    #expect(try library.catalog.count(matching: AssetFilter()) == 0)
  }
}
