package import MediaModel
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
