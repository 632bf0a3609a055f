import Foundation
import MediaModel
import Query

// A path with accents may be written in two ways that look the same. Who types one of them means both.

extension BytePath {
  /// This path as it stands, and as Unicode's normalization forms C and D where these differ; one that is no
  /// text stands for itself alone.
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
