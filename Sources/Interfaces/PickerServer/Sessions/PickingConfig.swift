import Foundation
import ShoeboxKit

/// What a host lets a person choose: the names and defaults are those of `PHPickerConfiguration`, and of Google's
/// `PickingConfig` where that has the field.
struct PickingConfig: Sendable, Hashable, Codable {
  /// The order in which results are reported.
  enum Selection: String, Sendable, Codable, CaseIterable {
    /// The page shows check marks. Results are in the order chosen.
    case `default`
    /// The page numbers the items in the order chosen.
    case ordered
  }

  /// The file format of results.
  enum RepresentationMode: String, Sendable, Codable, CaseIterable {
    /// The server decides: the same as ``compatible``.
    case automatic
    /// The bytes of the library's file, of an edited picture those of the edited version.
    case current
    /// JPEG, PNG or GIF; MP4 with H.264.
    case compatible
  }

  /// Metadata that results never contain.
  enum MetadataOption: String, Sendable, Codable, CaseIterable {
    /// Coordinates and names of places.
    case removeLocation
    /// Titles, captions and comments.
    case removeCaptions
  }

  /// A part of the page that a host can leave out.
  enum Capability: String, Sendable, Codable, CaseIterable {
    /// The search field.
    case search
    /// Albums and the chips for kinds.
    case collectionNavigation
    /// Selecting several items at once.
    case selectionActions
  }

  /// The largest number of items; 0 for no limit of the host's.
  var selectionLimit = 1
  /// An expression as in `shoebox list --where`; nil for the whole library.
  var filter: String?
  /// How the page marks what is chosen.
  var selection = Selection.default
  /// Items that are chosen when the page opens, in order.
  var preselectedAssetIdentifiers: [Asset.ID] = []
  /// The file format of results.
  var preferredAssetRepresentationMode = RepresentationMode.automatic
  /// Metadata that results never contain.
  var metadataOptions: Set<MetadataOption> = []
  /// The text in the search field when the page opens.
  var searchText: String?
  /// Parts of the page that are left out.
  var disabledCapabilities: Set<Capability> = []
  /// A title for the page, such as the name of the program that asks.
  var title: String?

  /// The longest title, filter and search text, in UTF-8 bytes.
  private static let longestText = 4096

  /// The assets that the person may see.
  ///
  /// - Parameter now: what dates in the filter are relative to.
  func assetFilter(asOf now: Date) throws(PhotoLibraryError) -> AssetFilter {
    guard let filter else { return .everything }
    return try .expression(filter, now: now)
  }
}

extension PickingConfig {
  /// Reads the value of `pickingConfig` in a request.
  ///
  /// - Throws: ``InvalidField`` for an unknown field, and for a value of another type or out of range.
  init(json: JSONObject) throws(InvalidField) {
    for name in json.names where !Self.fieldNames.contains(name) {
      throw json.invalid(name, "is not a field of pickingConfig")
    }
    if let limit = try Self.limit(in: json) { selectionLimit = limit }
    filter = try json.text("filter", longest: Self.longestText)
    if filter != nil {
      let wantsMissing: Bool
      do {
        wantsMissing = try assetFilter(asOf: Date()).wantsMissing
      } catch {
        throw json.invalid("filter", "cannot be used: \(error.filterMistake)")
      }
      if wantsMissing {
        throw json.invalid("filter", "cannot be used: missing items cannot be chosen")
      }
    }
    selection = try json.word("selection") ?? .default
    preselectedAssetIdentifiers =
      try json.texts("preselectedAssetIdentifiers", most: PickerLimits.selection) ?? []
    guard Set(preselectedAssetIdentifiers).count == preselectedAssetIdentifiers.count else {
      throw json.invalid("preselectedAssetIdentifiers", "names an item twice")
    }
    guard selectionLimit == 0 || preselectedAssetIdentifiers.count <= selectionLimit else {
      throw json.invalid(
        "preselectedAssetIdentifiers",
        "has \(preselectedAssetIdentifiers.count) items, and the limit is \(selectionLimit)")
    }
    preferredAssetRepresentationMode =
      try json.word("preferredAssetRepresentationMode") ?? .automatic
    metadataOptions = try json.words("metadataOptions") ?? []
    searchText = try json.text("searchText", longest: Self.longestText)
    disabledCapabilities = try json.words("disabledCapabilities") ?? []
    title = try json.text("title", longest: Self.longestText)
  }

  private static let fieldNames: Set<String> = [
    "maxItemCount", "selectionLimit", "filter", "selection", "preselectedAssetIdentifiers",
    "preferredAssetRepresentationMode", "metadataOptions", "searchText", "disabledCapabilities",
    "title",
  ]

  /// The limit by Google's name or by Apple's; nil if neither is there.
  private static func limit(in json: JSONObject) throws(InvalidField) -> Int? {
    let limits = 0...1_000_000
    let google = try json.number("maxItemCount", in: limits)
    let apple = try json.number("selectionLimit", in: limits)
    if let google, let apple, google != apple {
      throw json.invalid("maxItemCount", "is \(google), and selectionLimit is \(apple)")
    }
    return google ?? apple
  }

  /// The fields as a response has them.
  var json: [String: any Sendable] {
    var fields: [String: any Sendable] = [
      // Google's APIs write 64-bit numbers as texts.
      "maxItemCount": String(selectionLimit), "selectionLimit": selectionLimit,
      "selection": selection.rawValue,
      "preselectedAssetIdentifiers": preselectedAssetIdentifiers,
      "preferredAssetRepresentationMode": preferredAssetRepresentationMode.rawValue,
      "metadataOptions": metadataOptions.map(\.rawValue).sorted(),
      "disabledCapabilities": disabledCapabilities.map(\.rawValue).sorted(),
    ]
    fields["filter"] = filter
    fields["searchText"] = searchText
    fields["title"] = title
    return fields
  }
}

extension PhotoLibraryError {
  /// The mistake in a filter without the words around it.
  fileprivate var filterMistake: String {
    if case .invalidFilter(let reason) = self { return reason }
    return description
  }
}
