import Foundation
import ShoeboxKit

/// A session as its page knows it.
enum SessionJSON {
  /// The fields of the response.
  static func fields(of session: PickerSession) -> [String: any Sendable] {
    let config = session.config
    var fields: [String: any Sendable] = [
      "state": session.isOpen ? "open" : session.state.rawValue,
      "selectionLimit": config.selectionLimit, "maximumSelection": session.limit,
      "ordered": config.selection == .ordered,
      "disabledCapabilities": config.disabledCapabilities.map(\.rawValue).sorted(),
      "selection": session.selection,
      "preferredAssetRepresentationMode": config.preferredAssetRepresentationMode.rawValue,
      "metadataOptions": [
        "includeLocation": !session.removesLocation, "includeCaptions": !session.removesCaptions,
        "mayIncludeLocation": !config.metadataOptions.contains(.removeLocation),
        "mayIncludeCaptions": !config.metadataOptions.contains(.removeCaptions),
      ],
    ]
    if session.isOpen {
      // Rounded up: then the time is over when the page asks again.
      fields["timeLeft"] = Int(max(0, session.expires.timeIntervalSinceNow).rounded(.up))
    }
    fields["title"] = config.title
    // Without a search field, the page does not search.
    if !config.disabledCapabilities.contains(.search) { fields["searchText"] = config.searchText }
    return fields
  }
}
