import Catalog
import MediaModel

/// The beginning of `referenceURL` in a manifest, before the id.
let referencePrefix = "shoebox://asset/"

/// An asset that the user named, and how.
struct NamedAsset {
  var asset: AssetRecord
  /// Its files that were named.
  var files: Set<BytePath>
  /// Whether it was named by its id.
  var isWhole: Bool { files.isEmpty }

  /// Adds the file that another argument names of the same asset. An id names the whole asset.
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

  /// The asset that an argument names by id, `referenceURL` or path. A text that looks like an id but is not one is a
  /// path.
  ///
  /// - Throws: `AssetReferenceError`, `CatalogError`.
  func asset(named argument: String, in context: CommandContext) throws -> AssetRecord {
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
  /// Whether it looks like an id rather than a file's name.
  fileprivate var isHexadecimal: Bool {
    allSatisfy { $0 == "-" || ($0.isASCII && $0.isHexDigit) }
  }
}
