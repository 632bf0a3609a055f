import Catalog
package import Foundation
import MediaModel
import Query
import SystemPackage
import Thumbnails

// What the command `shoebox nightly` records of its runs, and asks for.

extension PhotoLibrary {
  /// Opens the record of a nightly run.
  nonisolated package func beginNight() async throws(PhotoLibraryError) -> Night.ID {
    let now = Date().milliseconds
    return try await change { catalog in try catalog.write { try $0.beginNight(now: now) } }
  }

  /// Records which scan is that of a nightly run.
  nonisolated package func recordScan(
    _ scan: Int64, of night: Night.ID
  ) async throws(PhotoLibraryError) {
    try await change { catalog in try catalog.write { try $0.recordScan(scan, ofNight: night) } }
  }

  /// How many nightly runs have scanned since an instant.
  nonisolated package func nightCount(since date: Date) async throws(PhotoLibraryError) -> Int {
    let instant = date.milliseconds
    return try await query { catalog in try catalog.read { try $0.nightCount(since: instant) } }
  }

  /// Records what the steps of a nightly run have done so far.
  nonisolated package func endNight(
    _ night: Night.ID, status: Int32, steps: String
  ) async throws(PhotoLibraryError) {
    let now = Date().milliseconds
    try await change { catalog in
      try catalog.write { try $0.endNight(night, status: status, steps: steps, now: now) }
    }
  }

  /// Makes the missing thumbnails of the newest assets, as many as the file for them has space for in any case: if it
  /// were too small, each night would make what the night before has removed.
  ///
  /// - Parameter longerSide: pixels of a thumbnail's longer side.
  /// - Returns: the number of pictures that were tried.
  nonisolated package func makeMissingImages(longerSide: Int) async throws -> Int {
    let stored = try storedImages(longerSide: longerSide)
    var missing: [AssetRecord] = []
    let order = AssetOrder(.addedDate, limit: ImageMaking.cacheLimit / Self.largeThumbnail)
    try forEachRecord(matching: .init(), in: order, with: []) { asset in
      guard asset.status == .present else { return }
      switch try stored.state(of: asset) {
      case .made, .failed(_, isFinal: true): break
      case .failed, nil: missing.append(asset)
      }
    }
    try await makeImages(of: missing, longerSide: longerSide, progress: {})
    try stored.trim()
    return missing.count
  }

  /// The bytes of a thumbnail in the cache that is larger than usual.
  private static let largeThumbnail = 40_000
}
