import CoreMetrics
import Linux
import Logging
import MediaModel
import SystemPackage

/// What a library logs and measures for the program that uses it.
///
/// Messages have the levels `debug` and `trace`, which a program does not see unless it has set up its logging so.
/// Metrics go nowhere unless the program has set up a metrics system before it opens the library.
struct Telemetry: Sendable {
  /// The label of the logger, and the beginning of the metrics' names.
  private static let label = "shoebox"

  /// Work whose duration is measured.
  enum Work: String, CaseIterable {
    /// The kinds of work; their names are parts of the metrics' names.
    case scan, fetch, image, export

    /// The level of the message at its end: a server fetches and shows pictures all the time.
    fileprivate var level: Logger.Level { self == .scan || self == .export ? .debug : .trace }
  }

  private let logger: Logger
  private let catalog: Logger.Metadata
  private let timers: [Work: CoreMetrics.Timer]
  private let assets: [Work: Counter]
  private let errors: [Work: Counter]

  init(catalog path: FilePath) {
    logger = Logger(label: Self.label)
    catalog = ["catalog": "\(path)"]
    func metrics<Metric>(_ name: String, _ make: (String) -> Metric) -> [Work: Metric] {
      Dictionary(
        uniqueKeysWithValues: Work.allCases.map {
          ($0, make("\(Self.label).\($0.rawValue).\(name)"))
        })
    }
    timers = metrics("duration") { CoreMetrics.Timer(label: $0) }
    assets = metrics("assets") { Counter(label: $0) }
    errors = metrics("errors") { Counter(label: $0) }
  }

  /// Runs work: measures and counts it, and logs its end.
  ///
  /// - Parameters:
  ///   - asset: the one that the work is about, if it is one.
  ///   - count: the number of assets that the work was about.
  func measure<Value>(
    _ work: Work, of asset: Asset.ID? = nil,
    counting count: (Value) -> Int = { _ in 1 },
    _ body: () async throws(PhotoLibraryError) -> Value
  ) async throws(PhotoLibraryError) -> Value {
    let start = ContinuousClock.now
    do {
      let value = try await body()
      let duration = start.duration(to: .now)
      let assets = count(value)
      timers[work]?.recordNanoseconds(duration.nanoseconds)
      self.assets[work]?.increment(by: assets)
      log(work.level, "\(work.rawValue) finished") {
        var details: Logger.Metadata = ["assets": "\(assets)", "seconds": "\(duration.inSeconds)"]
        if let asset { details["asset"] = "\(asset)" }
        return details
      }
      return value
    } catch {
      if error != .cancelled { errors[work]?.increment() }
      log(work.level, "\(work.rawValue) failed") { ["error": "\(error)"] }
      throw error
    }
  }

  /// Logs a message about the library. Nothing is evaluated if the level is off.
  func log(
    _ level: Logger.Level = .debug, _ message: Logger.Message,
    _ details: () -> Logger.Metadata = { [:] }
  ) {
    logger.log(level: level, message, metadata: catalog.merging(details()) { $1 })
  }
}

extension Duration {
  /// Nanoseconds, at most those of 292 years.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return min(max(0, seconds), 9_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  fileprivate var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
