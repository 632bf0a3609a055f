import MediaEdits
import MediaModel
import Testing

@testable import Exporter

/// The account of an export while it runs.
struct ExportLedgerTests {
  private let movie = FileDecision(
    work: .render(.movie(MovieRendering(container: .mp4, tracks: [])), .keep), type: .mpeg4,
    reasons: [])

  /// The item of a picture of 3 s with a clip.
  private func item(_ change: (inout ExportItem) -> Void) throws -> ExportItem {
    let photo = sample("/l/PXL.jpg", clip: embedded(in: "/l/PXL.jpg"), duration: 3)
    var item = try #require(planned(photo, try request(image: "current")))
    change(&item)
    return item
  }

  /// The progress that a ledger reports.
  private func progress(
    _ item: ExportItem, _ body: (ExportLedger) -> Void
  ) async -> [ExportProgress] {
    let (stream, reporter) = AsyncStream.makeStream(of: ExportProgress.self)
    let ledger = ExportLedger(
      ExportPlan(items: [item]), target: BytePath("/t"), versions: [:], reporting: reporter)
    body(ledger)
    reporter.finish()
    return await stream.reduce(into: []) { $0.append($1) }
  }

  /// The picture of a live photo fails while its clip is being made.
  @Test func aSettledItemHasNoMovieUnderWay() async throws {
    let item = try item { $0.files[0].decision = movie }
    let all = await progress(item) { ledger in
      ledger.note(position: 1, of: 0)
      ledger.fail(0, "It failed.")
      ledger.note(position: 2, of: 0)
    }
    #expect(all.map(\.movies.count).max() == 1)
    #expect(all.last?.movies.isEmpty == true)
    let last = try #require(all.last)
    #expect(last.workDone <= last.workTotal)
  }

  @Test func anAppendedClipHasItsLength() async throws {
    let item = try item { item in
      item.files[0].clip = AppendedClip(part: item.files[0].part, decision: movie)
    }
    let all = await progress(item) { $0.note(position: 2, of: 0) }
    #expect(all.last?.movies.map(\.duration) == [3])
    #expect(all.last?.movies.map(\.position) == [2])
  }

  /// Workers report each block of a copy that they rewrite.
  @Test func aRewrittenPictureIsNotAMovie() async throws {
    let item = try item { item in
      item.files[0].decision.work = .render(.copy(.jpeg), .withoutLocation)
    }
    let all = await progress(item) { $0.note(position: 0, of: 0) }
    #expect(all.filter { !$0.movies.isEmpty }.isEmpty)
  }
}
