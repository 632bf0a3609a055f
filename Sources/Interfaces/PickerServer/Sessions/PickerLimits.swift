import Foundation

/// What hosts and people may ask of one server. The values leave room for a household and refuse floods.
enum PickerLimits {
  /// The most items of one selection, where the host sets no limit.
  static let selection = 10_000
  /// The most sessions at once.
  static let sessions = 1_000
  /// Bytes of a host's request body.
  static let hostBody = 1 << 20
  /// Bytes of a page's request body: a selection of 10,000 identifiers.
  static let pageBody = 1 << 20
  /// The most connections at once; others wait.
  static let connections = 1_024
  /// Worker programs of a kind: at least one more than previews need.
  static let workers = max(2, ProcessInfo.processInfo.activeProcessorCount)
  /// Results that are made at once.
  static let renders = 2
  /// Previews that are made at once. They leave a worker to results and their plans.
  static let previews = min(renders, workers - 1)
  /// Results and previews that may wait to be made.
  static let waitingRenders = 64
  /// The time after which a preview that no page asks for is abandoned. Pages ask twice a second.
  static let previewPatience = Duration.seconds(5)
  /// Results and previews of some size that are sent at a time. A slow reader of one takes 1.5 to 3.5 MB.
  static let downloads = 32
  /// Bytes of results and previews that are kept for further requests.
  static let renditionBytes: Int64 = 4 << 30
  /// Seconds without traffic after which a connection is closed.
  static let idleSeconds: Int64 = 60
}
