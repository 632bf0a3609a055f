import Catalog
import Foundation
import Linux
import MediaModel
import SeededRandom
import Testing
import WorkerProtocol

@testable import Exporter

/// The plans of tasks that export the shards of one selection.
struct SharedPlanTests {
  /// Stems that collide, with and without numbers, by case, cut, and with more than a dot.
  private static let stems = [
    "IMG", "img", "Img (2)", "IMG (3)", "IMG (2) (2)", "IMG-edited", "IMG-2", "IMG.x", "img.X",
    "IMG ()", "Straße", "STRASSE", "é", "e\u{301}", String(repeating: "long", count: 62),
    String(repeating: "long", count: 62) + "x", String(repeating: "LONG", count: 61),
    String(repeating: "n (2)", count: 49), "2023-05-01 12.00.00", "2023-05-01 12.30.00",
  ]

  /// A library of pictures whose results' types are known only by their content: TIFF files that become JPEGs, or PNGs if
  /// they are transparent, and of which some cannot be exported.
  private static func library(
    _ random: inout SeededGenerator
  ) -> (subjects: [ExportSubject], replies: [BytePath: ExamineReply]) {
    var subjects: [ExportSubject] = []
    var replies: [BytePath: ExamineReply] = [:]
    for number in 0..<150 {
      let stem = stems.randomElement(using: &random) ?? "IMG"
      let folder =
        "/l/" + (["", "a/", "A/", "b/\(number % 5)/"].randomElement(using: &random) ?? "")
      let isTIFF = Bool.random(using: &random)
      let path = folder + stem + (isTIFF ? ".tif" : Bool.random(using: &random) ? ".jpg" : ".JPG")
      guard replies[BytePath(path)] == nil else { continue }
      replies[BytePath(path)] =
        Int.random(in: 0..<10, using: &random) == 0
        ? picture(obstacle: "It is damaged.") : picture(hasAlpha: Bool.random(using: &random))
      var asset = sample(
        path, type: isTIFF ? .tiff : .jpeg, captured: "2024-01-0\(1 + number % 9)T10:00:00",
        clip: Int.random(in: 0..<5, using: &random) == 0
          ? clip(folder + stem + ".MOV") : nil)
      // Paths that differ only in Unicode's form are equal texts.
      asset.identifier = "ID-\(number)"
      if Int.random(in: 0..<8, using: &random) == 0 {
        asset.resources.append(
          ResourceRecord(
            type: .fullSizePhoto, path: BytePath(folder + stem + " edited.jpg"),
            uniformType: .jpeg, size: 900))
        asset.resources.append(
          ResourceRecord(
            type: .sidecar, path: BytePath(path + ".xmp"), uniformType: .xmp, size: 10))
      }
      subjects.append(subject(asset))
    }
    return (subjects, replies)
  }

  private func plan(
    _ subjects: [ExportSubject], _ replies: [BytePath: ExamineReply], _ request: ExportRequest,
    in target: TargetState
  ) -> (items: [ExportItem], examined: Int) {
    let planner = ExportPlanner(request, target: target)
    let files = planner.examinations(subjects)
    let examined = Dictionary(
      files.map { ($0, replies[$0.path] ?? picture()) }
    ) { first, _ in first }
    return (planner.plan(subjects, examined: examined).items, examined.count)
  }

  /// A target with the results of a plan.
  private func add(_ items: [ExportItem], _ request: ExportRequest, to target: inout TargetState) {
    let settings = SettingsDigests(request)
    for item in items where item.fate == .make {
      for file in item.files {
        let stamp = FileStamp(size: 5, modified: 7, inode: UInt64(target.versions.count + 1))
        target.versions[file.target] = stamp
        target.names[file.target.folder, default: []].insert(
          file.target.split(separator: "/").last.map(String.init) ?? "")
        let source = ExportRecord.Version(usualStamp)
        target.record.add(
          ExportRecord.Key(item.asset, file.part),
          ExportRecord.Entry(
            source: source, settings: settings[item.asset], naming: request.naming,
            target: file.target, made: ExportRecord.Version(stamp), inode: stamp.inode,
            isDone: true, isOwn: true))
      }
    }
  }

  private struct Choice: CustomTestStringConvertible {
    var isFlat = false
    var template: String?
    var resources = ResourceChoice.main
    var edits = EditsChoice.current

    var testDescription: String { "\(isFlat) \(template ?? "") \(resources) \(edits)" }
  }

  @Test(arguments: [
    Choice(), Choice(isFlat: true), Choice(resources: .all), Choice(isFlat: true, edits: .both),
    Choice(template: "{captureDate:yyyy}/{index:2}"), Choice(template: "{captureDate:MM}"),
  ])
  private func `tasks give the names of one export, whatever order they come in`(
    choice: Choice
  ) throws {
    let seed = SeededGenerator.seed(of: "shared plan")
    var random = SeededGenerator(seed: seed)
    for round in 0..<8 {
      let (subjects, replies) = Self.library(&random)
      var request = try request()
      request.isFlat = choice.isFlat
      request.template = try choice.template.map(NameTemplate.init(typed:))
      (request.resources, request.edits) = (choice.resources, choice.edits)
      let existing = TargetState(names: ["": ["IMG.jpg"], "a": ["strasse.JPG"]])
      let whole = plan(subjects, replies, request, in: existing)

      let count = Int.random(in: 1...6, using: &random)
      var target = existing
      var items: [ExportItem] = []
      for number in Array(1...count).shuffled(using: &random) {
        request.shard = Shard(number, of: count)
        // Some tasks plan before the results of others are there.
        let seen = Bool.random(using: &random) ? target : existing
        let part = plan(subjects.shuffled(using: &random), replies, request, in: seen)
        #expect(part.items.allSatisfy { request.owns($0.asset) })
        items += part.items
        add(part.items, request, to: &target)
      }
      func names(_ items: [ExportItem]) -> [String: [String]] {
        Dictionary(items.map { ($0.asset.identifier, $0.files.map(\.target)) }) { first, _ in first
        }
      }
      #expect(items.count == whole.items.count, "seed \(seed), round \(round)")
      let (shared, single) = (names(items), names(whole.items))
      let differing = single.filter { shared[$0.key] != $0.value }
      #expect(whole.examined > 0)
      #expect(
        differing.isEmpty, "seed \(seed), round \(round), \(differing.keys.map { shared[$0] })")
    }
  }

  @Test func `a task examines its own files, and those that may want the same names`() throws {
    var request = try request()
    let subjects = (0..<400).map {
      subject(sample("/l/IMG_\($0 / 2).\($0 % 2)x.tif", type: .tiff))
    }
    let whole = ExportPlanner(request).examinations(subjects)
    #expect(whole.count == 400)
    var examined: [BytePath: Int] = [:]
    for number in 1...8 {
      request.shard = Shard(number, of: 8)
      for file in ExportPlanner(request).examinations(subjects) {
        examined[file.path, default: 0] += 1
      }
    }
    #expect(examined.count == 400)
    // Pairs that share what is before the dot are examined by the tasks of both.
    #expect(examined.values.allSatisfy { (1...2).contains($0) })
  }
}
