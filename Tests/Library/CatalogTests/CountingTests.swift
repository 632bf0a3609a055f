import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// Counts by month and by album, compared with a plain loop over the listing.
struct CountingTests {
  /// Some assets have no time of capture, one is of the first day of the calendar, and some are of the last milliseconds
  /// of months.
  private static let extra = """
    UPDATE assets SET capture_wall = NULL, capture_offset = NULL WHERE id % 13 = 0;
    UPDATE assets SET capture_wall = -62135596800000 WHERE id = 5;
    UPDATE assets SET capture_wall = -1 WHERE id = 7;
    UPDATE assets SET capture_wall = 1501545599999 WHERE id = 9;
    UPDATE assets SET capture_wall = 1501545600000 WHERE id = 11;
    UPDATE assets SET title = 'x' WHERE id % 17 = 0;
    """

  private static func filter(_ conditions: Condition...) -> AssetFilter {
    var filter = AssetFilter()
    filter.expressions = [.all(conditions)]
    return filter
  }

  /// The months of the listing, newest first, unknown last.
  private func months(
    _ library: SampleLibrary, _ filter: AssetFilter
  ) throws -> [String] {
    var counts: [String: Int] = [:]
    try library.catalog.forEachAsset(matching: filter, with: []) {
      counts[$0.captureDate.map { String($0.prefix(7)) } ?? "", default: 0] += 1
    }
    return counts.sorted { $0.key > $1.key }.map { "\($0.key) \($0.value)" }
  }

  private func check(
    _ library: SampleLibrary, _ filter: AssetFilter
  ) throws {
    let counted = try library.catalog.months(matching: filter)
    #expect(
      try counted.map { "\($0.start.map { $0.iso8601.prefix(7) } ?? "") \($0.count)" }
        == months(library, filter), "\(filter.expressions)")
    // The one that everything else is counted by.
    #expect(
      try counted.reduce(0) { $0 + $1.count } == library.catalog.count(matching: filter))
  }

  @Test func `months are those of the listing`() throws {
    let library = try SampleLibrary(count: 2500, with: Self.extra)
    let year = Condition.comparison(.year, .number(.equal, 2017))
    let since = Condition.comparison(.year, .number(.atLeast, 2015))
    let all = Condition.any([.type(.images), .type(.videos)])
    for filter in [
      AssetFilter(), Self.filter(all), Self.filter(.type(.images)), Self.filter(.type(.videos)),
      Self.filter(.type(.livePhotos)), Self.filter(.type(.images), year),
      Self.filter(.type(.screenshots), year), Self.filter(year), Self.filter(year, since),
      Self.filter(.any([.type(.videos), .type(.livePhotos)]), since),
      Self.filter(.type(.images), .type(.hdr)), Self.filter(.type(.images), .not(.type(.hdr))),
      Self.filter(.missing), Self.filter(.missing, .type(.images)), Self.filter(.has(.title)),
      Self.filter(.has(.title), .type(.videos)), Self.filter(.not(.has(.captureDate))),
      Self.filter(.type(.images), .type(.videos)), Self.filter(.not(all)),
      Self.filter(.type(.images), .has(.location)), Self.filter(.has(.location), year),
      Self.filter(.comparison(.album, .text(.equal, "event 00003"))),
      Self.filter(.comparison(.year, .number(.equal, 1800))),
    ] { try check(library, filter) }
  }

  @Test func `months of random conditions are those of the listing`() throws {
    let library = try SampleLibrary(count: 1500, with: Self.extra)
    var maker = ConditionMaker(seed: 20_261_124)
    for _ in 0..<150 {
      var filter = AssetFilter()
      filter.expressions = [maker.condition(depth: 3)]
      guard filter.canBeAsked, !filter.expressions[0].mixesMissing else { continue }
      try check(library, filter)
    }
  }

  @Test func `a time outside of the calendar ends no count`() throws {
    let library = try SampleLibrary(
      count: 60,
      with: """
        UPDATE assets SET capture_wall = -9000000000000000 WHERE id = 1;
        UPDATE assets SET capture_wall = 9000000000000000 WHERE id = 3;
        """)
    let months = try library.catalog.months(matching: AssetFilter())
    #expect(
      try months.reduce(0) { $0 + $1.count } == library.catalog.count(matching: AssetFilter()))
  }
}
