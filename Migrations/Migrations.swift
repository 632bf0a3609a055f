// Migrations: the catalog's schema as SQL, compiled into the program.
//
// Until the first release there is one schema, `v1-catalog.sql`, which may still change. From then on a released
// step never changes: a change to the schema is a new file `vN-what.sql` and a new element of `all`.

/// One step of the catalog's schema.
package struct Migration: Sendable {
  /// The number that it leaves in the file's header (`PRAGMA user_version`).
  package let version: Int
  package let sql: String

  /// Every step, in order.
  package static let all = [
    Migration(version: 1, sql: String(decoding: PackageResources.v1_catalog_sql, as: UTF8.self))
  ]

  /// The version of the schema after all steps.
  package static var latest: Int { all.last?.version ?? 0 }
}
