import GRDB
import Query

extension DatabaseFunction {
  /// `comparable(text)` and `searchable(text)`, which every connection of a catalog has. Nothing that is
  /// kept in the file calls them: other programs open it, too.
  static let textFunctions = [
    text("comparable", \.comparable), text("searchable", \.searchable),
  ]

  private static func text(
    _ name: String, _ fold: @escaping @Sendable (String) -> String
  ) -> DatabaseFunction {
    DatabaseFunction(name, argumentCount: 1, pure: true) { values in
      values.first.flatMap(String.fromDatabaseValue).map(fold)
    }
  }
}
