/// The names that programs give to the edited version of a picture or video beside its original.
enum EditedName {
  /// What Google's Takeout adds to the stem, in the languages that are known.
  static let takeoutSuffixes = [
    "-edited", "-bearbeitet", "-modifié", "-modificato", "-ha editado", "-editat", "-bewerkt",
    "-edytowane", "-編集済み",
  ]
  /// The default of osxphotos.
  private static let suffixes = takeoutSuffixes + ["_edited"]

  /// The stem of the original, for an edited version's stem; nil for other stems.
  ///
  /// Apple's importers write `IMG_E0001` beside `IMG_0001`, always with four digits, Takeout `a-edited`
  /// beside `a`, and where a name comes twice the counter last: `a-edited(1)` beside `a(1)`.
  ///
  /// - Parameter stem: in lower case.
  static func original(ofEdited stem: String) -> String? {
    let (base, counter) = splittingCounter(stem)
    for suffix in suffixes where base.count > suffix.count && base.hasSuffix(suffix) {
      return base.dropLast(suffix.count) + counter
    }
    let number = stem.dropFirst(5)
    guard stem.hasPrefix("img_e"), number.prefix(while: \.isASCIIDigit).count == 4 else {
      return nil
    }
    return "img_" + number
  }

  /// `a(2)` → (`a`, `(2)`), and `a (2)` → (`a`, ` (2)`).
  private static func splittingCounter(_ stem: String) -> (base: String, counter: String) {
    guard stem.last == ")", let open = stem.lastIndex(of: "(") else { return (stem, "") }
    let digits = stem[open...].dropFirst().dropLast()
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return (stem, "") }
    let base = stem[..<open]
    let end = base.last == " " ? base.index(before: open) : open
    return (String(stem[..<end]), String(stem[end...]))
  }
}
