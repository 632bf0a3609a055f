import ShoeboxKit

/// The choice that a page shows when the person ends it. Nil stands for a part that the page does not show.
struct ShownChoice: Sendable {
  /// The chosen assets, in order.
  var selection: [Asset.ID]?
  /// Whether results contain places.
  var includesLocation: Bool?
  /// Whether results contain captions.
  var includesCaptions: Bool?

  /// Whether a session has this choice. The order counts if the page shows it.
  func agrees(with session: PickerSession) -> Bool {
    if let selection {
      let isEqual =
        session.config.selection == .ordered
        ? selection == session.selection
        : selection.count == session.selection.count && Set(selection) == Set(session.selection)
      guard isEqual else { return false }
    }
    return (includesLocation ?? !session.removesLocation) == !session.removesLocation
      && (includesCaptions ?? !session.removesCaptions) == !session.removesCaptions
  }
}
