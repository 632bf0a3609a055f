import CoreMetrics
import Linux
import Logging
import MediaModel
import Synchronization
import SystemPackage

/// The logs and metrics of a library for the program that uses it.
///
/// Messages have the levels `debug` and `trace`, which a program does not see unless it has set up its logging so.
/// Metrics go nowhere unless the program has set up a metrics system before the library's first work.
final class Telemetry: Sendable {
  /// The label of the logger, and the beginning of the metrics' names.
  private static let label = "shoebox"

  /// Work whose duration is measured.
  enum Work: String, CaseIterable {
    /// The kinds of work; their names are parts of the metrics' names.
    case scan, fetch, image, export, verification, importing

    /// The level of the message at its end: a server fetches and shows pictures all the time.
    fileprivate var level: Logger.Level { self == .fetch || self == .image ? .trace : .debug }
  }

  /// The logger and the metrics of one library.
  private struct Instruments: Sendable {
    let logger: Logger
    let catalog: Logger.Metadata
    let timers: [Work: CoreMetrics.Timer]
    let assets: [Work: Counter]
    let errors: [Work: Counter]

    init(catalog path: FilePath) {
      logger = Logger(label: Telemetry.label)
      catalog = ["catalog": "\(path)"]
      func metrics<Metric>(_ name: String, _ make: (String) -> Metric) -> [Work: Metric] {
        Dictionary(
          uniqueKeysWithValues: Work.allCases.map {
            ($0, make("\(Telemetry.label).\($0.rawValue).\(name)"))
          })
      }
      timers = metrics("duration") { CoreMetrics.Timer(label: $0) }
      assets = metrics("assets") { Counter(label: $0) }
      errors = metrics("errors") { Counter(label: $0) }
    }
  }

  private let path: FilePath
  private let made = Mutex<Instruments?>(nil)

  init(catalog path: FilePath) { self.path = path }

  /// Made when they are first needed: a listing of the command line, which measures nothing, starts without them.
  private var instruments: Instruments {
    made.withLock { made in
      if let made { return made }
      let new = Instruments(catalog: path)
      made = new
      return new
    }
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
    let instruments = instruments
    let start = ContinuousClock.now
    do {
      let value = try await body()
      let duration = start.duration(to: .now)
      let assets = count(value)
      instruments.timers[work]?.recordNanoseconds(duration.nanoseconds)
      instruments.assets[work]?.increment(by: assets)
      log(work.level, "\(work.rawValue) finished") {
        var details: Logger.Metadata = ["assets": "\(assets)", "seconds": "\(duration.inSeconds)"]
        if let asset { details["asset"] = "\(asset)" }
        return details
      }
      return value
    } catch {
      if error != .cancelled { instruments.errors[work]?.increment() }
      log(work.level, "\(work.rawValue) failed") { ["error": "\(error)"] }
      throw error
    }
  }

  /// Logs a message about the library. Nothing is evaluated if the level is off.
  func log(
    _ level: Logger.Level = .debug, _ message: Logger.Message,
    _ details: () -> Logger.Metadata = { [:] }
  ) {
    let instruments = instruments
    instruments.logger.log(
      level: level, message, metadata: instruments.catalog.merging(details()) { $1 })
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
