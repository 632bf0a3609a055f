import Foundation
import SeededRandom

/// A library's random history: lines of bash that change it step by step, run beside the folders
/// `library`, `pool` and `away`.
///
/// Names, folders and contents are few, so that what matters to each other meets often.
struct RandomHistory {
  private var random: SeededGenerator
  private let pool: [String]
  /// The files of the library, below it.
  private(set) var files: Set<String> = []
  /// Files that were taken out of the library, each with the path it had.
  private var away: [(name: String, path: String)] = []
  private var count = 0

  init(seed: UInt64, pool: [String]) {
    random = SeededGenerator(seed: seed)
    self.pool = pool.sorted()
  }

  private static let folders = ["", "a", "b", "a/deep", "Screenshots"]
  private static let stems = [
    "IMG_0001", "IMG_0001", "IMG_E0001", "IMG_0002", "IMG_O0001", "20240601_101530_001",
    "20240601_101530_002", "20240601_101530_003", "Screen", "IMG_0001_BURST001",
  ]

  mutating func steps(_ range: ClosedRange<Int>) -> String {
    let number = Int.random(in: range, using: &random)
    return (0..<number).map { _ in step() }.joined(separator: "\n")
  }

  /// Whether something that happens once in `number` times does.
  mutating func oneIn(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }

  mutating func folder() -> String { Self.folders.randomElement(using: &random) ?? "" }

  private mutating func step() -> String {
    count += 1
    guard let file = files.sorted().randomElement(using: &random), !oneIn(4) else { return add() }
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return copy(file, with: oneIn(2) ? "cp" : "cp -p", to: freshPath(like: file))
    case 2: return oneIn(3) ? copy(file, with: "ln", to: freshPath(like: file)) : add()
    case 3, 4: return move(file, to: oneIn(4) ? path(like: file) : freshPath(like: file))
    case 5: return moveFolder()
    case 6: return swap(file)
    case 7: return "touch -d '2024-08-01 + \(count) minutes' \(quoted(file))"
    case 8: return "cat pool/\(content(like: file)) >\(quoted(file))"
    case 9: return "cp pool/\(content(like: file)) new; mv -f new \(quoted(file))"
    case 10: return "truncate -s \(oneIn(2) ? 0 : 100) \(quoted(file))"
    case 11: return remove(file)
    case 12: return bringBack()
    default: return ignore()
    }
  }

  private func quoted(_ path: String) -> String { "'library/\(path)'" }

  /// Content of the same kind, or once in a while any.
  private mutating func content(like file: String) -> String {
    let same = pool.filter { $0.suffix(4).lowercased() == file.suffix(4).lowercased() }
    return (oneIn(8) ? pool : same).randomElement(using: &random) ?? pool[0]
  }

  private mutating func path(like file: String) -> String {
    let mark = file.split(separator: ".").last.map { String($0) } ?? "JPG"
    let stem = Self.stems.randomElement(using: &random) ?? "IMG"
    var suffix = ""
    switch mark.lowercased() {
    case "mov": suffix = oneIn(4) ? "_HEVC" : ""
    case "xmp", "json": suffix = oneIn(2) ? ".JPG" : ""
    default: suffix = oneIn(10) ? "(1)" : ""
    }
    let folder = folder()
    let isOdd = oneIn(12) && mark.uppercased() != "TXT"
    let name = stem + suffix + "." + (isOdd ? "HEIC" : mark.uppercased())
    return folder.isEmpty ? name : folder + "/" + name
  }

  private mutating func freshPath(like file: String) -> String {
    for _ in 0..<8 {
      let path = path(like: file)
      if !files.contains(path) { return path }
    }
    return "spare/\(count)-" + (file.split(separator: "/").last.map(String.init) ?? "")
  }

  private func into(_ path: String) -> String { "mkdir -p \"$(dirname \(quoted(path)))\"; " }

  private mutating func add() -> String {
    let source = pool.randomElement(using: &random) ?? ""
    let path = freshPath(like: source)
    files.insert(path)
    return into(path) + (oneIn(2) ? "cp -p" : "cp") + " pool/\(source) \(quoted(path))"
  }

  private mutating func copy(_ file: String, with command: String, to path: String) -> String {
    files.insert(path)
    return into(path) + "\(command) \(quoted(file)) \(quoted(path))"
  }

  private mutating func move(_ file: String, to path: String) -> String {
    guard file != path else { return ":" }
    files.remove(file)
    files.insert(path)
    // A hard link that is renamed over its twin stays where it is, so the target goes first.
    return into(path) + "rm -f \(quoted(path)); mv \(quoted(file)) \(quoted(path))"
  }

  private mutating func moveFolder() -> String {
    let (from, to) = (folder(), "a/trip")
    guard !from.isEmpty, from != "a" else { return moveBack(from: "a/trip") }
    return rename(from, to: to)
  }

  private mutating func moveBack(from: String) -> String { rename(from, to: "b") }

  private mutating func rename(_ from: String, to target: String) -> String {
    let inside = files.filter { $0.hasPrefix(from + "/") }
    guard !inside.isEmpty, !files.contains(where: { $0.hasPrefix(target + "/") }) else {
      return add()
    }
    files.subtract(inside)
    files.formUnion(inside.map { target + $0.dropFirst(from.count) })
    return into(target + "/x")
      + "rm -rf \(quoted(target)); mv \(quoted(from)) \(quoted(target))"
  }

  private mutating func swap(_ file: String) -> String {
    let others = files.filter { $0 != file }.sorted()
    guard let other = others.randomElement(using: &random) else { return add() }
    return "mv \(quoted(file)) kept; mv \(quoted(other)) \(quoted(file)); mv kept \(quoted(other))"
  }

  private mutating func remove(_ file: String) -> String {
    files.remove(file)
    away.append(("away/\(count)", file))
    return "mv \(quoted(file)) away/\(count)"
  }

  private mutating func bringBack() -> String {
    guard let index = away.indices.randomElement(using: &random) else { return add() }
    let kept = away.remove(at: index)
    let path = oneIn(3) || files.contains(kept.path) ? freshPath(like: kept.path) : kept.path
    files.insert(path)
    return into(path) + "\(oneIn(3) ? "cp" : "mv") \(kept.name) \(quoted(path))"
  }

  private mutating func ignore() -> String {
    let folder = folder()
    let file = quoted((folder.isEmpty ? "" : folder + "/") + ".shoeboxignore")
    let pattern = ["IMG_0001*", "*", "deep/", "*.MOV", "!IMG_0002*"].randomElement(using: &random)
    let line = oneIn(2) ? "rm -f \(file)" : "echo '\(pattern ?? "*")' >\(file)"
    return "mkdir -p \"$(dirname \(file))\"; " + line
  }
}
