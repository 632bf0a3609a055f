/// Finds what tells a place in a JPEG, and what to write over it.
struct JPEGRedaction {
  /// Pictures inside of pictures that are looked into.
  static let maximumDepth = 4

  static func location(
    in source: any ByteSource, depth: Int = 0, keepsLength: Bool = false
  ) throws -> Redaction {
    Redaction()
  }
}
