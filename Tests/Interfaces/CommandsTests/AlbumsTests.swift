import Foundation
import Linux
import MediaModel
import Testing

@testable import Commands

struct AlbumsTests {
  let bench: CommandBench

  init() throws {
    bench = try CommandBench()
  }

  /// The first letters of the identifiers that a list prints: A is a live photo, B a screenshot, C a picture, E unreadable.
  private func listed(_ arguments: String...) async throws -> String {
    let run = await bench.run(["list", "--format", "jsonl", "--sort", "size"] + arguments)
    #expect(run.status == .success)
    return try run.lines.map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return String((object?["id"] as? String ?? "?").prefix(1))
    }.sorted().joined()
  }

  /// Kind, title and count of each album.
  private func albums() async throws -> [String] {
    let run = await bench.run("albums", "--format", "json", "--folders")
    let objects = try JSONSerialization.jsonObject(with: Data(run.bytes)) as? [[String: Any]] ?? []
    return objects.map { "\($0["kind"] ?? "") \($0["title"] ?? "") \($0["count"] ?? "")" }
  }

  @Test func `an album is filled by filters and files`() async throws {
    #expect(try await listed() == "ABCE")
    #expect(try await albums() == ["folder library 3", "folder 旅行 1"])
    let added = await bench.run("albums", "add", "Best pictures", "--has-location", "--type", "raw")
    #expect(added.messages == ["no asset matches: nothing to add"])
    let two = await bench.run("albums", "add", "Best pictures", "--since", "2022")
    #expect(two.status == .success)
    #expect(two.messages == ["added 2 assets to the new album 'Best pictures'"])
    #expect(try await listed("--album", "BEST pictures") == "AB")
    #expect(try await listed("--where", "album = 'best pictures'") == "AB")
    #expect(try await listed("--where", "album != 'best pictures'") == "CE")
    let again = await bench.run("albums", "add", "best pictures", "--type", "screenshots")
    #expect(again.messages == ["added 0 assets to 'Best pictures'"])
    // By the clip of the live photo, and by a prefix of an id.
    _ = await bench.run("albums", "add", "旅行", "\(bench.root)/a.mov", "CCCCCCCC")
    #expect(try await listed("--album", "旅行") == "ABC")
    #expect(try await listed("--album", "旅行", "--type", "screenshots") == "B")
    #expect(try await listed("--album", "旅行", "--album", "library") == "ABCE")
    #expect(
      try await albums() == [
        "user Best pictures 2", "user 旅行 2", "folder library 3", "folder 旅行 1",
      ])
    let table = await bench.run("albums")
    #expect(
      table.lines.map { $0.split(separator: " ").joined(separator: " ") }
        == ["KIND COUNT ALBUM", "user 2 Best pictures", "user 2 旅行"])
    let asset = await bench.run("list", "--type", "live", "--format", "json")
    let objects = try JSONSerialization.jsonObject(with: Data(asset.bytes)) as? [[String: Any]]
    #expect(objects?.first?["albums"] as? [String] == ["Best pictures", "旅行"])
    #expect(await bench.run("show", "\(bench.root)/a.jpg").text.contains("Best pictures, 旅行"))
    let stats = await bench.run("stats", "--album", "best pictures", "--format", "json")
    #expect(stats.text.contains("\"count\":2"))
    _ = await bench.run("list", "--album", "Best pictures", "--save", "saved")
    #expect(try await listed("--saved", "saved") == "AB")

    let removed = await bench.run("albums", "remove", "best PICTURES", "--album", "旅行")
    #expect(removed.messages == ["removed 2 assets from 'Best pictures'"])
    #expect(try await listed("--album", "best pictures") == "")
    let nothing = await bench.run("albums", "remove", "Best pictures", "\(bench.root)/a.jpg")
    #expect(nothing.messages == ["none of the assets is in 'Best pictures': nothing to remove"])
    let renamed = await bench.run("albums", "rename", "best pictures", "Empty")
    #expect(renamed.messages == ["renamed 'Best pictures' to 'Empty'"])
    #expect(await bench.run("albums", "delete", "EMPTY").messages == ["deleted the album 'Empty'"])
    #expect(try await albums() == ["user 旅行 2", "folder library 3", "folder 旅行 1"])
  }

  /// An asset that is missing stays in its album, and is not counted.
  @Test func `missing assets stay in an album`() async throws {
    let added = await bench.run("albums", "add", "Lost", "--missing")
    #expect(added.messages == ["added 1 asset to the new album 'Lost'"])
    #expect(try await listed("--album", "Lost") == "")
    #expect(try await listed("--album", "Lost", "--missing") == "D")
    let run = await bench.run("albums", "--format", "jsonl")
    #expect(
      run.lines == [#"{"kind":"user","title":"Lost","count":0,"missingCount":1}"#])
  }

  @Test func `mistakes are named`() async throws {
    _ = await bench.run("albums", "add", "Summer", "\(bench.root)/a.jpg")
    await bench.expectRefusal(
      of: ["list", "--album", "Sumer"], .badData, "unknown album 'Sumer': did you mean Summer?")
    await bench.expectRefusal(
      of: ["albums", "delete", "Sumer"], .badData, "unknown album 'Sumer': did you mean Summer?")
    await bench.expectRefusal(
      of: ["albums", "remove", "Sumer", "\(bench.root)/a.jpg"], .badData,
      "unknown album 'Sumer': did you mean Summer?")
    await bench.expectRefusal(
      of: ["albums", "add", "Summer"], .usage,
      "no assets: name some, or use a filter such as --since 2024")
    await bench.expectRefusal(
      of: ["albums", "add", "Summer", "\(bench.root)/a.jpg", "--type", "videos"], .usage,
      "name assets or use filters, but not both")
    await bench.expectRefusal(
      of: ["albums", "add", "", "\(bench.root)/a.jpg"], .badData,
      "'' is not an album title: use 1 to 200 characters on one line")
    let none = await bench.run("albums", "add", "None", "--since", "2200")
    #expect(none.status == .success && none.messages == ["no asset matches: nothing to add"])
    let unknown = await bench.run("albums", "add", "None", "/no/such.jpg")
    #expect(unknown.status == .someFailed && unknown.messages.count == 1)
    await bench.expectRefusal(
      of: ["albums", "delete", "library"], .badData, "the album 'library' is a folder")
    await bench.expectRefusal(
      of: ["albums", "rename", "Summer", "a\nb"], .badData, "is not an album title")
    #expect(
      try await albums() == ["user Summer 1", "folder library 3", "folder 旅行 1"])
  }
}
