/// What happens to a session, for a host that listens.
enum SessionEvent: Sendable, Equatable {
  /// The person has opened the page.
  case opened
  /// The number of chosen items has changed.
  case selection(count: Int)
  /// The person has chosen.
  case done
  /// The person chose nothing.
  case cancelled
  /// The person did neither in time, or the host ended the session.
  case expired

  /// Whether no other event follows.
  var isLast: Bool {
    switch self {
    case .opened, .selection: false
    case .done, .cancelled, .expired: true
    }
  }

  /// The event's name and data in `text/event-stream`.
  var message: String {
    let (name, data) =
      switch self {
      case .opened: ("opened", "{}")
      case .selection(let count): ("selection", "{\"count\":\(count)}")
      case .done: ("done", "{}")
      case .cancelled: ("cancelled", "{}")
      case .expired: ("expired", "{}")
      }
    return "event: \(name)\ndata: \(data)\n\n"
  }
}

extension PickerSession {
  /// The events that led to the present state, for a host that begins to listen.
  var pastEvents: [SessionEvent] {
    switch state {
    case .created: []
    case .opened: [.opened, .selection(count: selection.count)]
    case .done: [.done]
    case .cancelled: [.cancelled]
    case .expired: [.expired]
    }
  }
}
