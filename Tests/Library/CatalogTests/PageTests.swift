import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// Pages after a position.
struct PageTests {
  /// Of the sample's assets, some have no time of capture, and many have equal times, names and sizes.
  private static let extra = """
    UPDATE assets SET capture_wall = NULL, capture_offset = NULL WHERE id % 13 = 0;
    UPDATE assets SET capture_wall = 1500000000000 WHERE id % 7 = 0 AND capture_wall IS NOT NULL;
    UPDATE assets SET size = 4096, name = 'same.jpg' WHERE id % 5 = 0;
    UPDATE files SET size = 4096, name = 'same.jpg' WHERE id % 5 = 0
    """

  private func pages(
    _ library: SampleLibrary, _ filter: AssetFilter, _ order: AssetOrder, size: Int
  ) throws -> [String] {
    var order = order
    order.limit = size
    var identifiers: [String] = []
    var position: AssetPosition?
    while true {
      let page = try library.catalog.page(matching: filter, in: order, after: position)
      #expect(page.count <= size)
      identifiers += page.map(\.identifier)
      guard let last = page.last, page.count == size else { return identifiers }
      position = AssetPosition(after: last, in: order.key)
      try #require(identifiers.count <= 10_000)
    }
  }

  /// The pages at multiples of a size.
  private func jumps(
    _ library: SampleLibrary, _ filter: AssetFilter, _ order: AssetOrder, size: Int
  ) throws -> [String] {
    var identifiers: [String] = []
    var range = order
    range.limit = size
    for offset in stride(from: 0, through: 10_000, by: size) {
      range.offset = offset
      let page = try library.catalog.page(matching: filter, inRangeOf: range)
      identifiers += page.map(\.identifier)
      if page.count < size { break }
    }
    return identifiers
  }

  @Test(arguments: AssetOrder.Key.allCases, [false, true])
  func `pages joined are the whole listing`(key: AssetOrder.Key, isReversed: Bool) throws {
    let library = try SampleLibrary(count: 1500, with: Self.extra)
    let order = AssetOrder(key, isReversed: isReversed)
    let filters: [Condition] = [
      .any([.type(.images), .type(.videos)]), .type(.videos), .type(.screenshots),
      .not(.type(.screenshots)), .missing, .has(.location), .not(.has(.captureDate)),
      .all([.type(.images), .comparison(.year, .number(.equal, 2017))]),
      .comparison(.name, .text(.like, "*1*")),
    ]
    for condition in filters {
      var filter = AssetFilter()
      filter.expressions = [condition]
      let whole = try library.listed(filter, order)
      for size in [7, 100, 5000] {
        #expect(try pages(library, filter, order, size: size) == whole, "\(condition), \(size)")
        let jumped = try jumps(library, filter, order, size: max(size, 60))
        #expect(jumped == whole, "\(condition), \(size)")
      }
    }
  }

  @Test func `pages of random conditions are the whole listing`() throws {
    let library = try SampleLibrary(count: 1500, with: Self.extra)
    var maker = ConditionMaker(seed: 20_261_123)
    for _ in 0..<120 {
      var filter = AssetFilter()
      filter.expressions = [maker.condition(depth: 3)]
      guard filter.canBeAsked, !filter.expressions[0].mixesMissing else { continue }
      let order = maker.order()
      #expect(
        try pages(library, filter, order, size: 97) == library.listed(filter, order),
        "\(filter.expressions[0]), \(order)")
      #expect(
        try jumps(library, filter, order, size: 397) == library.listed(filter, order),
        "\(filter.expressions[0]), \(order)")
    }
  }

  @Test func `an asset that is removed between pages leaves no gap`() throws {
    let library = try SampleLibrary(count: 500)
    let order = AssetOrder(.captureDate, limit: 50)
    let before = try library.listed(AssetFilter())
    let first = try library.catalog.page(matching: AssetFilter(), in: order, after: nil)
    let last = try #require(first.last)
    let position = AssetPosition(after: last, in: .captureDate)
    try library.catalog.write {
      try $0.execute("DELETE FROM files WHERE id = ?", [last.rowID])
      try $0.execute("DELETE FROM assets WHERE id = ?", [last.rowID])
    }
    let second = try library.catalog.page(matching: AssetFilter(), in: order, after: position)
    #expect(second.map(\.identifier) == Array(before[50..<100]))
  }
}
