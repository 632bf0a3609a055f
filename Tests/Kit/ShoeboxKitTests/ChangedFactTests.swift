import Foundation
import ShoeboxKit
import SystemPackage
import Testing
import Workbench

/// Which assets an observer hears of, when something changes that is not in their own files.
struct ChangedFactTests {
  /// A library of some pictures, each old enough that the next scan does not read it again.
  private func library(
    of names: [String], access: PhotoLibrary.Access = .readWrite
  ) async throws -> (kit: KitBench, library: PhotoLibrary, ids: [String: Asset.ID]) {
    let kit = try KitBench()
    for name in names { try kit.bench.addPicture(name) }
    try await kit.bench.letFilesAge()
    _ = try await kit.bench.scan([kit.bench.library])
    return (kit, try await kit.open(access: access), try await kit.bench.identifiers())
  }

  /// Writes an XMP sidecar with one keyword.
  private func writeKeyword(_ keyword: String, to path: String, _ bench: Workbench) async throws {
    let text = """
      <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
      <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'>
      <dc:subject><rdf:Bag><rdf:li>\(keyword)</rdf:li></rdf:Bag></dc:subject>
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    try Data(text.utf8).write(to: URL(filePath: bench.library + "/" + path))
    try await bench.letFilesAge()
  }

  @Test(.timeLimit(.minutes(2)))
  func `an asset changes with its edited version, which was never listed`() async throws {
    let kit = try KitBench()
    let bench = kit.bench
    try await bench.bash(
      """
      cd library
      convert -size 64x48 xc:red IMG_0009.JPG
      convert -size 64x48 xc:lime IMG_E0009.JPG
      """)
    try await bench.letFilesAge()
    let library = try await kit.open()
    _ = try await library.scan([FilePath(bench.library)]).report
    let ids = try await kit.ids(library)
    #expect(ids.count == 1)
    let id = try #require(ids.first)
    let size = PixelSize(width: 32, height: 32)
    let before = try #require(try await library.asset(id))
    let picture = try await library.image(for: id, fitting: size)
    var changes = library.changes().makeAsyncIterator()

    try await bench.bash("convert -size 64x48 xc:blue library/IMG_E0009.JPG")
    try await bench.letFilesAge()
    #expect(try await library.scan().report.changed == 1)
    let change = try #require(try await changes.next())
    #expect((change.inserted, change.updated, change.removed) == ([], [id], []))
    #expect(try #require(try await library.asset(id)).revision > before.revision)
    #expect(try await library.image(for: id, fitting: size).data != picture.data)

    // Only what was listed is removed.
    try await bench.bash("rm library/IMG_0009.JPG library/IMG_E0009.JPG")
    _ = try await library.scan().report
    let end = try #require(try await changes.next())
    #expect((end.inserted, end.updated, end.removed) == ([], [], [id]))
  }

  @Test(.timeLimit(.minutes(2)))
  func `an asset changes with the keywords of its sidecar`() async throws {
    let (kit, library, ids) = try await library(of: ["a.gif", "b.gif"], access: .readOnly)
    let (bench, id) = (kit.bench, try #require(ids["a.gif"]))
    var all = library.changes().makeAsyncIterator()
    var some = library.limited(to: .keyword("beach")).changes().makeAsyncIterator()

    try await writeKeyword("beach", to: "a.gif.xmp", bench)
    _ = try await bench.scan()
    #expect(try await all.next()?.updated == [id])
    let appearance = try #require(try await some.next())
    #expect((appearance.inserted, appearance.updated, appearance.removed) == ([id], [], []))

    // A scan that finds everything as it was changes nothing.
    let revisions = "SELECT sum(revision) FROM assets"
    let before = try await bench.query(revisions)
    _ = try await bench.scan()
    #expect(try await bench.query(revisions) == before)

    try await writeKeyword("forest", to: "a.gif.xmp", bench)
    _ = try await bench.scan()
    #expect(try await all.next()?.updated == [id])
    let end = try #require(try await some.next())
    #expect((end.inserted, end.updated, end.removed) == ([], [], [id]))

    try await bench.bash("rm library/a.gif.xmp")
    _ = try await bench.scan()
    #expect(try await all.next()?.updated == [id])
  }

  @Test(.timeLimit(.minutes(2)))
  func `a limited library reports what its search finds when a scan has indexed it`() async throws {
    let (kit, library, ids) = try await library(
      of: ["beach1.gif", "beach2.gif", "forest.gif"], access: .readOnly)
    // As between the two transactions of a scan that record assets and their texts.
    _ = try await kit.bench.query(
      "DELETE FROM asset_search; UPDATE search_progress SET last_asset_id = 0")
    let limited = library.limited(to: .search("beach"))
    #expect(try await limited.fetchAssets().count == 0)
    var changes = limited.changes().makeAsyncIterator()
    _ = try await kit.bench.scan()
    #expect(try await limited.fetchAssets().count == 2)
    let change = try #require(try await changes.next())
    #expect(
      change.inserted.sorted() == ["beach1.gif", "beach2.gif"].compactMap { ids[$0] }.sorted())
    #expect((change.updated, change.removed) == ([], []))
  }

  @Test(.timeLimit(.minutes(2)))
  func `all assets of a library folder that moves change`() async throws {
    let (kit, library, ids) = try await library(of: ["a.gif", "deep/folder/b.gif"])
    let moved = kit.bench.folder + "/moved"
    var changes = library.changes().makeAsyncIterator()
    try FileManager.default.moveItem(atPath: kit.bench.library, toPath: moved)
    _ = try await library.moveFolder(FilePath(kit.bench.library), to: FilePath(moved))
    let change = try #require(try await changes.next())
    #expect(change.updated.sorted() == ids.values.sorted())
    #expect((change.inserted, change.removed) == ([], []))
    for id in ids.values {
      #expect(try await library.asset(id)?.path.starts(with: FilePath(moved)) == true)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `changes begin when the iterator is made`() async throws {
    let (kit, library, ids) = try await library(of: ["a.gif", "b.gif"])
    defer { withExtendedLifetime(kit) {} }
    let id = try #require(ids["a.gif"])
    var all = library.changes().makeAsyncIterator()
    var some = library.limited(to: .album("Best")).changes().makeAsyncIterator()
    try await library.add([id], toAlbum: "Best")
    #expect(try await all.next()?.updated == [id])
    #expect(try await some.next()?.inserted == [id])
  }

  @Test(.timeLimit(.minutes(2)))
  func `assets of exports and duplicates are those of a fetch`() async throws {
    let kit = try KitBench()
    try await kit.bench.bash(
      """
      cd library
      for i in 1 2 3; do convert -size 32x2$i xc:red "20200101_120000_00$i.jpg"; done
      cp 20200101_120000_001.jpg copy.jpg
      """)
    let library = try await kit.open()
    _ = try await library.scan([FilePath(kit.bench.library)]).report
    var fetched: [Asset] = []
    for try await asset in try await library.fetchAssets(.bursts) { fetched.append(asset) }
    #expect(fetched.map(\.burstCount) == [3, 3, 3])
    let export = try await library.export(
      fetched.map(\.id), as: .current, to: FilePath(kit.bench.folder + "/out"))
    #expect(try await Set(export.plan.map(\.asset)) == Set(fetched))
    #expect(try await Set(export.report.map(\.asset)) == Set(fetched))
    let groups = try await library.duplicates()
    #expect(groups.count == 1)
    for asset in groups.flatMap({ [$0.keeper] + $0.spares.map(\.asset) }) {
      #expect(try await library.asset(asset.id) == asset)
    }
  }
}
