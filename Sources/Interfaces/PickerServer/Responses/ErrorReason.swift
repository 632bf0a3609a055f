/// Why a request of the page failed. The page has words for it in each language, under `over`, `errors` or `notice`.
enum ErrorReason: String, Sendable {
  // How the session has ended.
  case done, cancelled, expired, ended
  // Why the page cannot be opened.
  case addressUsed, noAddress, otherBrowser
  // Why something did not work.
  case itemGone, limit, nothingChosen, choiceChanged, libraryChanged, search, unreadable, fileGone,
    damaged
  case noVideo, busy, noWorkers, noSpace, server

  /// How a session in a state has ended; ``ended`` if the host has ended it.
  init(_ state: PickerSession.State) {
    self =
      switch state {
      case .done: .done
      case .cancelled: .cancelled
      case .expired: .expired
      case .created, .opened: .ended
      }
  }
}
