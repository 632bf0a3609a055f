import ArgumentParser
import Catalog
import Foundation
import MediaModel

// What a shell offers when somebody presses Tab behind an option. The scripts themselves are the
// argument parser's (`shoebox --generate-completion-script bash`).

extension CompletionKind {
  /// PhotoKit's words for kinds of assets.
  static let typeWords = CompletionKind.list(TypeWord.allCases.map(\.rawValue))

  /// The library folders that the catalog knows.
  static let libraryFolders = CompletionKind.custom { words, _, _ in
    libraryFolderWords(words, environment: ProcessInfo.processInfo.environment)
  }
}

/// The paths of all roots of the catalog that a command line means, or none if there is no catalog: a
/// shell that asks for completions wants no complaint.
///
/// - Parameter words: the command line typed so far.
func libraryFolderWords(_ words: [String], environment: [String: String]) -> [String] {
  guard let path = catalogOption(in: words) ?? Catalog.defaultPath(environment: environment),
    let catalog = try? Catalog.open(at: path, mode: .readOnly),
    let roots = try? catalog.roots()
  else { return [] }
  // A path that is not text cannot be typed, and one with a line break would be offered as two.
  return roots.compactMap(\.record.path.text).filter { $0 == $0.harmless }
}

/// The value of the last `--catalog FILE` or `--catalog=FILE` of a command line.
private func catalogOption(in words: [String]) -> String? {
  // Bash takes the sign of equality for a word of its own.
  let words = words.filter { $0 != "=" }
  for (index, word) in words.enumerated().reversed() {
    if word.hasPrefix("--catalog=") { return String(word.dropFirst("--catalog=".count)) }
    if word == "--catalog", index + 1 < words.count { return words[index + 1] }
  }
  return nil
}
