/// Something a user typed that does not mean what it should.
package struct BadValue: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ value: String, _ complaint: String) {
    let shown = value.count > 60 ? value.prefix(60) + "…" : value
    description = "'\(shown)' \(complaint)"
  }
}
