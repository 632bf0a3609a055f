import Foundation
import HTTPTypes
import Logging
import ShoeboxKit

/// All sessions of a server: what hosts and people do with them, in turn.
actor PickerSessions {
  private let store: SessionStore
  private let library: PhotoLibrary
  private let lifetime: TimeInterval
  private let logger: Logger
  private var sessions: [PickerSession.ID: PickerSession] = [:]
  private var listeners: [PickerSession.ID: [UUID: AsyncStream<SessionEvent>.Continuation]] = [:]

  /// The most connections that listen to one session.
  private static let mostListeners = 16

  /// - Parameters:
  ///   - store: where sessions are kept.
  ///   - library: what people choose from.
  ///   - lifetime: how long a person may choose, in seconds.
  init(
    _ store: SessionStore, _ library: PhotoLibrary, lifetime: TimeInterval, logger: Logger
  ) throws {
    (self.store, self.library, self.lifetime, self.logger) = (store, library, lifetime, logger)
    for session in try store.sessions() { sessions[session.id] = session }
  }

  // MARK: Hosts

  /// Begins a session.
  ///
  /// - Returns: the session, and the token of its page's address.
  /// - Throws: ``APIError`` if there are too many, or a preselected item is not in the library.
  func create(_ config: PickingConfig) async throws -> (session: PickerSession, entry: Secret) {
    sweep()
    guard sessions.count < PickerLimits.sessions else { throw APIError.tooManySessions }
    let entry = Secret()
    var session = PickerSession(config, entry: entry.digest, from: Date(), for: lifetime)
    let chosen = config.preselectedAssetIdentifiers
    if !chosen.isEmpty {
      let allowed = try await library.limited(to: session.assetFilter).allowed(among: chosen)
      if let stranger = chosen.first(where: { !allowed.contains($0) }) {
        throw InvalidField(
          field: "pickingConfig.preselectedAssetIdentifiers",
          reason: "names '\(stranger.prefix(64))', which is not in the library or not in the filter"
        )
      }
      // Others have begun in the meantime.
      guard sessions.count < PickerLimits.sessions else { throw APIError.tooManySessions }
    }
    try store.save(session)
    try store.changeSelection(of: session.id, adding: chosen, removing: [])
    session.selection = chosen
    sessions[session.id] = session
    return (session, entry)
  }

  /// A session by its id.
  func session(_ id: PickerSession.ID) throws(APIError) -> PickerSession {
    sweep()
    guard let session = sessions[id] else {
      throw .notFound("There is no session with this id, or it has ended.")
    }
    return session
  }

  /// Ends a session for the host. The page of a person who is choosing reports it.
  func delete(_ id: PickerSession.ID) throws {
    let session = try session(id)
    try store.delete([id])
    sessions[id] = nil
    announce(.expired, to: session.id)
  }

  /// What happened to a session, and what happens from now on.
  func events(of id: PickerSession.ID) throws -> AsyncStream<SessionEvent> {
    let session = try session(id)
    guard listeners[id, default: [:]].count < Self.mostListeners else {
      throw APIError(
        .tooManyRequests, "RESOURCE_EXHAUSTED", "Too many connections listen to this session.")
    }
    let (events, listener) = AsyncStream.makeStream(
      of: SessionEvent.self, bufferingPolicy: .bufferingNewest(16))
    for event in session.pastEvents { listener.yield(event) }
    guard session.isOpen else {
      listener.finish()
      return events
    }
    let key = UUID()
    listeners[id, default: [:]][key] = listener
    listener.onTermination = { [weak self] _ in
      Task { await self?.removeListener(key, of: id) }
    }
    return events
  }

  private func removeListener(_ key: UUID, of id: PickerSession.ID) {
    listeners[id]?[key] = nil
    if listeners[id]?.isEmpty == true { listeners[id] = nil }
  }

  private func announce(_ event: SessionEvent, to id: PickerSession.ID) {
    for listener in listeners[id, default: [:]].values {
      listener.yield(event)
      if event.isLast { listener.finish() }
    }
  }

  // MARK: People

  /// The session whose page has an address with this token, which was not used before.
  func session(entry: Secret) throws(APIError) -> PickerSession {
    sweep()
    let digest = entry.digest
    guard let session = sessions.values.first(where: { $0.entry == digest }), session.isOpen else {
      throw .gone("This address was used before, or its time is over.", .addressUsed)
    }
    return session
  }

  /// Exchanges the token of a page's address for a cookie, once.
  func open(_ entry: Secret) throws -> (session: PickerSession, cookie: Secret) {
    var session = try session(entry: entry)
    let cookie = Secret()
    session.open(cookie: cookie.digest)
    try keep(session)
    announce(.opened, to: session.id)
    announce(.selection(count: session.selection.count), to: session.id)
    return (session, cookie)
  }

  /// The session of a page, by its id and cookie.
  ///
  /// - Parameter mustBeOpen: whether the person must still be choosing.
  func session(
    _ id: PickerSession.ID, cookie: Secret?, mustBeOpen: Bool = true
  ) throws(APIError) -> PickerSession {
    sweep()
    guard let session = sessions[id] else {
      throw .gone("This choice has ended. Ask the program for a new one.")
    }
    guard let cookie, session.cookie == cookie.digest else {
      throw APIError(
        .forbidden, "PERMISSION_DENIED",
        "This page belongs to another browser. Ask the program for a new address.", .otherBrowser)
    }
    guard session.isOpen || !mustBeOpen else {
      let message =
        switch session.state {
        case .done: "You have chosen."
        case .cancelled: "You have cancelled."
        default: "The time to choose is over. Ask the program for a new address."
        }
      throw .gone(message, ErrorReason(session.state))
    }
    return session
  }

  /// Changes what is chosen. Nothing changes if an error is thrown.
  ///
  /// - Returns: the session after the change.
  func changeSelection(
    of id: PickerSession.ID, adding added: [Asset.ID], removing removed: [Asset.ID]
  ) async throws -> PickerSession {
    let filter = try session(id).assetFilter
    let allowed = try await library.limited(to: filter).allowed(among: added)
    guard added.allSatisfy(allowed.contains) else {
      throw APIError.notFound("An item is no longer in the library.", .itemGone)
    }
    // The session as it is after the query.
    var session = try openSession(id)
    let gone = Set(removed)
    var selection = session.selection.filter { !gone.contains($0) }
    var known = Set(selection)
    let new = added.filter { known.insert($0).inserted }
    selection += new
    guard selection.count <= session.limit else {
      throw APIError.failedPrecondition(
        session.limit == 1
          ? "You can choose one item." : "You can choose up to \(session.limit) items.", .limit,
        status: .conflict)
    }
    try store.changeSelection(of: id, adding: new, removing: removed)
    session.selection = selection
    sessions[id] = session
    announce(.selection(count: selection.count), to: id)
    return session
  }

  /// Changes what results may contain.
  func changeOptions(
    of id: PickerSession.ID, includesLocation: Bool?, includesCaptions: Bool?
  ) throws -> PickerSession {
    var session = try openSession(id)
    if let includesLocation { session.includesLocation = includesLocation }
    if let includesCaptions { session.includesCaptions = includesCaptions }
    try keep(session)
    return session
  }

  /// Ends the choice. It is done only if something is chosen, and if the page shows what the session has: a change may
  /// have been lost with the connection, or made in another window.
  func end(
    _ id: PickerSession.ID, _ state: PickerSession.State, showing shown: ShownChoice = ShownChoice()
  ) throws {
    var session = try openSession(id)
    if state == .done {
      guard !session.selection.isEmpty else {
        throw APIError.failedPrecondition(
          "Nothing is chosen: choose an item, or cancel.", .nothingChosen, status: .conflict)
      }
      guard shown.agrees(with: session) else {
        throw APIError.failedPrecondition(
          "The choice or its options have changed. Check them, and choose Done again.",
          .choiceChanged, status: .conflict)
      }
    }
    session.end(state, now: Date())
    try keep(session)
    announce(state == .done ? .done : .cancelled, to: id)
  }

  /// A session that has not ended, perhaps since the request that is about it was received.
  private func openSession(_ id: PickerSession.ID) throws -> PickerSession {
    let session = try session(id)
    guard session.isOpen else { throw APIError.gone("This choice has ended.") }
    return session
  }

  private func keep(_ session: PickerSession) throws {
    try store.save(session)
    sessions[session.id] = session
  }

  // MARK: Time

  /// Ends the sessions whose time is over, and forgets those whose results can no longer be fetched.
  func sweep() {
    let now = Date()
    for session in sessions.values where session.expires <= now {
      do {
        if session.isOpen {
          var session = session
          session.end(.expired, now: now)
          try keep(session)
          announce(.expired, to: session.id)
        } else {
          try store.delete([session.id])
          sessions[session.id] = nil
        }
      } catch {
        logger.error("\(error)")
      }
    }
  }
}

extension APIError {
  /// The session has ended for the person.
  ///
  /// - Parameter reason: how it ended.
  static func gone(_ message: String, _ reason: ErrorReason = .ended) -> APIError {
    APIError(.gone, "NOT_FOUND", message, reason, headers: BrowserStorage.clearing)
  }

  fileprivate static var tooManySessions: APIError {
    APIError(
      .tooManyRequests, "RESOURCE_EXHAUSTED",
      "There are \(PickerLimits.sessions) sessions. Delete those that are not needed.",
      headers: [.retryAfter: "60"])
  }
}
