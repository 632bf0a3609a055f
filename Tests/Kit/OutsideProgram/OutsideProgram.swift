// The program that describes ShoeboxKit's API, as a package outside this repository compiles it; .ci/check-kit runs it
// in a folder with a small library: program FOLDER PLACE, where PLACE is a folder of worker programs, `automatic`
// or `missing`.
//
// It imports ShoeboxKit alone. Every name here is fixed: a change of this file breaks the programs of others.

import ShoeboxKit

let folder = CommandLine.arguments[1]
let workers: PhotoLibrary.WorkerLocation =
  switch CommandLine.arguments[2] {
  case "automatic", "missing": .automatic
  case let place: .programs(in: FilePath(place))
  }

func expect(_ condition: Bool, _ what: String, line: Int = #line) {
  precondition(condition, "line \(line): \(what)")
}

@main
struct OutsideProgram {
  static func main() async throws {
    // Open.
    let catalog = FilePath(folder + "/catalog.sqlite")
    let library = try await PhotoLibrary.open(
      .init(catalog: catalog, workers: workers, jobs: 2, access: .readWrite))
    _ = PhotoLibrary.Configuration(catalog: catalog, workers: .none, jobs: nil, access: .readOnly)

    if CommandLine.arguments[2] == "missing" {
      do {
        _ = try await library.scan([FilePath(folder + "/library")])
        expect(false, "it found workers")
      } catch {
        guard case .workersMissing(let searched) = error, !searched.isEmpty else { throw error }
        print(error)
      }
    } else {
      // Changes, as another handle sees them.
      let observer = try await PhotoLibrary.open(
        .init(catalog: catalog, workers: .none, access: .readOnly))
      let start = try await observer.changeToken
      let observed = Task {
        for try await change in observer.changes(since: start) {
          print(change.token, change.inserted.count, change.updated.count, change.removed.count)
          if !change.inserted.isEmpty { return change.inserted.count }
        }
        return 0
      }

      // Scan.
      let scan = try await library.scan([FilePath(folder + "/library")])
      for try await event in scan {
        print(event.phase, event.filesSeen, event.bytesRead, event.current as Any)
      }
      let report: ScanReport = try await scan.report
      expect(report.added > 3, "\(report)")
      _ = (report.changed, report.moved, report.missing, report.unchanged, report.unreadable)
      for failure in report.failures { print(failure.path, failure.message) }
      expect(try await observed.value > 0, "no change was reported")
      // An empty array means every known root.
      let again = try await library.scan([]).report
      expect(again.added == 0 && again.unchanged > 3, "\(again)")

      // Fetch.
      let filter: AssetFilter = .all(of: [
        .images, .not(.screenshots), .captured(from: "2000-05", through: "2030-08"),
      ])
      _ = try await library.fetchAssets(filter)
      for filter: AssetFilter in [
        .images, .videos, .livePhotos, .motionPhotos, .screenshots, .screenRecordings, .bursts,
        .panoramas, .depthEffectPhotos, .cinematicVideos, .slomoVideos, .timelapseVideos,
        .spatialMedia, .hdr, .raw, .edited, .duplicates, .any(of: [.raw, .hdr]),
        .under("/photos"), .search("rome"), .near(latitude: 47, longitude: 8, kilometers: 5),
        .added(since: "2023"), .album("For the exhibition"), .keyword("beach"), .rating(atLeast: 4),
        try .expression("images and not hdr"),
      ] {
        _ = try await library.fetchAssets(filter).count
      }
      do {
        _ = try AssetFilter.expression("images and")
        expect(false, "a malformed expression is accepted")
      } catch {
        guard case .invalidFilter(let reason) = error else { throw error }
        print(reason)
      }
      let result = try await library.fetchAssets(
        options: .init(sort: .captureDate, order: .descending, limit: 100))
      let count = try await result.count
      let page = try await result.page(after: nil, size: 2)
      let cursor = page.next.flatMap { Cursor($0.description) }
      let rest = try await result.page(after: cursor, size: 1000)
      expect(page.assets.count + rest.assets.count == count && rest.next == nil, "paging")
      var ids: [Asset.ID] = []
      for try await asset in result {
        _ = (
          asset.id, asset.mediaType, asset.subtypes, asset.uniformType, asset.pixelSize,
          asset.duration, asset.captureDate, asset.location, asset.path, asset.status,
          asset.revision
        )
        if asset.status == .present { ids.append(asset.id) }
      }
      for bucket in try await result.buckets(by: .month) { _ = (bucket.start, bucket.count) }
      guard let one = try await library.asset(ids[0]) else { preconditionFailure("no asset") }
      for part in try await library.resources(of: one.id) {
        _ = (part.type, part.path, part.uniformType, part.size, part.range)
      }
      for evidence in try await library.evidence(for: one.id) {
        _ = (evidence.label, evidence.source)
      }

      // Pictures.
      let image = try await library.image(
        for: one.id, fitting: PixelSize(width: 320, height: 320), priority: .visible)
      expect(!image.data.isEmpty && image.uniformType == "public.jpeg", "\(image)")
      expect(image.pixelSize.width <= 320 && image.pixelSize.height <= 320, "\(image.pixelSize)")
      let data = try await library.data(for: one.id, as: .compatible)
      _ = (data.url, data.uniformType, data.filename)

      // Export.
      let target = FilePath(folder + "/out")
      let export = try await library.export(
        [one.id], as: .compatible.removingLocation().livePhoto(.pair), to: target)
      let plan = try await export.plan
      for item in plan { _ = (item.asset, item.action, item.reasons, item.names) }
      for try await event in export { _ = (event.completed, event.total) }
      let outcome = try await export.report
      for item in outcome { _ = (item.asset, item.action, item.files, item.error) }
      expect(outcome.count == 1 && outcome[0].error == nil, "\(outcome)")
      for representation: Representation in [
        .current, .preset(named: "compatible"), .file("preset.json"),
        .compatible.removingMetadata().livePhoto(.still).livePhoto(.motion).maxPixels(100),
        .compatible.cropped(to: .init(x: 0, y: 0, size: PixelSize(width: 10, height: 10))),
        .compatible.trimmed(to: 0...1).hdr(.keep).hdr(.drop),
      ] {
        _ = representation
      }

      // Authorization.
      let limited = library.limited(to: .album("For the exhibition"))
      expect(limited.authorization == .limited && library.authorization == .authorized, "limited")
      expect(try await limited.fetchAssets().count < count, "a limited library shows everything")
      print("outside: scans, fetches, shows, exports and follows")
    }
  }
}
