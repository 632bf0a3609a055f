import Foundation
import ShoeboxKit
import Synchronization
import Testing
import Workbench

/// A limited library cannot be talked into showing more.
@Suite(.timeLimit(.minutes(2)))
struct LimitedLibraryTests {
  /// Five pictures in `private`, two in `public`; one more of each was there and is missing.
  private func bench() async throws -> (kit: KitBench, library: PhotoLibrary, allowed: [Asset.ID]) {
    let kit = try KitBench()
    for number in 1...6 { try kit.bench.addPicture("private/\(number).gif") }
    for number in 1...3 { try kit.bench.addPicture("public/\(number).gif") }
    _ = try await kit.bench.scan([kit.bench.library])
    for path in ["private/6.gif", "public/3.gif"] {
      try FileManager.default.removeItem(atPath: kit.bench.library + "/" + path)
    }
    _ = try await kit.bench.scan()
    let ids = try await kit.bench.identifiers()
    let allowed = ids.filter { $0.key.hasPrefix("public") }.map(\.value)
    #expect(allowed.count == 2 && ids.count == 7)
    return (kit, try await kit.open(), allowed)
  }

  private func ids(_ result: FetchResult) async throws -> Set<Asset.ID> {
    var ids: Set<Asset.ID> = []
    for try await asset in result { ids.insert(asset.id) }
    return ids
  }

  @Test func `by a filter`() async throws {
    let (kit, library, allowed) = try await bench()
    defer { withExtendedLifetime(kit) {} }
    let limited = library.limited(to: .album("public"))
    let filters: [AssetFilter] = [
      .everything, .any(of: [.images, .videos, .not(.images)]), .not(.album("public")),
      .any(of: []), .all(of: []), .not(.any(of: [])), .under(FilePath(kit.bench.library)),
      .under(FilePath(kit.bench.library + "/private")), .album("private"), .missing,
      .all(of: [.missing, .images]), .added(since: "1970"), .duplicates, .search("gif"),
      try .expression("images or videos"), try .expression("not album = public"),
      try .expression("album = public or album = private"), try .expression("missing"),
      try .expression("missing and path ~ private"), try .expression("any(images, not(images))"),
      try .expression("path ~ \"') OR 1=1 --\""), try .expression("(images) or (has(album))"),
    ]
    for filter in filters {
      let result = try await limited.fetchAssets(filter)
      let found = try await ids(result)
      #expect(found.isSubset(of: allowed), "\(filter)")
      #expect(try await result.count == found.count)
      #expect(try await result.buckets(by: .year).reduce(0) { $0 + $1.count } == found.count)
      #expect(try await result.albums().allSatisfy { $0.name == "public" })
      #expect(
        try await Set(result.page(at: 0, size: 100).map(\.id)) == found, "\(filter)")
    }
    #expect(try await ids(limited.fetchAssets()) == Set(allowed))
    // A handle that is limited again sees what both filters allow.
    #expect(try await ids(limited.limited(to: .album("private")).fetchAssets()) == [])
    #expect(try await ids(limited.limited(to: .everything).fetchAssets()) == Set(allowed))
    // A malformed limit allows nothing.
    let malformed = library.limited(to: .captured(from: "2023-13", through: "2023-14"))
    await #expect(throws: PhotoLibraryError.self) { _ = try await malformed.fetchAssets() }
    await #expect(throws: PhotoLibraryError.self) { _ = try await malformed.asset(allowed[0]) }
  }

  @Test func `by a cursor`() async throws {
    let (kit, library, allowed) = try await bench()
    defer { withExtendedLifetime(kit) {} }
    let limited = library.limited(to: .album("public"))
    for sort in FetchOptions.SortKey.allCases {
      for order in FetchOptions.Order.allCases {
        let options = FetchOptions(sort: sort, order: order)
        let whole = try await library.fetchAssets(options: options)
        let part = try await limited.fetchAssets(options: options)
        var cursor = try await whole.page(after: nil, size: 1).next
        while let place = cursor {
          let page = try await part.page(after: place, size: 100)
          #expect(Set(page.assets.map(\.id)).isSubset(of: allowed))
          cursor = try await whole.page(after: place, size: 1).next
        }
      }
    }
  }

  @Test func `by an id`() async throws {
    let (kit, library, allowed) = try await bench()
    let limited = library.limited(to: .album("public"))
    let all = try await ids(library.fetchAssets()).union(ids(library.fetchAssets(.missing)))
    #expect(all.count == 9)
    let target = FilePath(kit.bench.folder + "/out")
    for id in all where !allowed.contains(id) {
      #expect(try await limited.asset(id) == nil)
      #expect(try await limited.resources(of: id) == [])
      #expect(try await limited.evidence(for: id) == [])
      await #expect(throws: PhotoLibraryError.noAsset(id)) { try await limited.metadata(of: id) }
      if let path = try await library.asset(id)?.path {
        #expect(try await limited.asset(at: path) == nil)
      }
      await #expect(throws: PhotoLibraryError.noAsset(id)) {
        _ = try await limited.image(for: id, fitting: PixelSize(width: 10, height: 10))
      }
      await #expect(throws: PhotoLibraryError.noAsset(id)) { _ = try await limited.data(for: id) }
      await #expect(throws: PhotoLibraryError.noAsset(id)) {
        _ = try await limited.export([allowed[0], id], to: target)
      }
    }
    for text in ["", "%", allowed[0] + "'", String(allowed[0].prefix(8)), "*"] {
      #expect(try await limited.asset(text) == nil)
    }
    #expect(kit.files(below: target.string) == [])
    let asset = try #require(try await limited.asset(allowed[0]))
    #expect(try await limited.asset(at: asset.path) == asset)
    #expect(try await limited.metadata(of: asset.id) == library.metadata(of: asset.id))
    #expect(
      try await limited.data(for: asset.id, as: .current).filename
        == asset.path.lastComponent?.string)
    let export = try await limited.export(allowed, as: .current, to: target)
    #expect(try await export.report.count == 2)
  }

  @Test func `by changes`() async throws {
    let (kit, library, allowed) = try await bench()
    let limited = library.limited(to: .album("public"))
    // It reports what changes from when its task has begun.
    let hasBegun = Mutex(false)
    let reader = Task {
      defer { hasBegun.withLock { $0 = true } }
      var seen: [LibraryChange] = []
      for try await change in limited.changes() {
        hasBegun.withLock { $0 = true }
        seen.append(change)
        if !change.removed.isEmpty { break }
      }
      return seen
    }
    let library2 = kit.bench.library
    for number in 0..<100 where !hasBegun.withLock(\.self) {
      try kit.bench.addPicture("public/early\(number).gif")
      _ = try await kit.bench.scan()
    }
    let early = Set(
      try await kit.bench.identifiers().filter { $0.key.contains("early") }.values)
    try kit.bench.addPicture("private/new.gif")
    try FileManager.default.moveItem(
      atPath: library2 + "/private/1.gif", toPath: library2 + "/private/renamed.gif")
    _ = try await kit.bench.scan()
    try FileManager.default.moveItem(
      atPath: library2 + "/private/2.gif", toPath: library2 + "/public/moved.gif")
    _ = try await kit.bench.scan()
    let moved = try #require(try await kit.bench.identifiers()["public/moved.gif"])
    // One leaves the filter by a move, and changes outside of it do not show.
    try FileManager.default.moveItem(
      atPath: library2 + "/public/1.gif", toPath: library2 + "/private/gone.gif")
    _ = try await kit.bench.scan()
    let gone = try #require(try await kit.bench.identifiers()["private/gone.gif"])
    let changes = try await reader.value
    #expect(changes.flatMap(\.inserted).filter { !early.contains($0) } == [moved])
    // The scan may write an asset twice.
    #expect(Set(changes.flatMap(\.updated)).isSubset(of: early.union([moved, gone])))
    #expect(changes.flatMap(\.removed) == [gone])
    #expect(allowed.contains(gone))
  }
}
