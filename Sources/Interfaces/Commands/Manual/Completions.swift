import ArgumentParser
import Foundation
import Linux
import MediaModel
import Presets
import Query
import ShoeboxKit
import SystemPackage
import Terminal

// The completions for values of options. The scripts themselves are the
// argument parser's (`shoebox --generate-completion-script bash`).

extension CompletionKind {
  /// PhotoKit's words for kinds of assets.
  static let typeWords = CompletionKind.list(TypeWord.allCases.map(\.rawValue))

  /// The columns of a table.
  static let columnWords = CompletionKind.list(AssetColumn.allCases.map(\.rawValue))

  /// The library folders that the catalog knows.
  static let libraryFolders = CompletionKind.custom { words, _, _ in
    libraryFolderWords(words, environment: ProcessInfo.processInfo.environment)
  }

  /// The names of saved searches.
  static let savedSearches = CompletionKind.custom { words, _, _ in
    savedSearchWords(words, environment: ProcessInfo.processInfo.environment)
  }

  /// The titles of the user's albums and of Takeouts' albums.
  static let albums = CompletionKind.custom { words, _, _ in
    albumWords(words, environment: ProcessInfo.processInfo.environment)
  }

  /// The names of presets of one kind, or of both.
  static func presets(_ kind: PresetKind? = nil) -> CompletionKind {
    .custom { _, _, _ in presetWords(kind, environment: ProcessInfo.processInfo.environment) }
  }
}

/// The paths of all roots of the catalog that a command line uses. Errors are ignored, because a shell could not show
/// them during completion.
///
/// - Parameter words: the command line typed so far.
func libraryFolderWords(_ words: [String], environment: [String: String]) -> [String] {
  // A path that is not text cannot be typed, and a shell would offer one with a line break as two.
  let folders = try? library(of: words, environment)?.listedFolders()
  return (folders ?? []).compactMap { BytePath($0.path).text }.filter(isCompletable)
}

/// The names of the searches in that catalog; empty without a catalog.
func savedSearchWords(_ words: [String], environment: [String: String]) -> [String] {
  let searches = try? library(of: words, environment)?.savedSearches()
  return (searches ?? []).map(\.name).filter(isCompletable)
}

/// The titles of the albums in that catalog, except folders; empty without a catalog.
func albumWords(_ words: [String], environment: [String: String]) -> [String] {
  let albums = try? library(of: words, environment)?.listedAlbums(of: [.user, .takeout])
  return (albums ?? []).map(\.title).filter(isCompletable)
}

/// Whether a shell may be given a word to complete. The parser's script for bash expands the words as it would expand a
/// command line: a title `$(…)` from a foreign album would run, and a quotation mark would end all completion.
private func isCompletable(_ word: String) -> Bool {
  !word.isEmpty && word == word.terminalSafe
    && word.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_./+,:@%=".unicodeScalars.contains(scalar)
    }
}

/// The names of the presets at hand.
func presetWords(_ kind: PresetKind?, environment: [String: String]) -> [String] {
  let library = (try? presetLibrary(environment)) ?? PresetLibrary()
  return library.presets.filter { kind == nil || $0.kind == kind }.map(\.header.name)
    .filter(isCompletable)
}

/// The catalog that a command line uses, if it exists.
private func library(
  of words: [String], _ environment: [String: String]
) throws -> PhotoLibrary? {
  let path =
    catalogOption(in: words)
    ?? PhotoLibrary.Configuration.defaultCatalogText(environment: environment)
  guard let path else { return nil }
  return try PhotoLibrary.opened(
    at: path, WorkerSettings().configuration(path, .readOnly), environment: environment)
}

/// The value of the last `--catalog FILE` or `--catalog=FILE` of a command line.
private func catalogOption(in words: [String]) -> String? {
  // Bash passes the equals sign as a word of its own.
  let words = words.filter { $0 != "=" }
  for (index, word) in words.enumerated().reversed() {
    if word.hasPrefix("--catalog=") { return String(word.dropFirst("--catalog=".count)) }
    if word == "--catalog", index + 1 < words.count { return words[index + 1] }
  }
  return nil
}
