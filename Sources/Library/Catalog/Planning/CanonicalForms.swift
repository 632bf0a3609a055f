import Foundation
import MediaModel
import Query

// A path with accents may have two encodings that look the same. A user who types one means both.

extension BytePath {
  /// This path, and its normalization forms C and D if these differ; only the path itself if it is not text.
  var canonicalForms: [BytePath] {
    guard let text, !text.isASCII else { return [self] }
    // Strings are equal if they look the same, so their bytes are compared.
    var seen: Set<BytePath> = []
    return [
      self, BytePath(text.precomposedStringWithCanonicalMapping),
      BytePath(text.decomposedStringWithCanonicalMapping),
    ].filter { seen.insert($0).inserted }
  }
}
