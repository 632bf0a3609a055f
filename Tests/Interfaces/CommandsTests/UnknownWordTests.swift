import Catalog
import MediaModel
import Query
import Testing

@testable import Commands
@testable import Terminal

/// What is suggested for a word that means nothing, and what is not.
struct UnknownWordTests {
  @Test(arguments: [
    ("photos", ["livePhotos", "motionPhotos", "depthEffectPhotos"]), ("live", ["livePhotos"]),
    ("hrd", ["hdr"]), ("PANORAMA", ["panoramas"]), ("rawfiles", ["raw"]),
    ("sceenshot", ["screenshots"]),
    ("bird", []), ("x", []), ("", []), ("do", []),
  ])
  func onlyNearWordsAreSuggested(typed: String, suggestions: [String]) {
    let known = TypeWord.allCases.map(\.rawValue)
    #expect(UnknownWord(typed, kind: "type", among: known).suggestions == suggestions)
  }

  @Test(arguments: [
    ("date", ["addedDate", "captureDate", "modifiedDate"]), ("nmae", ["name"]),
    ("sizes", ["size"]), ("lense", ["lens"]), ("colour", []),
  ])
  func columnsAreSuggested(typed: String, suggestions: [String]) {
    let known = AssetColumn.allCases.map(\.rawValue)
    #expect(UnknownWord(typed, kind: "column", among: known).suggestions == suggestions)
  }

  @Test func noMoreIsSaidThanIsKnown() {
    #expect(
      UnknownWord("Nope", kind: "type", among: ["images"]).description == "unknown type 'Nope'")
    let remedied = UnknownWord("Nope", kind: "type", among: ["images"], remedy: "see the page")
    #expect(remedied.description == "unknown type 'Nope': see the page")
    #expect(
      UnknownWord("Nope", kind: "saved search", among: []).description
        == "unknown saved search 'Nope': there is none yet")
    #expect(
      UnknownWord("Image", kind: "type", among: ["images"]).description
        == "unknown type 'Image': did you mean images?")
  }

  // By hand: a swap of neighbours counts once.
  @Test(arguments: [("lsit", "list", 1), ("ca", "abc", 3), ("", "", 0), ("abcd", "badc", 2)])
  func distances(left: String, right: String, distance: Int) {
    #expect(editDistance(left, right) == distance)
  }
}
