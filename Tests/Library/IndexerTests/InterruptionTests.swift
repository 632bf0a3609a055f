import Foundation
import GRDB
import MediaTools
import Testing

@testable import Catalog
@testable import Indexer
@testable import Query

/// An interrupted scan does not settle everything before it ends.
struct InterruptionTests {
  private let folder: ScratchFolder
  private let catalog: Catalog

  /// A catalog with so much to settle that it takes several transactions.
  init() throws {
    folder = try ScratchFolder()
    catalog = try Catalog.open(at: folder.path("catalog.sqlite"), mode: .readWrite)
    try catalog.database.write { database in
      for number in 0..<500 {
        try database.execute(
          sql: "INSERT INTO unsettled_identifiers VALUES (?)", arguments: ["\(number)"])
      }
    }
  }

  private func unsettledCount() throws -> Int {
    try catalog.read { try $0.unsettledIdentifiers(limit: .max).count }
  }

  @Test func settlingEndsBetweenTwoTransactions() async throws {
    let settlement = Settlement(catalog: catalog)
    let task = Task {
      try settlement.run { completed, _ in
        if completed > 200 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      }
    }
    try await task.value
    let left = try unsettledCount()
    #expect((1..<300).contains(left), "\(left)")
    // The next scan settles the rest.
    try settlement.run()
    #expect(try unsettledCount() == 0)
  }
}
