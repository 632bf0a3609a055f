import GRDB
import Migrations

/// A table, index or trigger of the schema.
struct SchemaObject {
  var type: String
  var name: String
  /// The table that it belongs to.
  var table: String
  /// The statement that creates it.
  var sql: String

  /// Whether it can be made when all rows are there: an index or a trigger, but none that belongs to a table's constraints.
  var isDerived: Bool { type == "index" || type == "trigger" }

  /// What a database has, without what SQLite has added itself.
  static func all(in database: Database) throws -> [SchemaObject] {
    try Row.fetchAll(
      database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    ).map { SchemaObject(type: $0[0], name: $0[1], table: $0[2], sql: $0[3]) }
  }

  /// What every catalog has.
  static func ofCatalogs() throws -> [SchemaObject] {
    try DatabaseQueue().write { database in
      for migration in Migration.all { try database.execute(sql: migration.sql) }
      return try all(in: database)
    }
  }
}

extension Database {
  /// Creates the indexes or triggers of the schema that are missing.
  ///
  /// - Parameter tables: those that they belong to; nil for all.
  func createMissing(_ type: String, of tables: Set<String>? = nil) throws {
    let known = Set(try SchemaObject.all(in: self).map(\.name))
    for object in try SchemaObject.ofCatalogs()
    where object.type == type && tables?.contains(object.table) != false
      && !known.contains(object.name)
    {
      try execute(sql: object.sql)
    }
  }

  /// Drops the indexes and triggers, which are made when all rows are there.
  ///
  /// - Parameter isKept: the exceptions.
  func dropDerived(except isKept: (SchemaObject) -> Bool = { _ in false }) throws {
    for object in try SchemaObject.all(in: self) where object.isDerived && !isKept(object) {
      try execute(sql: "DROP \(object.type) \(object.name)")
    }
  }
}
