import Linux
import MediaModel
import Terminal

extension Presentation where Item == AssetRecord {
  /// The presentation of assets in `list`, with all columns.
  static var assets: Presentation {
    assets(AssetColumn.inTables.map(\.tableColumn), AssetColumn.inCSV)
  }

  /// The presentation with selected columns, in this order.
  static func assets(_ columns: [AssetColumn]) -> Presentation {
    assets(columns.map(\.tableColumn.chosen), columns)
  }

  /// The same presentation; with the paths of all files of an asset if `resources` requests them.
  func with(_ resources: ResourceChoice) -> Presentation {
    guard resources == .all else { return self }
    var presentation = self
    presentation.paths = { asset in
      var seen: Set<BytePath> = []
      return ([asset.path] + asset.resources.map(\.path)).filter { seen.insert($0).inserted }
    }
    return presentation
  }

  private static func assets(
    _ columns: [TableColumn<AssetRecord>], _ fields: [AssetColumn]
  ) -> Presentation {
    Presentation(
      columns: columns, fields: fields.map(\.field), json: { $0.value($1) }, paths: { [$0.path] })
  }
}

/// A wall time to the minute, `2022-02-16 12:55`.
func wallText(_ milliseconds: Int64) -> String {
  let text = CivilTime(millisecondsSince1970: milliseconds).iso8601
  return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
}
