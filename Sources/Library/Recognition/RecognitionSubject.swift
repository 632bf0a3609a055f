package import MediaModel

/// The facts of one file that show what kind of asset it is.
package struct RecognitionSubject: Sendable {
  package var facts: MediaFacts
  /// The file's name, bytes.
  package var name: [UInt8]
  /// The names of the folders above it, from the root down.
  package var folders: [[UInt8]]

  package init(facts: MediaFacts, name: [UInt8], folders: [[UInt8]]) {
    self.facts = facts
    self.name = name
    self.folders = folders
  }

  /// The first value of a clue; empty text for a clue without one; nil if there is no such clue.
  func clue(_ key: Clue.Key) -> String? {
    facts.clues.first { $0.key == key }.map { $0.value ?? "" }
  }

  /// A clue's value as a number.
  func number(_ key: Clue.Key) -> Double? {
    clue(key).flatMap(Double.init)
  }

  /// Whether moving a file from a folder of one name into one of the other may change its labels.
  package static func affectsLabels(_ folder: [UInt8], insteadOf other: [UInt8]) -> Bool {
    ScreenshotName.isFolder(folder) != ScreenshotName.isFolder(other)
      || RecordingName.isFolder(folder) != RecordingName.isFolder(other)
  }

  /// The labels that the file's own facts decide, recorded or inferred with certainty.
  package var labels: [Label] {
    switch facts.mediaType {
    case .image: stillLabels
    case .video: movieLabels
    }
  }
}
