import GRDB
import Testing

@testable import Catalog
@testable import Query

/// What a picture's own file says, kept while its sidecars speak.
struct EmbeddedValueTests {
  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary(count: 60)
  }

  private func keep(_ json: String) throws {
    try library.catalog.database.write {
      try $0.execute(
        sql: """
          UPDATE assets SET title = 'of a sidecar', caption = 'of a sidecar', rating = 1,
            latitude = 1 WHERE id = 1;
          INSERT INTO asset_details (asset_id, embedded_values) VALUES (1, ?)
            ON CONFLICT DO UPDATE SET embedded_values = excluded.embedded_values
          """, arguments: [json])
    }
  }

  private func untie() throws {
    try library.catalog.write { try $0.unlinkSidecars(fromAsset: 1) }
  }

  private func row(_ columns: String) throws -> Row? {
    try library.catalog.database.read {
      try Row.fetchOne(
        $0, sql: "SELECT \(columns) FROM assets JOIN asset_details ON asset_id = id WHERE id = 1")
    }
  }

  @Test func areGivenBackWhenTheSidecarsGo() throws {
    try keep(
      #"{"title":"caf\u00e9 \/ bar","caption":null,"rating":5,"latitude":-12.5,"keywords":["b","a"]}"#
    )
    try untie()
    #expect(
      try row("title, caption, rating, latitude, embedded_values")
        == [
          "title": "café / bar", "caption": nil, "rating": 5, "latitude": -12.5,
          "embedded_values": nil,
        ])
    let words = try library.catalog.database.read {
      try String.fetchAll($0, sql: "SELECT keyword FROM keywords WHERE asset_id = 1 ORDER BY 1")
    }
    #expect(words == ["a", "b"])
  }

  @Test func areReadAsTheyWereWritten() throws {
    var values = EmbeddedValues()
    values.columns = [
      .title: "\"/\n".databaseValue, .rating: 3.databaseValue, .altitude: 0.1.databaseValue,
      .caption: .null,
    ]
    values.keywords = []
    let json = try #require(try values.json())
    let read = try EmbeddedValues(json: json)
    #expect(read.columns == values.columns)
    #expect(read.keywords == [])
    #expect(try EmbeddedValues().json() == nil)
  }

  /// They are nowhere else: who cannot read them must not throw them away.
  @Test(arguments: ["{\"title\":\"cut o", "[]", #"{"nonsense":1}"#, #"{"title":["a"]}"#])
  func thoseThatCannotBeReadStay(json: String) throws {
    try keep(json)
    #expect(throws: CatalogError.damaged(library.catalog.path)) { try untie() }
    #expect(
      try row("title, embedded_values") == ["title": "of a sidecar", "embedded_values": json])
  }
}
