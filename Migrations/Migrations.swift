// Migrations: the catalog's schema as ordered SQL steps, compiled into the program.
//
// A step is a file `vN-what.sql`. Once landed it is never edited: a change to the schema is a new file
// and a new line below, so that a catalog made by any earlier version opens in this one.

/// One step of the catalog's schema.
package struct Migration: Sendable {
  /// Its name, recorded in every catalog it was applied to.
  package let name: String
  package let sql: String

  /// Every step, in order.
  package static let all = [
    Migration(name: "v1", sql: String(decoding: PackageResources.v1_catalog_sql, as: UTF8.self)),
    Migration(name: "v2", sql: String(decoding: PackageResources.v2_search_sql, as: UTF8.self)),
    Migration(name: "v3", sql: String(decoding: PackageResources.v3_folders_sql, as: UTF8.self)),
    Migration(name: "v4", sql: String(decoding: PackageResources.v4_candidates_sql, as: UTF8.self)),
    Migration(name: "v5", sql: String(decoding: PackageResources.v5_read_anew_sql, as: UTF8.self)),
    Migration(name: "v6", sql: String(decoding: PackageResources.v6_read_anew_sql, as: UTF8.self)),
    Migration(
      name: "v7", sql: String(decoding: PackageResources.v7_forms_of_texts_sql, as: UTF8.self)),
    Migration(
      name: "v8", sql: String(decoding: PackageResources.v8_changes_and_copies_sql, as: UTF8.self)),
    Migration(
      name: "v9", sql: String(decoding: PackageResources.v9_export_key_sql, as: UTF8.self)),
    Migration(name: "v10", sql: String(decoding: PackageResources.v10_families_sql, as: UTF8.self)),
  ]
}
