import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// Which assets have parts, asked one by one and by sets.
struct PartHoldersTests {
  @Test func setsSayWhatSingleQuestionsSay() throws {
    // A sidecar, and a clip inside the file.
    let library = try SampleLibrary(
      count: 2000,
      with: """
        INSERT INTO sidecars (file_id, kind) VALUES (3, 'xmp');
        INSERT INTO asset_sidecars VALUES (1, 3, 0);
        INSERT INTO asset_details (asset_id, clip_offset, clip_length) VALUES (5, 100, 200)
          ON CONFLICT DO UPDATE SET clip_offset = 100, clip_length = 200;
        """)
    let held = try library.catalog.database.read { database in
      let ids = try Int64.fetchAll(database, sql: "SELECT id FROM assets") + [0, -1, 1 << 40]
      var alone = PartHolders(singleQuestions: .max)
      var sets = PartHolders(singleQuestions: 0)
      return try ids.map {
        (
          id: $0, alone: try alone.parts(ofAsset: $0, in: database),
          sets: try sets.parts(ofAsset: $0, in: database)
        )
      }
    }
    for asset in held { #expect(asset.alone == asset.sets, "\(asset.id)") }
    func parts(_ id: Int64) -> AssetParts? { held.first { $0.id == id }?.sets }
    #expect(parts(1)?.contains(.resources) == true)
    #expect(parts(5)?.contains(.resources) == true)
    #expect(parts(1 << 40) == [])
    // The generator gives a tenth of its assets a keyword, and as many are live photos with a clip.
    for (part, count) in [
      (AssetParts.keywords, 150...250), (.resources, 150...250), (.labels, 200...400),
    ] {
      #expect(count.contains(held.count { $0.sets.contains(part) }), "\(part)")
    }
  }
}
