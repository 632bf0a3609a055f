import Catalog
import Foundation
import Query

/// A state of a library, for asking later what has changed since, as `PHPersistentChangeToken` is on Apple's systems.
/// A text that may be stored; one from last month still works.
public struct ChangeToken: Sendable, Hashable, Codable, CustomStringConvertible,
  LosslessStringConvertible
{
  let state: CatalogState

  init(_ state: CatalogState) { self.state = state }

  /// Reads the text of a token.
  public init?(_ description: String) {
    let numbers = description.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 2, let revision = Int64(numbers[0]), let lastRow = Int64(numbers[1]),
      revision >= 0, lastRow >= 0
    else { return nil }
    state = CatalogState(revision: revision, lastRow: lastRow)
  }

  /// Two numbers.
  public var description: String { "\(state.revision).\(state.lastRow)" }
}

/// What has changed in a library, as `PHChange` is on Apple's systems.
public struct LibraryChange: Sendable, Hashable, Codable {
  /// The state after the change.
  public let token: ChangeToken
  /// Assets that were added. They may be of any kind and status.
  public let inserted: [Asset.ID]
  /// Assets of which anything has changed: facts, path, kinds. One that was missing and has returned is here, too: take
  /// an asset that is new to you as inserted. While a scan has visited only one of the two folders of a file that was
  /// moved, its asset may be removed for a moment.
  public let updated: [Asset.ID]
  /// Assets that are not listed any more: missing, forgotten, or part of another asset, such as the clip of a live photo.
  /// After a token an asset may be here that was removed before it and has returned and gone again, or been forgotten,
  /// since. A sequence reports no asset as removed twice in a row.
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
/// cancelled.
public struct LibraryChanges: AsyncSequence, Sendable {
  /// What has changed since the last element.
  public typealias Element = LibraryChange
  /// ``PhotoLibraryError/cancelled``, or an error of the catalog.
  public typealias Failure = PhotoLibraryError

  fileprivate let library: PhotoLibrary
  fileprivate var token: ChangeToken?
  /// The filter of the assets that may be reported; nil for all.
  fileprivate var limit: AssetFilter?

  /// Follows the changes.
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
    fileprivate var state: CatalogState?
    /// The assets that the limit matched at that state.
    private var allowed: Set<Asset.ID> = []
    /// The assets that were reported as removed, and not since as anything else. One that returned and went again while
    /// no observer asked is not reported a second time.
    private var absent: Set<Asset.ID> = []

    fileprivate init(library: PhotoLibrary, limit: AssetFilter?, state: CatalogState?) {
      (self.library, self.limit, self.state) = (library, limit, state)
    }

    /// The next changes, all that there are since the last ones.
    public mutating func next() async throws(PhotoLibraryError) -> LibraryChange? {
      while true {
        if let known = state {
          let found = try await library.query { try $0.changes(since: known) }
          state = found?.state ?? known
          if let found {
            let change = LibraryChange(found, except: absent)
            absent.subtract(change.inserted)
            absent.subtract(change.updated)
            absent.formUnion(change.removed)
            if !change.isEmpty, let shown = try await limited(change) { return shown }
          }
        } else if let filter = try limit?.query() {
          (state, allowed) = try await library.query { try $0.state(matching: filter) }
        } else {
          state = try await library.query { try $0.state() }
        }
        do {
          try await Task.sleep(for: Self.interval)
        } catch {
          throw .cancelled
        }
      }
    }

    /// What the limit shows of a change; nil for nothing.
    private mutating func limited(
      _ change: LibraryChange
    ) async throws(PhotoLibraryError) -> LibraryChange? {
      guard let filter = try limit?.query() else { return change }
      let changed = change.inserted + change.updated
      let matching = try await library.query {
        try $0.identifiers(among: changed, matching: filter)
      }
      let before = allowed
      let gone = (changed + change.removed).filter { before.contains($0) && !matching.contains($0) }
      allowed.formUnion(matching)
      allowed.subtract(gone)
      let seen = changed.filter(matching.contains)
      let shown = LibraryChange(
        token: change.token, inserted: seen.filter { !before.contains($0) },
        updated: seen.filter(before.contains), removed: gone)
      return seen.isEmpty && gone.isEmpty ? nil : shown
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

  /// What changes in the library, in this process or another one, within a second.
  ///
  /// - Parameter token: where to begin; nil for now.
  nonisolated public func changes(since token: ChangeToken? = nil) -> LibraryChanges {
    LibraryChanges(library: self, token: token)
  }

  /// What changes from now on among the assets of a filter.
  nonisolated func changes(limitedTo limit: AssetFilter) -> LibraryChanges {
    LibraryChanges(library: self, limit: limit)
  }
}
