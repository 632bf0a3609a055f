import Foundation
import ShoeboxKit

/// One choice: what a host asked for, and what a person has chosen so far.
struct PickerSession: Sendable, Codable {
  /// How far the choice is.
  enum State: String, Sendable, Codable {
    /// The person has not opened the page.
    case created
    /// The person is choosing.
    case opened
    /// The person has chosen.
    case done
    /// The person chose nothing.
    case cancelled
    /// The person did neither in time.
    case expired
  }

  /// Names the session in addresses. It grants nothing by itself.
  let id: String
  /// What the host asked for.
  let config: PickingConfig
  /// When the host asked.
  let created: Date
  /// How far the choice is.
  private(set) var state = State.created
  /// Until then the person may choose; after that, the host may fetch results.
  private(set) var expires: Date
  /// Of the token in the page's address; nil after its use.
  private(set) var entry: SecretDigest?
  /// Of the page's cookie; nil before the page is opened.
  private(set) var cookie: SecretDigest?
  /// What is chosen, in order. It is stored in a table of its own.
  var selection: [Asset.ID] = []
  /// Whether the person lets results contain places, where the host accepts them.
  var includesLocation = true
  /// Whether the person lets results contain captions, where the host accepts them.
  var includesCaptions = true

  private enum CodingKeys: String, CodingKey {
    case id, config, created, state, expires, entry, cookie, includesLocation, includesCaptions
  }

  /// A session whose page has not been opened.
  init(_ config: PickingConfig, entry: SecretDigest, from now: Date, for lifetime: TimeInterval) {
    id = UUID().uuidString.lowercased()
    (self.config, self.entry, created) = (config, entry, now)
    expires = now + lifetime
  }

  /// The most items that may be chosen.
  var limit: Int {
    config.selectionLimit == 0
      ? PickerLimits.selection : min(config.selectionLimit, PickerLimits.selection)
  }

  /// The assets that the person may see. Dates such as `7d` in the host's filter are relative to the creation of the
  /// session: a later time would exclude assets that the person has chosen.
  var assetFilter: AssetFilter {
    get throws(PhotoLibraryError) { try config.assetFilter(asOf: created) }
  }

  /// Whether the person may choose.
  var isOpen: Bool { state == .created || state == .opened }

  /// Whether results must not contain places.
  var removesLocation: Bool {
    !includesLocation || config.metadataOptions.contains(.removeLocation)
  }

  /// Whether results must not contain captions.
  var removesCaptions: Bool {
    !includesCaptions || config.metadataOptions.contains(.removeCaptions)
  }

  /// Uses the token of the page's address, which is void from now on.
  mutating func open(cookie: SecretDigest) {
    (entry, self.cookie) = (nil, cookie)
    state = .opened
  }

  /// Ends the choice. The host then has some time to fetch the results.
  mutating func end(_ state: State, now: Date) {
    (self.state, entry) = (state, nil)
    expires = max(expires, now + Self.resultLifetime)
  }

  /// How long results can be fetched at least, in seconds; Google's base URLs are valid for an hour, too.
  private static let resultLifetime: TimeInterval = 3600
}
