import Exporter
import Linux
import MediaModel
public import SystemPackage

/// How far an export has come.
public struct ExportEvent: Sendable, Hashable {
  /// Assets that are done with.
  public let completed: Int
  /// All assets.
  public let total: Int
  /// The done part of the estimated work, 0 to 1.
  public let fraction: Double
  /// The videos that are being made.
  public let videos: [VideoProgress]
  /// The estimated work in seconds that are not those of this machine: what is done, and all.
  package let workDone: Double, workTotal: Double

  init(_ progress: ExportProgress) {
    (completed, total) = (progress.settled, progress.total)
    (workDone, workTotal) = (progress.workDone, progress.workTotal)
    videos = progress.movies.map(VideoProgress.init)
    fraction =
      progress.workTotal > 0
      ? min(1, max(0, progress.workDone / progress.workTotal))
      : progress.total == 0 ? 1 : Double(progress.settled) / Double(progress.total)
  }
}

/// How far the making of one video has come.
public struct VideoProgress: Sendable, Hashable {
  /// The source.
  public let path: FilePath
  /// The seconds of the result that are made.
  public let position: Double
  /// The seconds that it will have.
  public let duration: Double
  /// Seconds of the result made in each second; 0 before anything can be said.
  public let speed: Double

  init(_ progress: MovieProgress) {
    path = FilePath(progress.source)
    (position, duration, speed) = (progress.position, progress.duration, progress.speed)
  }
}
