import Foundation
import MediaModel

@testable import Catalog
@testable import Query

/// Conditions, implemented a second time on one asset without SQL. SQL must agree with the result.
extension AssetRecord {
  func fulfils(_ condition: Condition) -> Bool {
    switch condition {
    case .all(let parts): return parts.allSatisfy(fulfils)
    case .any(let parts): return parts.contains(where: fulfils)
    case .not(let part): return !fulfils(part)
    case .type(let word): return isOf(word)
    case .comparison(let attribute, let comparison):
      switch comparison {
      case .text(let relation, let text):
        return texts(attribute).contains { Self.compare($0, relation, text) }
          || attribute == .camera && relation != .contains
            && [camera.make, camera.model].compactMap(\.self)
              .contains { Self.compare($0, relation, text) }
      case .date(let relation, let date):
        return Self.compare(
          time(attribute), relation, date.firstMillisecond, date.endMillisecond - 1)
      case .dates(let first, let last):
        return time(attribute).map {
          first.firstMillisecond <= $0 && $0 < last.endMillisecond
        } ?? false
      case .number(let relation, let value):
        let slack = Self.slack(attribute, value)
        return Self.compare(number(attribute), relation, value - slack, value + slack)
      case .numbers(let range):
        let first = range.lowerBound - Self.slack(attribute, range.lowerBound)
        let last = range.upperBound + Self.slack(attribute, range.upperBound)
        return number(attribute).map { first <= $0 && $0 <= last } ?? false
      }
    case .has(.location): return location != nil
    case .has(.pick): return pick != .none
    case .has(.captureDate): return captureWall != nil
    case .has(.addedDate), .has(.modifiedDate): return true
    case .has(let attribute):
      return number(attribute) != nil || !texts(attribute).isEmpty
    case .near(let latitude, let longitude, let kilometres):
      return location.map {
        Self.kilometres(from: (latitude, longitude), to: ($0.latitude, $0.longitude)) <= kilometres
      } ?? false
    case .under(let folder):
      if folder.bytes.first == 0x2F { return path.isWithin(folder) }
      return path.isWithin(BytePath("/benchmark/library").appending(folder.bytes))
    case .search(let text): return holds(text.typed)
    case .missing: return status == .missing
    }
  }

  /// How far from a value docs/queries.md lets measured ones be that count as equal to it.
  private static func slack(_ attribute: Attribute, _ value: Double) -> Double {
    let measured: Set<Attribute> = [
      .duration, .focalLength, .aperture, .exposureTime, .frameRate,
    ]
    return measured.contains(attribute) ? abs(value) * 0.0005 : 0
  }

  /// Whether all words of a search occur: each begins a word, and each phrase is in one field.
  private func holds(_ search: String) -> Bool {
    let folder = path.parent.display.dropFirst("/benchmark/library".count)
    let texts = [
      path.lastComponent.isEmpty ? "" : BytePath(bytes: path.lastComponent).display,
      String(folder), title ?? "", caption ?? "", (keywords + people).joined(separator: " "),
      [camera.make, camera.model, camera.lens].compactMap(\.self).joined(separator: " "),
    ].map(Self.words)
    for (index, part) in search.split(separator: "\"", omittingEmptySubsequences: false)
      .enumerated()
    {
      let isPhrase = !index.isMultiple(of: 2)
      for piece in isPhrase ? [part] : part.split(separator: " ") {
        let wanted = Self.words(String(piece))
        guard let last = wanted.last else { continue }
        let isThere = texts.contains { words in
          words.indices.contains { start in
            let found = words[start...].prefix(wanted.count)
            return found.count == wanted.count && found.dropLast().elementsEqual(wanted.dropLast())
              && found.last.map { isPhrase ? $0 == last : $0.hasPrefix(last) } == true
          }
        }
        if !isThere { return false }
      }
    }
    return true
  }

  /// The words of a text: letters and digits, without case and accents.
  private static func words(_ text: String) -> [String] {
    text.withoutAccents.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static func compare<Value: Comparable>(
    _ value: Value?, _ relation: Relation, _ first: Value, _ last: Value
  ) -> Bool {
    guard let value else { return false }
    return switch relation {
    case .equal: first <= value && value <= last
    case .less: value < first
    case .atMost: value <= last
    case .greater: value > last
    case .atLeast: value >= first
    }
  }

  private static func compare(_ value: String, _ relation: TextRelation, _ text: String) -> Bool {
    let (value, text) = (value.plain, text.plain)
    return switch relation {
    case .equal: value == text
    case .contains: value.contains(text)
    // fnmatch has no extension that GLOB lacks in the patterns of these tests.
    case .like: unsafe fnmatch(text.bytes, value.bytes, 0) == 0
    }
  }

  private func texts(_ attribute: Attribute) -> [String] {
    let name = path.display.split(separator: "/").last.map(String.init) ?? ""
    return switch attribute {
    case .camera:
      [[camera.make, camera.model].compactMap(\.self).joined(separator: " ")].filter { !$0.isEmpty }
    case .make: [camera.make].compactMap(\.self)
    case .model: [camera.model].compactMap(\.self)
    case .lens: [camera.lens].compactMap(\.self)
    case .software: [camera.software].compactMap(\.self)
    case .codec: [video.codec].compactMap(\.self)
    case .name: [name]
    case .path: [path.display]
    case .folder: [path.parent.display]
    case .extension:
      name.lastIndex(of: ".").map { [String(name[name.index(after: $0)...])] } ?? []
    case .album: [path.parent.display.split(separator: "/").last.map(String.init) ?? ""] + albums
    case .title: [title].compactMap(\.self)
    case .description: [caption].compactMap(\.self)
    case .keyword: keywords
    case .label: [label].compactMap(\.self)
    case .pick: [pick.word]
    case .person: people
    case .uniformType: [uniformType.rawValue]
    case .status: [status.rawValue]
    default: []
    }
  }

  private func time(_ attribute: Attribute) -> Int64? {
    switch attribute {
    case .addedDate: added
    case .modifiedDate: modified / 1_000_000
    default: captureWall
    }
  }

  private func number(_ attribute: Attribute) -> Double? {
    let civil = captureWall.map { wall in
      CivilTime(secondsSince1970: Int64((Double(wall) / 1000).rounded(.down)))
    }
    return switch attribute {
    case .size: Double(size)
    case .orientation: orientation.map(Double.init)
    case .duration: duration
    case .year: civil.map { Double($0.year) }
    case .month: civil.map { Double($0.month) }
    case .iso: exposure.iso.map(Double.init)
    case .focalLength: exposure.focalLength
    case .aperture: exposure.fNumber
    case .exposureTime: exposure.time
    case .width: pixelSize.map { Double($0.width) }
    case .height: pixelSize.map { Double($0.height) }
    case .pixels: pixelSize.map { Double($0.width) * Double($0.height) }
    case .rating: rating.map(Double.init)
    case .frameRate: video.frameRate
    case .latitude: location?.latitude
    case .longitude: location?.longitude
    case .altitude: location?.altitude
    default: nil
    }
  }

  /// By the angle between two vectors, not by the formula under test.
  private static func kilometres(
    from: (latitude: Double, longitude: Double), to: (latitude: Double, longitude: Double)
  ) -> Double {
    func vector(_ place: (latitude: Double, longitude: Double)) -> [Double] {
      let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
      return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
    }
    let (a, b) = (vector(from), vector(to))
    let cross = [
      a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
    ]
    let sine = cross.map { $0 * $0 }.reduce(0, +).squareRoot()
    return 6371.0088 * atan2(sine, zip(a, b).map(*).reduce(0, +))
  }
}

/// The orders of listings, implemented a second time.
extension AssetOrder {
  /// Whether one asset precedes another: assets without a value are last, and equal ones are in the order of their
  /// rows.
  func puts(_ one: AssetRecord, before other: AssetRecord) -> Bool {
    func precedes<Value: Comparable>(
      _ first: Value?, _ second: Value?, isDescending: Bool
    ) -> Bool {
      switch (first, second) {
      case (let first?, let second?) where first != second:
        return isDescending ? first > second : first < second
      case (_?, nil): return true
      case (nil, _?): return false
      default: return isDescending ? one.rowID > other.rowID : one.rowID < other.rowID
      }
    }
    return switch key {
    case .captureDate:
      precedes(one.captureWall, other.captureWall, isDescending: !isReversed)
    case .size: precedes(one.size, other.size, isDescending: !isReversed)
    case .duration: precedes(one.duration, other.duration, isDescending: !isReversed)
    case .addedDate: precedes(one.added, other.added, isDescending: !isReversed)
    case .name:
      precedes(one.nameBytes, other.nameBytes, isDescending: isReversed)
    }
  }
}

extension AssetRecord {
  /// In the order of bytes, ignoring the case of ASCII; each byte becomes one character.
  fileprivate var nameBytes: String {
    let name = path.display.split(separator: "/").last.map(String.init) ?? ""
    return String(
      String.UnicodeScalarView(
        name.utf8.map { Unicode.Scalar((65...90).contains($0) ? $0 + 32 : $0) }))
  }
}

/// What is the same text to docs/queries.md; two strings are equal in any form as it is.
extension String {
  /// In one case; a sigma is a sigma (CaseFolding.txt).
  fileprivate var plain: String {
    precomposedStringWithCanonicalMapping.lowercased().replacing("ς", with: "σ")
  }

  fileprivate var withoutAccents: String {
    var text = decomposedStringWithCanonicalMapping
    text.unicodeScalars.removeAll { (0x300...0x36F).contains($0.value) }
    for (letter, spelling) in ["ß": "ss", "ł": "l", "ø": "o"] {
      text = text.replacing(letter, with: spelling).replacing(
        letter.uppercased(), with: spelling.uppercased())
    }
    return text.plain
  }

  /// For `fnmatch`, which matches single bytes here: one character for each byte that is not ASCII.
  fileprivate var bytes: [CChar] {
    unicodeScalars.map { scalar in
      CChar(truncatingIfNeeded: scalar.isASCII ? scalar.value : 0x80 | scalar.value & 0x7F)
    } + [0]
  }
}
