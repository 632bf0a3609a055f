import Catalog
import Foundation
import Query

/// A state of a library, for asking later what has changed since, as `PHPersistentChangeToken` is on Apple's systems.
/// A text that may be stored; one from last month still works. It expires when another catalog takes the place of its own,
/// such as a backup (``PhotoLibraryError/expiredToken``).
public struct ChangeToken: Sendable, Hashable, Codable, CustomStringConvertible,
  LosslessStringConvertible
{
  let state: CatalogState

  init(_ state: CatalogState) { self.state = state }

  /// Reads the text of a token.
  public init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 5 else { return nil }
    let numbers = parts.prefix(3).compactMap { Int64($0) }
    let digests = parts.suffix(2).compactMap { UInt64($0, radix: 16) }
    guard numbers.count == 3, digests.count == 2, numbers.allSatisfy({ $0 >= 0 }) else {
      return nil
    }
    state = CatalogState(
      revision: numbers[0], lastRow: numbers[1], lastScan: numbers[2], origin: digests[0],
      lastChange: digests[1])
  }

  /// Digits, letters and dots.
  public var description: String {
    let numbers = [state.revision, state.lastRow, state.lastScan].map { String($0) }
    let digests = [state.origin, state.lastChange].map { String($0, radix: 16) }
    return (numbers + digests).joined(separator: ".")
  }
}

/// The changes in a library, as `PHChange` is on Apple's systems.
public struct LibraryChange: Sendable, Hashable, Codable {
  /// The state after the change.
  public let token: ChangeToken
  /// Assets that were added. They may be of any kind and status.
  public let inserted: [Asset.ID]
  /// Assets of which anything has changed: facts, texts, keywords, people, path, kinds, albums, files. One that was
  /// missing and has returned is here, too: take an asset that is new to you as inserted. While a scan has visited only
  /// one of the two folders of a file that was moved, its asset may be removed for a moment.
  public let updated: [Asset.ID]
  /// Assets that are not listed any more: missing, forgotten, or part of another asset, such as the clip of a live photo.
  /// After a token an asset may be here that was not listed then: it has returned and gone again, or been forgotten, since.
  /// A sequence reports no asset as removed twice in a row.
  public let removed: [Asset.ID]
}

extension LibraryChange {
  fileprivate var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty }

  /// A change without the assets that an observer already knows to be gone.
  fileprivate init(_ changes: CatalogChanges, except absent: Set<Asset.ID>) {
    token = ChangeToken(changes.state)
    (inserted, updated) = (changes.inserted, changes.updated)
    removed = changes.removed.filter { !absent.contains($0) }
  }
}

/// The changes of a library, as an observer follows them; whichever process makes them. It ends only when its task is
/// cancelled, or when another catalog takes the library's place.
public struct LibraryChanges: AsyncSequence, Sendable {
  /// The changes since the last element.
  public typealias Element = LibraryChange
  /// ``PhotoLibraryError/cancelled``, ``PhotoLibraryError/expiredToken``, or an error of the catalog.
  public typealias Failure = PhotoLibraryError

  fileprivate let library: PhotoLibrary
  fileprivate var token: ChangeToken?
  /// The filter of the assets that may be reported; nil for all.
  fileprivate var limit: AssetFilter?

  /// Follows the changes. Without a token they begin now: this reads the catalog's state on the caller's thread, and in a
  /// ``LimitedLibrary`` the ids of all allowed assets, which takes about a second for a million.
  public func makeAsyncIterator() -> Iterator {
    Iterator(library: library, limit: limit, state: token?.state)
  }

  /// Waits for changes by asking the catalog for its revision. That takes about 50 ms of processor time a minute, most of
  /// it for waking up, as `PRAGMA data_version` would. Following the log file by inotify would cost nothing while nothing
  /// happens, but wakes at each of the thousands of writes of a scan, and fails on network file systems.
  public struct Iterator: AsyncIteratorProtocol {
    private static let interval = Duration.milliseconds(500)

    fileprivate let library: PhotoLibrary
    fileprivate let limit: AssetFilter?
    /// The last state that was reported, or why it could not be read.
    private var state: Result<CatalogState, PhotoLibraryError>
    /// The assets that the limit matched at that state.
    private var allowed: Set<Asset.ID> = []
    /// The assets whose texts a scan had not written into the search index yet when the limit was compared with them. It
    /// may match them later without another change of theirs.
    private var unsearched: Set<Asset.ID> = []
    /// The assets that were reported as removed, and not since as anything else. One that returned and went again while
    /// no observer asked is not reported a second time.
    private var absent: Set<Asset.ID> = []

    fileprivate init(library: PhotoLibrary, limit: AssetFilter?, state: CatalogState?) {
      (self.library, self.limit) = (library, limit)
      do {
        if let state {
          self.state = .success(state)
        } else if let filter = try limit?.query() {
          let (now, matches) = try library.read { try $0.state(matching: filter) }
          (self.state, allowed, unsearched) = (.success(now), matches.matching, matches.unsearched)
        } else {
          self.state = .success(try library.read { try $0.state() })
        }
      } catch {
        self.state = .failure(PhotoLibraryError(error, catalog: library.configuration.catalog))
      }
    }

    /// The next changes, all that there are since the last ones.
    public mutating func next() async throws(PhotoLibraryError) -> LibraryChange? {
      while true {
        let known = try state.get()
        if let found = try await library.query({ try $0.changes(since: known) }) {
          state = .success(found.state)
          let change = LibraryChange(found, except: absent)
          absent.subtract(change.inserted)
          absent.subtract(change.updated)
          absent.formUnion(change.removed)
          let shown = try await limited(change)
          if !shown.isEmpty { return shown }
        }
        do {
          try await Task.sleep(for: Self.interval)
        } catch {
          throw .cancelled
        }
      }
    }

    /// The part of a change that the limit shows, which may be nothing.
    private mutating func limited(
      _ change: LibraryChange
    ) async throws(PhotoLibraryError) -> LibraryChange {
      guard let filter = try limit?.query() else { return change }
      let changed = change.inserted + change.updated
      let waiting = unsearched.subtracting(changed).subtracting(change.removed)
      let found = try await library.query {
        try $0.matches(among: changed, andSearched: waiting, matching: filter)
      }
      let (before, matching) = (allowed, found.matching)
      let all = changed + waiting.subtracting(found.unsearched).sorted()
      let gone = (all + change.removed).filter { before.contains($0) && !matching.contains($0) }
      allowed.formUnion(matching)
      allowed.subtract(gone)
      unsearched = found.unsearched
      return LibraryChange(
        token: change.token,
        inserted: all.filter { matching.contains($0) && !before.contains($0) },
        updated: changed.filter { matching.contains($0) && before.contains($0) }, removed: gone)
    }

    /// The next changes, all that there are since the last ones.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PhotoLibraryError) -> LibraryChange? {
      try await next()
    }
  }
}

extension PhotoLibrary {
  /// The current state, for ``changes(since:)``.
  nonisolated public var changeToken: ChangeToken {
    get async throws(PhotoLibraryError) {
      ChangeToken(try await query { try $0.state() })
    }
  }

  /// The changes in the library, by this process or another one, within a second.
  ///
  /// - Parameter token: where to begin; nil for when the sequence's iterator is made.
  nonisolated public func changes(since token: ChangeToken? = nil) -> LibraryChanges {
    LibraryChanges(library: self, token: token)
  }

  /// The changes among the assets of a filter, from when the sequence's iterator is made.
  nonisolated func changes(limitedTo limit: AssetFilter) -> LibraryChanges {
    LibraryChanges(library: self, limit: limit)
  }
}
