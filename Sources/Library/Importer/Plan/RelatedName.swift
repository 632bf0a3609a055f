import Exporter
import MediaModel

/// A file's name, and how it follows from the stem that its group gets, so that the next scan relates the same files.
struct RelatedName {
  enum Relation {
    /// It begins with the group's stem.
    case stem
    /// It has another form of the stem, which it keeps with the group's own stem only: `PXL_1.RAW-02.ORIGINAL.dng` beside
    /// `PXL_1.RAW-01.COVER.jpg`, `a.jpg(1).json` beside `a(1).jpg`.
    case exposure
    /// `IMG_E0001.JPG` beside `IMG_0001.JPG`. A number may follow its own stem: `IMG_E0001 (2).JPG`.
    case edit
    /// Only the content shows that it belongs to the group.
    case none
  }

  var relation: Relation
  /// Its own stem, and what follows.
  var head: String, rest: String
  /// What follows another stem of the group.
  var tail: String

  /// The name with a stem of the group.
  ///
  /// - Parameters:
  ///   - isOwn: whether that is the group's own stem.
  ///   - suffix: ` (2)`, or empty.
  func parts(
    stem: String, isOwn: Bool, suffix: String
  ) -> (head: String, suffix: String, rest: String) {
    switch relation {
    case .stem: (stem, suffix, tail)
    case .exposure where isOwn && suffix.isEmpty: (head, suffix, rest)
    case .edit where isOwn: (head, suffix, rest)
    case .exposure, .edit: (stem, suffix, tail)
    case .none: (isOwn ? head : stem + "-" + head, suffix, rest)
    }
  }

  /// The name of a sidecar.
  ///
  /// - Parameters:
  ///   - more: what the sidecar's name has after this one.
  ///   - isStem: whether it has this one's stem only.
  private func extended(by more: Substring, isStem: Bool) -> RelatedName {
    func part(_ text: String) -> String {
      isStem ? String(decoding: FileNameParts(name: Array(text.utf8)).stem, as: UTF8.self) : text
    }
    var name = self
    // `.jpg` is an extension, where `a.jpg` has one.
    name.rest = String(part(head + rest).dropFirst(head.count)) + more
    name.tail = String(part("x" + tail).dropFirst()) + more
    return name
  }
}

extension RelatedName {
  /// The name of a picture or video.
  ///
  /// - Parameter stem: that of the group.
  init(medium name: String, stem: String) {
    let parts = FileNameParts(name: Array(name.utf8))
    let own = String(decoding: parts.stem, as: UTF8.self)
    let ending = String(name.dropFirst(own.count))
    let (base, counter) = splittingCounter(stem)
    if let rest = name.after(stem) {
      self.init(relation: .stem, head: stem, rest: rest, tail: rest)
    } else if !counter.isEmpty, let rest = own.after(base), rest.hasSuffix(counter) {
      // `a-edited(1).jpg` beside `a(1).jpg`.
      let tail = rest.dropLast(counter.count) + ending
      self.init(relation: .exposure, head: own, rest: ending, tail: String(tail))
    } else if let (head, rest) = Self.split(name, edit: "E", of: stem) {
      self.init(relation: .edit, head: head, rest: rest, tail: "-edited" + rest)
    } else if own.caseFolded.hasPrefix("pxl_"),
      own.caseFolded.prefix(while: { $0 != "." }) == stem.caseFolded.prefix(while: { $0 != "." })
    {
      self.init(relation: .exposure, head: own, rest: ending, tail: ending)
    } else {
      self.init(relation: .none, head: own, rest: ending, tail: ending)
    }
  }

  /// The name of a sidecar.
  ///
  /// - Parameters:
  ///   - media: the names of the group's pictures and videos, that which gives the stem first.
  ///   - stem: that of the group.
  init(companion name: String, media: [(name: String, related: RelatedName)], stem: String) {
    if let name = Self.takeout(name, media) {
      self = name
      return
    }
    if let (head, rest) = Self.split(name, edit: "O", of: stem) {
      // Recognition knows this ending.
      self.init(relation: .edit, head: head, rest: rest, tail: ".o" + rest)
      return
    }
    if let (more, medium) = Self.longest(media, { name.after($0.name) }) {
      self = medium.extended(by: more, isStem: false)
    } else if let (more, medium) = Self.longest(media, { name.after(stemOf($0.name)) }) {
      self = medium.extended(by: more, isStem: true)
    } else {
      self.init(medium: name, stem: stem)
    }
  }

  /// The medium with the longest part of a name, and what follows that part.
  private static func longest(
    _ media: [(name: String, related: RelatedName)],
    _ rest: ((name: String, related: RelatedName)) -> String?
  ) -> (more: Substring, RelatedName)? {
    media.compactMap { medium in rest(medium).map { ($0[...], medium.related) } }
      .min { $0.0.count < $1.0.count }
  }

  /// `IMG_E0001.JPG` of the group `IMG_0001` → (`IMG_E0001`, `.JPG`); nil for other names.
  private static func split(
    _ name: String, edit letter: String, of stem: String
  ) -> (head: String, rest: String)? {
    let number = stem.dropFirst(4)
    guard stem.caseFolded.hasPrefix("img_"),
      number.prefix(4).count(where: { $0.isASCII && $0.isNumber }) == 4,
      let rest = name.after(stem.prefix(4) + letter + number)
    else { return nil }
    return (String(name.dropLast(rest.count)), rest)
  }

  /// UTF-16 units that Takeout leaves of a name before `.json`.
  private static let takeoutLimit = 46

  /// The name of a Takeout's file that does not simply follow the name of its picture: the counter is in another place, or the
  /// name is cut. Under another stem it is `stem.jpg.json`.
  private static func takeout(
    _ name: String, _ media: [(name: String, related: RelatedName)]
  ) -> RelatedName? {
    guard name.caseFolded.hasSuffix(".json") else { return nil }
    let (base, counter) = splittingCounter(String(name.dropLast(5)))
    let ending = String(name.suffix(5))
    for (medium, related) in media {
      let (stem, own) = splittingCounter(stemOf(medium))
      let title = stem + medium.dropFirst(stemOf(medium).count)
      if own == counter, !counter.isEmpty, let supplement = base.after(title),
        supplement.isEmpty || supplement.hasPrefix(".")
      {
        return related.takeout(name, supplement + ending)
      }
      let isCut = base.utf16.count >= takeoutLimit && title.after(base) != nil
      if isCut, base.caseFolded != title.caseFolded { return related.takeout(name, ending) }
    }
    return nil
  }

  /// The name of a Takeout's file about this one.
  private func takeout(_ name: String, _ more: String) -> RelatedName {
    var result = extended(by: more[...], isStem: false)
    if relation == .stem || relation == .exposure {
      (result.relation, result.head, result.rest) = (.exposure, name, "")
    }
    return result
  }
}

/// `a(2)` → (`a`, `(2)`).
private func splittingCounter(_ text: String) -> (base: String, counter: String) {
  guard text.last == ")", let open = text.lastIndex(of: "(") else { return (text, "") }
  let digits = text[open...].dropFirst().dropLast()
  guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
    return (text, "")
  }
  return (String(text[..<open]), String(text[open...]))
}

private func stemOf(_ name: String) -> String {
  String(decoding: FileNameParts(name: Array(name.utf8)).stem, as: UTF8.self)
}

extension String {
  /// What follows a text at the beginning, in any case; nil if it does not begin with the text.
  fileprivate func after(_ start: String) -> String? {
    guard count >= start.count, prefix(start.count).description.caseFolded == start.caseFolded
    else { return nil }
    return String(dropFirst(start.count))
  }
}
