import Foundation
import GRDB
import SQLite
import Testing

/// Statements that are run with values of their own kind. SQLite's functions say what arrived.
struct StatementRunTests {
  @Test(
    arguments: [
      (DatabaseValue.null, "null", nil, nil),
      (Int64.min.databaseValue, "integer", "-9223372036854775808", nil),
      (0.5.databaseValue, "real", "0.5", nil),
      ("".databaseValue, "text", "''", 0),
      ("a'b".databaseValue, "text", "'a''b'", 3),
      ("Zürich 🏔".databaseValue, "text", "'Zürich 🏔'", 8),
      (Data().databaseValue, "blob", "X''", 0),
      (Data([0, 255, 10]).databaseValue, "blob", "X'00FF0A'", 3),
    ] as [(DatabaseValue, String, String?, Int?)])
  func aValueArrives(value: DatabaseValue, type: String, literal: String?, length: Int?) throws {
    try DatabaseQueue().write { database in
      try database.execute(sql: "CREATE TABLE kept (before, value, after)")
      let statement = try database.makeStatement(sql: "INSERT INTO kept VALUES (?, ?, ?)")
      // Twice: what a statement was given before leaves nothing.
      try statement.run(["x".databaseValue, 7.databaseValue, Data([1]).databaseValue])
      try database.execute(sql: "DELETE FROM kept")
      try statement.run([.null, value, "end".databaseValue])
      let row = try #require(
        try Row.fetchOne(
          database,
          sql: "SELECT before IS NULL, typeof(value), quote(value), length(value), after FROM kept")
      )
      #expect(row[0] == true)
      #expect(row[1] == type)
      if let literal { #expect(row[2] == literal) }
      if let length { #expect(row[3] == length) }
      #expect(row[4] == "end")
    }
  }

  @Test func aConstraintThatFailsIsNamed() throws {
    try DatabaseQueue().write { database in
      try database.execute(sql: "CREATE TABLE kept (value UNIQUE)")
      let statement = try database.makeStatement(sql: "INSERT INTO kept VALUES (?)")
      try statement.run([1.databaseValue])
      let error = #expect(throws: DatabaseError.self) { try statement.run([1.databaseValue]) }
      #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
      #expect(error?.message == "UNIQUE constraint failed: kept.value")
      // The statement can be used again.
      try statement.run([2.databaseValue])
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM kept") == 2)
    }
  }

  @Test(arguments: [0, 1, 3])
  func theNumberOfValuesHasToFit(count: Int) throws {
    try DatabaseQueue().write { database in
      try database.execute(sql: "CREATE TABLE kept (a, b)")
      let statement = try database.makeStatement(sql: "INSERT INTO kept VALUES (?, ?)")
      let values = Array(repeating: DatabaseValue.null, count: count)
      #expect(throws: DatabaseError.self) { try statement.run(values) }
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM kept") == 0)
    }
  }

  @Test func identifiersDiffer() {
    let drawn = (0..<1000).map { _ in randomBytes(16) }
    #expect(drawn.allSatisfy { $0.count == 16 })
    #expect(Set(drawn).count == drawn.count)
  }
}
