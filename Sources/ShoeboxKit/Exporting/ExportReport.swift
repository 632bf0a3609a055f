/// The result of an export, also of one that was cancelled or ended by an error.
public struct ExportReport: Sendable, Hashable {
  /// The assets that came to an end, in the plan's order. Those that were not begun are not among them.
  public let items: [ExportedItem]
  /// Whether the export was cancelled before it was done. Files that are complete stay.
  public let isInterrupted: Bool
  /// The error that ended the export before it was done, for example a full disk; nil if it was completed.
  public let failure: PhotoLibraryError?

  init(_ outcomes: ExportOutcomes, bursts: [String: Int]) {
    items = outcomes.lines.map { ExportedItem($0, bursts: bursts) }
    (isInterrupted, failure) = (outcomes.isInterrupted, outcomes.failure)
  }
}
