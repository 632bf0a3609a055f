/// Namespaces of XMP to which others are compared.
struct Schemas: Sendable {
  private let namespaces: Set<String>
  /// The greatest length in bytes.
  private let longest: Int

  init(_ namespaces: Set<String>) {
    self.namespaces = namespaces
    longest = namespaces.map(\.utf8.count).max() ?? 0
  }

  /// Compares only namespaces that are short enough: the time must not grow with the length of a hostile one, which each
  /// property of a packet can have.
  func contains(_ namespace: String) -> Bool {
    namespace.utf8.count <= longest && namespaces.contains(namespace)
  }
}
