import Foundation
import Hummingbird

/// The words of notices in one of the page's languages.
struct PageWords {
  /// The parts of a language's file that notices need.
  private struct Texts: Decodable {
    var photos: String
    var notice: [String: String]
  }

  /// The code of the language: a key of ``files``.
  let language: String
  private let texts: Texts?

  private static let files = [
    "en": PackageResources.en_json, "de": PackageResources.de_json,
  ].compactMapValues { try? JSONDecoder().decode(Texts.self, from: Data($0)) }

  /// The words in the language that a browser prefers among those that the page has; English if it has none of them.
  init(for request: Request) {
    let wanted = Self.preferences(request.headers[.acceptLanguage] ?? "")
    language = wanted.first { Self.files[$0] != nil } ?? "en"
    texts = Self.files[language]
  }

  /// The codes of languages in `Accept-Language` (RFC 9110, section 12.5.4), without regions, the preferred first.
  private static func preferences(_ field: String) -> [String] {
    var weighted: [(language: String, weight: Double)] = []
    for entry in field.split(separator: ",") {
      let parts = entry.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let language = parts.first?.split(separator: "-").first?.lowercased() else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
      weighted.append((language, weight.map { Double($0.dropFirst("q=".count)) ?? 0 } ?? 1))
    }
    // Languages of one weight stay in the order of the field.
    return weighted.enumerated().filter { $0.element.weight > 0 }
      .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .map(\.element.language)
  }

  /// The name of what is chosen from.
  var photos: String { texts?.photos ?? "Photos" }

  /// The heading of a page that cannot be opened.
  var cannotBeOpened: String { texts?.notice["title"] ?? "This page cannot be opened" }

  /// Why a page cannot be opened; in English if the language has no words for it.
  func sentence(for error: APIError) -> String {
    error.reason.flatMap { texts?.notice[$0.rawValue] } ?? error.message
  }
}
