/// The names that programs give to the edited version of a picture or video beside its original.
package enum EditedName {
  /// What Google's Takeout adds to the stem, in the languages that are known. Google documents none of them: users of
  /// GooglePhotosTakeoutHelper and similar programs have reported them.
  static let takeoutSuffixes = [
    "-edited", "-bearbeitet", "-modifié", "-modificato", "-ha editado", "-editado", "-editat",
    "-bewerkt", "-edytowane", "-redigeret", "-redigert", "-redigerad", "-muokattu", "-upravené",
    "-編集済み", "-编辑", "-已编辑", "-已編輯", "-편집됨",
  ]
  /// The default of osxphotos.
  private static let suffixes = takeoutSuffixes + ["_edited"]

  /// The stem of the original, for an edited version's stem; nil for other stems.
  ///
  /// Apple's importers write `IMG_E0001` beside `IMG_0001`, always with four digits, Takeout `a-edited`
  /// beside `a`, and where a name comes twice the counter last: `a-edited(1)` beside `a(1)`.
  ///
  /// - Parameter stem: in lower case.
  package static func original(ofEdited stem: String) -> String? {
    let (base, counter) = splittingCounter(stem)
    if let original = removing(suffixes, from: base) { return original + counter }
    let number = stem.dropFirst(5)
    guard stem.hasPrefix("img_e"), number.prefix(while: \.isASCIIDigit).count == 4 else {
      return nil
    }
    return "img_" + number
  }

  /// The stem of the original, for the stem of an edited version in a Takeout; nil for other stems.
  ///
  /// - Parameter stem: in lower case.
  static func original(ofTakeoutEdited stem: String) -> String? {
    let (base, counter) = splittingCounter(stem)
    return removing(takeoutSuffixes, from: base).map { $0 + counter }
  }

  /// UTF-16 units from which a stem may be cut: Takeout cuts names to 51, of which an extension has four or five.
  private static let cutLength = 46

  /// A stem without its suffix; nil if it has none. Of a long stem Takeout may have cut the suffix.
  private static func removing(_ suffixes: [String], from stem: String) -> String? {
    func removing(_ suffix: String) -> String? {
      guard stem.count > suffix.count, stem.hasSuffix(suffix) else { return nil }
      return String(stem.dropLast(suffix.count))
    }
    if let original = suffixes.lazy.compactMap(removing).first { return original }
    guard (cutLength...cutLength + 1).contains(stem.utf16.count),
      let hyphen = stem.lastIndex(of: "-"),
      takeoutSuffixes.contains(where: { $0.hasPrefix(stem[hyphen...]) })
    else { return nil }
    // A hyphen alone is not a suffix.
    return stem[hyphen...].count > 2 ? String(stem[..<hyphen]) : nil
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
