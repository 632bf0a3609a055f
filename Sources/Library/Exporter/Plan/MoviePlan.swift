package import MediaEdits
import MediaModel
package import Presets

/// What is asked of a movie beside its preset.
package struct MovieOptions: Sendable, Hashable {
  package var trim: TimeSpan?
  /// Seconds; what is longer is cut.
  package var maxDuration: Double?
  /// How many threads encoders and decoders may use together.
  package var threads: Int

  package init(trim: TimeSpan? = nil, maxDuration: Double? = nil, threads: Int = 1) {
    self.trim = trim
    self.maxDuration = maxDuration
    self.threads = threads
  }
}

/// What becomes of a movie, and why; the reasons are phrases for people.
package enum MovieDecision: Sendable, Hashable {
  /// Its bytes stay as they are.
  case copy(reasons: [String])
  /// Its tracks are put into another container, some of them encoded anew.
  case render(MovieRendering, reasons: [String])
  /// It cannot be done; one sentence.
  case refuse(String)
}

/// Decides track by track what becomes of a movie under a preset.
package func moviePlan(
  _ movie: MovieDescription, _ preset: VideoPreset, _ options: MovieOptions
) -> MovieDecision {
  do {
    return try MoviePlanner(movie: movie, preset: preset, options: options).decision()
  } catch {
    return .refuse(error.sentence)
  }
}

extension RenderWork {
  /// This work with the threads of the jobs that have nothing to do: one movie alone may use them all.
  ///
  /// - Parameters:
  ///   - jobs: how many files can be made at once; each has the threads it was planned with.
  ///   - count: how many are left to be made.
  func sharing(jobs: Int, among count: Int) -> RenderWork {
    guard case .movie(var rendering) = self else { return self }
    rendering.threads = rendering.threads * jobs / max(1, min(jobs, count))
    return .movie(rendering)
  }
}
