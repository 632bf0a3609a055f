import Foundation
import MediaModel

// A name with accents may be written in two ways that look the same. Who types one of them means both:
// files from old Macs have the decomposed one, keyboards give the composed one.

extension String {
  /// This text as it stands, and as Unicode's normalization forms C and D where these differ.
  var canonicalForms: [String] {
    if utf8.allSatisfy({ $0 < 0x80 }) { return [self] }
    // Strings are equal if they look the same, so their bytes are compared.
    var seen: Set<[UInt8]> = []
    return [self, precomposedStringWithCanonicalMapping, decomposedStringWithCanonicalMapping]
      .filter { seen.insert(Array($0.utf8)).inserted }
  }
}

extension BytePath {
  /// The forms that the accents in a path may have; one that is no text stands for itself alone.
  var canonicalForms: [BytePath] {
    text?.canonicalForms.map { BytePath($0) } ?? [self]
  }
}
