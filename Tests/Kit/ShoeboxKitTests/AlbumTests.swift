import Foundation
import ShoeboxKit
import Testing
import Workbench

/// The user's albums through the kit.
struct AlbumTests {
  private func names(_ library: PhotoLibrary, _ filter: AssetFilter) async throws -> [String] {
    var names: [String] = []
    for try await asset in try await library.fetchAssets(
      filter, options: .init(sort: .name, order: .ascending))
    {
      names.append(asset.path.lastComponent?.string ?? "")
    }
    return names
  }

  private func library() async throws -> (kit: KitBench, library: PhotoLibrary, ids: [Asset.ID]) {
    let kit = try KitBench()
    for name in ["a", "b", "c"] { try kit.bench.addPicture("Trip/\(name).gif", words: name) }
    try kit.bench.addPicture("d.gif", words: "d")
    _ = try await kit.bench.bash(
      """
      echo '{"title": "A summer", "description": "", "access": "protected", "date": {"timestamp": "1500000000"}}' \
        >library/Trip/metadata.json
      """)
    _ = try await kit.bench.scan([kit.bench.library])
    let library = try await kit.open()
    return (kit, library, try await kit.ids(library))
  }

  @Test func `albums are made, filled, renamed and deleted`() async throws {
    let (kit, library, ids) = try await library()
    try await library.createAlbum("Empty")
    #expect(try await library.add([ids[0], ids[3]], toAlbum: " Best ") == 2)
    #expect(try await library.add([ids[0], ids[1]], toAlbum: "BEST") == 1)
    #expect(
      try await library.albums().map { "\($0.kind) \($0.title) \($0.count)" }
        == ["user Best 3", "user Empty 0", "takeout A summer 3"])
    #expect(
      try await library.albums(of: [.folder]).map { "\($0.title) \($0.count)" } == ["library 1"])
    #expect(try await names(library, .album("best")) == ["a.gif", "b.gif", "d.gif"])
    #expect(try await names(library, .album("a SUMMER")) == ["a.gif", "b.gif", "c.gif"])
    #expect(try await library.remove([ids[0], ids[2]], fromAlbum: "Best") == 1)
    try await library.renameAlbum("best", to: "The best")
    #expect(try await names(library, .album("The best")) == ["b.gif", "d.gif"])
    #expect(try await names(library, .album("Best")) == [])
    // What a picker shows.
    let found = try await library.fetchAssets().albums()
    #expect(
      found.map { "\($0.name) \($0.count)" } == ["A summer 3", "library 1", "The best 2"])
    let limited = library.limited(to: .album("The best"))
    #expect(
      try await limited.fetchAssets().albums().map { "\($0.name) \($0.count)" }
        == ["A summer 1", "library 1", "The best 2"])
    try await library.deleteAlbum("the BEST")
    #expect(try await library.albums(of: [.user]).map(\.title) == ["Empty"])
    #expect(try await kit.bench.query("SELECT count(*) FROM album_assets") == ["0"])
  }

  @Test func `what cannot be done is refused, and nothing is changed`() async throws {
    let (kit, library, ids) = try await library()
    try await library.add([ids[0]], toAlbum: "Best")
    let refusals: [(PhotoLibraryError, () async throws -> Void)] = [
      (
        .unknownAlbum(reason: "unknown album 'Bast': did you mean Best?"),
        { _ = try await library.remove([ids[0]], fromAlbum: "Bast") }
      ),
      (.unknownAlbum(reason: ""), { try await library.deleteAlbum("A summer") }),
      (.invalidAlbum(reason: ""), { try await library.createAlbum("BEST") }),
      (.invalidAlbum(reason: ""), { try await library.createAlbum(" \n ") }),
      (.invalidAlbum(reason: ""), { try await library.createAlbum("a\nb") }),
      (.invalidAlbum(reason: ""), { _ = try await library.add([ids[1]], toAlbum: "") }),
      (
        .unknownAsset(reason: ""),
        { _ = try await library.add([ids[1], UUID().uuidString], toAlbum: "Best") }
      ),
    ]
    for (expected, body) in refusals {
      do {
        try await body()
        Issue.record("not refused: \(expected)")
      } catch let error as PhotoLibraryError {
        switch (error, expected) {
        case (.unknownAlbum(let reason), .unknownAlbum(let wanted)):
          #expect(wanted.isEmpty || reason == wanted)
        case (.invalidAlbum, .invalidAlbum), (.unknownAsset, .unknownAsset): break
        default: Issue.record("\(error) instead of \(expected)")
        }
      }
    }
    let reader = try await kit.open(access: .readOnly)
    await #expect(throws: PhotoLibraryError.readOnly(catalog: FilePath(kit.bench.catalog))) {
      try await reader.createAlbum("x")
    }
    #expect(
      try await library.albums(of: [.user]).map { "\($0.title) \($0.count)" } == ["Best 1"])
  }

  @Test func `an asset changes with its albums`() async throws {
    let (kit, library, ids) = try await library()
    // The folder of the catalog is removed with it.
    defer { withExtendedLifetime(kit) {} }
    var changes = library.changes(since: try await library.changeToken).makeAsyncIterator()
    var updated: [Set<Asset.ID>] = []
    try await library.add([ids[0], ids[1]], toAlbum: "Best")
    updated.append(Set(try #require(await changes.next()).updated))
    try await library.add([ids[0], ids[2]], toAlbum: "Best")
    updated.append(Set(try #require(await changes.next()).updated))
    try await library.remove([ids[1], ids[3]], fromAlbum: "Best")
    updated.append(Set(try #require(await changes.next()).updated))
    try await library.renameAlbum("Best", to: "The best")
    updated.append(Set(try #require(await changes.next()).updated))
    try await library.deleteAlbum("The best")
    updated.append(Set(try #require(await changes.next()).updated))
    #expect(
      updated == [[ids[0], ids[1]], [ids[2]], [ids[1]], [ids[0], ids[2]], [ids[0], ids[2]]])
  }
}
