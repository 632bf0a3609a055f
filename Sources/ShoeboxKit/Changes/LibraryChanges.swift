import Catalog
import Foundation

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
  /// Assets of which anything has changed: facts, path, kinds. One that was missing and has returned is here, too.
  public let updated: [Asset.ID]
  /// Assets that are not listed any more: missing, forgotten, or part of another asset, such as the clip of a live photo.
  public let removed: [Asset.ID]
}

/// The changes of a library, as an observer follows them; whichever process makes them. It ends only when its task is
/// cancelled.
public struct LibraryChanges: AsyncSequence, Sendable {
  /// What has changed since the last element.
  public typealias Element = LibraryChange
  /// ``PhotoLibraryError/cancelled``, or an error of the catalog.
  public typealias Failure = PhotoLibraryError

  fileprivate let library: PhotoLibrary
  fileprivate let token: ChangeToken?

  /// Follows the changes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(library: library, state: token?.state)
  }

  /// Waits for changes. Asking the catalog for its revision costs some 20 µs, which is less than following its files.
  public struct Iterator: AsyncIteratorProtocol {
    private static let interval = Duration.milliseconds(250)

    fileprivate let library: PhotoLibrary
    fileprivate var state: CatalogState?

    /// The next changes, all that there are since the last ones.
    public mutating func next() async throws(PhotoLibraryError) -> LibraryChange? {
      while true {
        if let known = state {
          let found = try await library.query { try $0.changes(since: known) }
          state = found?.state ?? known
          if let found, !found.isEmpty {
            return LibraryChange(
              token: ChangeToken(found.state), inserted: found.inserted, updated: found.updated,
              removed: found.removed)
          }
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
}
