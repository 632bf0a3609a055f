import GRDB
import MediaModel
import Query
import Synchronization

/// The row numbers of values that many assets share, so that recording an asset does not look them up each time.
final class SharedRows: Sendable {
  private struct Numbers {
    var origins: [Origin: Int64] = [:]
    /// The one asked for last: the pictures of a folder are mostly of one camera, and comparing is faster than hashing.
    var lastOrigin: (origin: Origin, number: Int64)?
    var captureSources: [String: Int64] = [:]
  }

  /// Values kept in memory; there are hundreds in large libraries, and files could claim any number.
  private static let most = 10_000

  private let numbers = Mutex(Numbers())

  /// Forgets all, because a transaction that may have added rows has failed.
  func forget() {
    numbers.withLock { $0 = Numbers() }
  }

  func origin(_ origin: Origin, or add: () throws -> Int64) rethrows -> Int64 {
    let known = numbers.withLock { numbers -> Int64? in
      if let last = numbers.lastOrigin, last.origin == origin { return last.number }
      guard let number = numbers.origins[origin] else { return nil }
      numbers.lastOrigin = (origin, number)
      return number
    }
    if let known { return known }
    let number = try add()
    numbers.withLock {
      if $0.origins.count >= Self.most { $0.origins = [:] }
      $0.origins[origin] = number
    }
    return number
  }

  func captureSource(_ name: String, or add: () throws -> Int64) rethrows -> Int64 {
    if let known = numbers.withLock({ $0.captureSources[name] }) { return known }
    let number = try add()
    numbers.withLock {
      if $0.captureSources.count >= Self.most { $0.captureSources = [:] }
      $0.captureSources[name] = number
    }
    return number
  }
}

/// What made an asset, and as what: a row of `origins`.
struct Origin: Sendable, Hashable {
  var uniformType: String
  var make: String?
  var model: String?
  var lens: String?
  var software: String?
  var videoCodec: String?
  var audioCodec: String?
  var dynamicRange: String?

  /// The columns, in the order of ``arguments`` and ``init(_:)``.
  static let columns =
    "uniform_type, make, model, lens, software, video_codec, audio_codec, dynamic_range"

  var arguments: StatementArguments {
    [uniformType, make, model, lens, software, videoCodec, audioCodec, dynamicRange]
  }

  init(_ facts: MediaFacts) {
    uniformType = facts.uniformType.rawValue
    (make, model) = (facts.camera.make, facts.camera.model)
    (lens, software) = (facts.camera.lens, facts.camera.software)
    (videoCodec, audioCodec) = (facts.video?.codec, facts.video?.audioCodec)
    dynamicRange = facts.video?.dynamicRange?.rawValue
  }

  /// Reads ``columns``, which begin at `first`.
  init(_ row: Row, at first: Int = 0) {
    uniformType = row[first]
    (make, model, lens, software) = (row[first + 1], row[first + 2], row[first + 3], row[first + 4])
    (videoCodec, audioCodec, dynamicRange) = (row[first + 5], row[first + 6], row[first + 7])
  }

  /// The text whose words find its assets.
  var cameraText: String {
    [make, model, lens].compactMap(\.self).joined(separator: "\n")
  }
}

extension CatalogTransaction {
  /// The row of an origin; inserted for the first asset that has it.
  func row(of origin: Origin) throws -> Int64 {
    try shared.origin(origin) {
      let found = try rows(
        """
        SELECT id FROM origins WHERE uniform_type = ? AND make IS ? AND model IS ? AND lens IS ?
          AND software IS ? AND video_codec IS ? AND audio_codec IS ? AND dynamic_range IS ?
        """, origin.arguments
      ) { row -> Int64 in row[0] }
      if let known = found.first { return known }
      try execute(
        "INSERT INTO origins (\(Origin.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", origin.arguments)
      let number = database.lastInsertedRowID
      try addSearch(ofOrigin: number, origin)
      return number
    }
  }

  /// The row of a capture time's source; inserted for the first asset that has it.
  func row(ofCaptureSource name: String) throws -> Int64 {
    try shared.captureSource(name) {
      let found = try rows("SELECT id FROM capture_sources WHERE name = ?", [name]) {
        row -> Int64 in row[0]
      }
      if let known = found.first { return known }
      try execute("INSERT INTO capture_sources (name) VALUES (?)", [name])
      return database.lastInsertedRowID
    }
  }
}
