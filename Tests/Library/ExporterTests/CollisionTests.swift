import Catalog
import Foundation
import MediaModel
import Testing

@testable import Exporter

/// Results that would have the same name.
struct CollisionTests {
  /// The results' paths by their sources, which have different content.
  private func names(
    _ subjects: [ExportSubject], _ request: ExportRequest, target: TargetState = TargetState()
  ) -> [BytePath: [String]] {
    let items = ExportPlanner(request, target: target).plan(subjects).items
    return Dictionary(items.map { ($0.asset.path, $0.files.map(\.target)) }) { $1 }
  }

  @Test func theFirstByItsPathKeepsItsName() throws {
    var request = try request()
    request.isFlat = true
    let subjects = ["/l/b/x.jpg", "/l/a/X.JPG", "/l/c/x.jpg", "/l/a/x (2).jpg"]
      .map { subject(sample($0)) }
    let names = names(subjects, request)
    #expect(
      names == [
        BytePath("/l/a/X.JPG"): ["X.JPG"], BytePath("/l/a/x (2).jpg"): ["x (2).jpg"],
        BytePath("/l/b/x.jpg"): ["x (3).jpg"],
        BytePath("/l/c/x.jpg"): ["x (4).jpg"],
      ])
  }

  /// Pairs of names that FAT, NTFS or a Mac's disk take for one.
  @Test(arguments: [
    ("straße", "STRASSE"), ("caf\u{E9}", "cafe\u{301}"), ("ΣΑΣ", "σας"), ("ﬁn", "FIN"),
    ("Ǆ", "ǆ"), ("K", "k"),
  ])
  func namesThatDifferByCaseOrFormAreTheSame(first: String, second: String) throws {
    let names = names(
      [subject(sample("/l/\(first).jpg")), subject(sample("/l/\(second).jpg"))], try request())
    #expect(names.values.count { $0[0].contains("(2)") } == 1, "\(names)")
  }

  @Test func aFileIsNotCalledLikeAFolder() throws {
    let names = names(
      [subject(sample("/l/x.jpg/a.jpg")), subject(sample("/l/x.jpg"))], try request())
    #expect(names[BytePath("/l/x.jpg")] == ["x (2).jpg"])
  }

  @Test func whatLiesThereAlreadyKeepsItsName() throws {
    let target = TargetState(names: ["f": ["A.jpg", "a (2).JPG"]])
    let subjects = [subject(sample("/l/f/a.jpg")), subject(sample("/l/a.jpg"))]
    let kept = names(subjects, try request(), target: target)
    #expect(kept == [BytePath("/l/a.jpg"): ["a.jpg"], BytePath("/l/f/a.jpg"): ["f/a (3).jpg"]])
    var overwriting = try request()
    overwriting.replacement = .always
    #expect(names(subjects, overwriting, target: target)[BytePath("/l/f/a.jpg")] == ["f/a.jpg"])
  }

  private func sidecar(_ path: String, _ type: UniformType) -> ResourceRecord {
    ResourceRecord(type: .sidecar, path: BytePath(path), uniformType: type, size: 10)
  }

  /// digiKam and Google Takeout name a sidecar by the whole name of its picture: the number belongs to that.
  @Test func `the sidecars of a numbered result keep its name`() throws {
    var request = try request()
    request.isFlat = true
    request.resources = .all
    let subjects = ["/l/a/x.JPG", "/l/b/x.JPG"].map { path in
      var asset = sample(path)
      asset.resources += [
        sidecar(path + ".xmp", .xmp), sidecar(path + ".supplemental-metadata.json", .json),
        sidecar("\(path.dropLast(4)).xmp", .xmp),
      ]
      return subject(asset)
    }
    let names = names(subjects, request)
    #expect(
      Set(names[BytePath("/l/a/x.JPG")] ?? []) == [
        "x.JPG", "x.JPG.xmp", "x.JPG.supplemental-metadata.json", "x.xmp",
      ])
    #expect(
      Set(names[BytePath("/l/b/x.JPG")] ?? []) == [
        "x (2).JPG", "x (2).JPG.xmp", "x (2).JPG.supplemental-metadata.json", "x (2).xmp",
      ])
  }

  @Test func `a picture and its sidecar are cut at the same byte`() throws {
    var request = try request()
    request.resources = .all
    request.template = try NameTemplate(typed: String(repeating: "n", count: 260) + "{stem}")
    var asset = sample("/l/x.JPG")
    asset.resources.append(sidecar("/l/x.JPG.xmp", .xmp))
    let stem = String(repeating: "n", count: 247)
    #expect(names([subject(asset)], request)[asset.path] == [stem + ".JPG", stem + ".JPG.xmp"])
  }

  @Test func `names with the number of a copy are not too long`() throws {
    let unit = NamingUnit(
      wanted: WantedName(folder: "f", stem: String(repeating: "n", count: 260)),
      extensions: Array(repeating: ".jpg", count: 12))
    var assignment = NameAssignment(reserved: [], folders: ["f"])
    let names = assignment.assign([unit], checking: {})[0]
    #expect(Set(names).count == 12)
    #expect(names.allSatisfy { $0.utf8.count <= 2 + 255 }, "\(names)")
    let (long, cut) = (String(repeating: "é", count: 125), String(repeating: "é", count: 124))
    let numbered = "f/\(long).jpg".insertingBeforeExtension("-10")
    #expect(numbered == "f/\(cut)-10.jpg")
  }

  @Test func `a sidecar of a result that stays has a name that is not too long`() {
    let stem = String(repeating: "n", count: 251)
    let unit = NamingUnit(
      wanted: WantedName(folder: "", stem: stem), extensions: [".jpg", ".xmp"],
      stems: [1: ResultStem(stem: stem, tail: ".jpg")], sidecars: 1..<2)
    let names = unit.paths(beside: [0: stem + ".jpg"])
    #expect(names == [stem + ".jpg", stem.dropLast(4) + ".jpg.xmp"])
  }

  /// Issue 4: ten thousand items with colliding names from twenty folders.
  @Test func tenThousandCollidingItemsGetTenThousandNames() throws {
    var request = try request(image: "current")
    request.isFlat = true
    let stems = ["IMG", "img", "Img", "Straße", "STRASSE", "é", "e\u{301}", "IMG (2)"]
    let subjects = (0..<10_000).map { number in
      let stem = stems[number / 20 % stems.count]
      let path = "/l/folder\(number % 20)/\(number / 160)/\(stem).jpg"
      return subject(
        number.isMultiple(of: 7)
          ? sample(path, clip: clip(path + ".MOV")) : sample(path))
    }
    let first = names(subjects, request)
    let all = first.values.flatMap { $0 }
    #expect(first.count == Set(subjects.map(\.asset.path)).count)
    #expect(all.count > 10_000)
    // Folded by Foundation, not by what is tested.
    let folded = Set(
      all.map {
        $0.folding(options: .caseInsensitive, locale: Locale(identifier: "en_US_POSIX"))
          .precomposedStringWithCanonicalMapping
      })
    #expect(folded.count == all.count)
    for pair in first.values where pair.count == 2 {
      #expect(pair[0].dropLast(4) == pair[1].dropLast(4))
    }
    #expect(names(subjects.shuffled(), request) == first)
  }
}
