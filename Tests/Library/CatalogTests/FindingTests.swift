import Foundation
import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

struct FindingTests {
  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary(
      count: 300,
      with: """
        UPDATE assets SET identifier = x'ABCDEF01234546788ABC00000000000A' WHERE id = 3;
        UPDATE assets SET identifier = x'ABCDEF01234546788ABD00000000000B' WHERE id = 5;
        UPDATE files SET name = x'FF2E4A5047' WHERE id = 7;
        INSERT INTO folders (id, root_id, parent_id, path, name)
          VALUES (900001, 1, 1, 'cafe' || char(769), 'cafe' || char(769));
        UPDATE files SET folder_id = 900001, name = 'B' || char(233) || '.jpg' WHERE id = 11;
        UPDATE files SET folder_id = 900001, name = 'Be' || char(769) || '.jpg' WHERE id = 9;
        UPDATE files SET folder_id = 900001, name = char(233) || '.jpg' WHERE id = 13;
        """)
  }

  private func found(_ text: String) throws -> Int64 {
    try library.catalog.asset(.identifier(text)).rowID
  }

  @Test func anIdentifierOrItsBeginningNamesAnAsset() throws {
    #expect(try found("ABCDEF01-2345-4678-8ABC-00000000000A") == 3)
    #expect(try found("abcdef01234546788abd00000000000b") == 5)
    #expect(try found("abcdef01-2345-4678-8abc") == 3)
    #expect(try found("ABCDEF0123454678-8abd") == 5)
  }

  @Test func whatSeveralBeginWithNamesTheCandidates() throws {
    let error = #expect(throws: AssetReferenceError.self) { try found("abcdef") }
    guard case .ambiguous("abcdef", let candidates) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      candidates.map(\.identifier) == [
        "ABCDEF01-2345-4678-8ABC-00000000000A", "ABCDEF01-2345-4678-8ABD-00000000000B",
      ])
  }

  @Test(arguments: ["", "abcde", "123456", "ABCDEF~", "ABCDEF%", "abcdefg", "--------", "АBCDEF"])
  func whatNothingBeginsWithIsUnknown(text: String) {
    #expect(throws: AssetReferenceError.unknownIdentifier(text)) { try found(text) }
  }

  @Test func anyOfItsFilesNamesAnAsset() throws {
    let live = try #require(
      try library.everything().first { $0.asset.subtypes.contains(.livePhoto) }?.asset)
    let whole = try library.catalog.asset(.identifier(live.identifier))
    for resource in whole.resources {
      #expect(try library.catalog.asset(.path(resource.path)).identifier == live.identifier)
    }
    #expect(whole.resources.count == 2)
  }

  @Test func aNameThatIsNotUTF8IsFound() throws {
    let path = try library.catalog.asset(.path(pathOfSeven())).path
    #expect(path.bytes.suffix(5) == [0xFF, 0x2E, 0x4A, 0x50, 0x47])
  }

  /// é is U+00E9, or U+0065 and U+0301 (Unicode Standard Annex 15); names of either kind lie in a folder
  /// of the second.
  @Test(arguments: [
    ("cafe\u{301}/\u{E9}.jpg", 13), ("caf\u{E9}/\u{E9}.jpg", 13),
    ("cafe\u{301}/e\u{301}.jpg", 13), ("caf\u{E9}/e\u{301}.jpg", 13),
    ("cafe\u{301}/B\u{E9}.jpg", 11), ("cafe\u{301}/Be\u{301}.jpg", 9),
  ])
  func accentsMayBeComposedOtherwise(path: String, row: Int64) throws {
    let path = BytePath("/benchmark/library/" + path)
    #expect(try library.catalog.asset(.path(path)).rowID == row)
  }

  private func pathOfSeven() throws -> BytePath {
    try #require(try library.everything().first { $0.asset.rowID == 7 }).asset.path
  }

  @Test(arguments: ["/", "", "/benchmark/library", "/benchmark/library/no.jpg", "/elsewhere/a.jpg"])
  func aPathThatIsNoAssetIsUnknown(path: String) {
    #expect(throws: AssetReferenceError.unknownPath(BytePath(path))) {
      try library.catalog.asset(.path(BytePath(path)))
    }
  }
}
