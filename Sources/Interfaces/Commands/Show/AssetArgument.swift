import Catalog
import MediaModel

/// What `referenceURL` in a manifest begins with; an id follows.
let referencePrefix = "shoebox://asset/"

/// An asset that the user named, and how.
struct NamedAsset {
  var asset: Asset
  /// Its files that were named.
  var files: Set<BytePath>
  /// Whether it was named by its id.
  var isWhole: Bool { files.isEmpty }

  /// Adds what another argument named of the same asset: an id names the whole of it.
  mutating func merge(_ other: NamedAsset) {
    files = isWhole || other.isWhole ? [] : files.union(other.files)
  }
}

extension Catalog {
  /// The asset that an argument names, with the file if the argument is a path.
  ///
  /// - Throws: `AssetReferenceError`, `CatalogError`.
  func namedAsset(_ argument: String, in context: CommandContext) throws -> NamedAsset {
    let asset = try asset(named: argument, in: context)
    let file = try? asset.file(at: context.path(argument))
    return NamedAsset(asset: asset, files: file.map { [$0] } ?? [])
  }

  /// The one asset that an argument names: an id if it looks like one and is one; else a path. A
  /// manifest's `referenceURL` has nothing but an id.
  ///
  /// - Throws: `AssetReferenceError`, `CatalogError`.
  func asset(named argument: String, in context: CommandContext) throws -> Asset {
    if argument.isEmpty { throw AssetReferenceError.shortIdentifier("''") }
    if argument.hasPrefix(referencePrefix) {
      return try asset(.identifier(String(argument.dropFirst(referencePrefix.count))))
    }
    do {
      return try asset(.identifier(argument))
    } catch AssetReferenceError.unknownIdentifier {
      do {
        return try asset(.path(context.path(argument)))
      } catch AssetReferenceError.unknownPath where argument.isHexadecimal {
        guard argument.count >= 6 else {
          throw AssetReferenceError.shortIdentifier(argument)
        }
        throw AssetReferenceError.unknownIdentifier(argument)
      }
    }
  }
}

extension String {
  /// Whether it was meant as an id rather than as a file's name.
  fileprivate var isHexadecimal: Bool {
    allSatisfy { $0 == "-" || ($0.isASCII && $0.isHexDigit) }
  }
}
