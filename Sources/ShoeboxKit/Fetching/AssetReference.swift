import Catalog
import Linux
package import MediaModel
import Query
public import SystemPackage

extension PhotoLibrary {
  /// The asset that a file belongs to: a picture, a video, or any of the other files of an asset. Nil if none does.
  ///
  /// - Parameter path: absolute, without symbolic links. Accents may be composed in another way than in the name.
  nonisolated public func asset(at path: FilePath) async throws(PhotoLibraryError) -> Asset? {
    try await query { catalog in
      do {
        let record = try catalog.asset(.path(BytePath(path)))
        return try catalog.assets([record], visible: Query::AssetFilter()).first
      } catch is AssetReferenceError {
        return nil
      }
    }
  }

  /// The beginning of `referenceURL` in a manifest, before the id.
  package static let referencePrefix = "shoebox://asset/"

  /// The asset that a text names by id, the beginning of an id, `referenceURL` or path, on the caller's thread. A text
  /// that looks like an id but is not one is a path.
  ///
  /// - Parameter paths: the absolute paths that the text may name; the first that the catalog has counts.
  /// - Throws: ``PhotoLibraryError/unknownAsset(reason:)``, and what `paths` throws.
  nonisolated package func record(
    named text: String, paths: (String) throws -> [BytePath]
  ) throws -> AssetRecord {
    try read { catalog in
      if text.isEmpty { throw AssetReferenceError.shortIdentifier("") }
      if text.hasPrefix(Self.referencePrefix) {
        let identifier = String(text.dropFirst(Self.referencePrefix.count))
        guard identifier.count >= 6 else { throw AssetReferenceError.shortIdentifier(identifier) }
        return try catalog.asset(.identifier(identifier))
      }
      do {
        return try catalog.asset(.identifier(text))
      } catch AssetReferenceError.unknownIdentifier {
        do {
          return try catalog.asset(at: paths(text))
        } catch AssetReferenceError.unknownPath where text.isHexadecimal {
          guard text.count >= 6 else { throw AssetReferenceError.shortIdentifier(text) }
          throw AssetReferenceError.unknownIdentifier(text)
        }
      }
    }
  }
}

extension Catalog {
  /// The asset at the first of some paths that the catalog has.
  ///
  /// - Throws: for the last path, as ``asset(_:)``.
  fileprivate func asset(at paths: [BytePath]) throws -> AssetRecord {
    for path in paths.dropLast() {
      do { return try asset(.path(path)) } catch AssetReferenceError.unknownPath {}
    }
    return try asset(.path(paths.last ?? BytePath("/")))
  }
}

extension String {
  /// Whether it looks like an id rather than a file's name.
  fileprivate var isHexadecimal: Bool {
    allSatisfy { $0 == "-" || ($0.isASCII && $0.isHexDigit) }
  }
}
