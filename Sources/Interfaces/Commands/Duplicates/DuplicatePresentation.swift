import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// One asset of a set, as tables and CSV have it.
struct DuplicateLine: Sendable {
  /// The number of the set, from 1.
  var number: Int
  var kind: DuplicateSet.Kind
  var member: DuplicateSet.Member
  /// Why the asset is kept, or why the other one is.
  var reason: String
}

extension [DuplicateSet] {
  /// Prints the sets: an object each in JSON, a line for each asset in tables and CSV, and the files of spare assets
  /// as paths.
  func print(as format: OutputFormat, style: Style, to output: Output) throws {
    switch format {
    case .json, .jsonl:
      let presentation = Presentation<DuplicateSet>(
        columns: [], fields: [], json: { $0.value($1) }, paths: nil)
      let printer = try format.printer(presentation, style: style, to: output)
      for set in self { try printer.print(set) }
      try printer.finish()
    case .table, .csv, .paths, .paths0:
      let printer = try format.printer(.duplicates, style: style, to: output)
      for (number, set) in zip(1..., self) {
        for member in set.members {
          try printer.print(
            DuplicateLine(
              number: number, kind: set.kind, member: member,
              reason: member.isSpare ? member.reason ?? "" : set.reason))
        }
      }
      try printer.finish()
    }
  }
}

extension JSONWriter {
  /// A set with all of its assets.
  fileprivate mutating func value(_ set: DuplicateSet) {
    object { writer in
      writer.member("kind", set.kind.rawValue)
      writer.member("keep", set.keeper.asset.identifier)
      writer.member("reason", set.reason)
      writer.key("assets")
      writer.array { writer in
        for member in set.members {
          writer.value(member.asset) { writer in
            writer.member("similarity", member.similarity.shown)
            writer.member("verdict", member.verdict)
            if member.isSpare { writer.member("reason", member.reason) }
          }
        }
      }
      writer.member("reclaimable", set.reclaimableBytes)
    }
  }
}

extension Double {
  /// With three digits.
  var shown: Double { (self * 1000).rounded() / 1000 }
}

extension DuplicateSet.Member {
  /// `keep` or `spare`.
  var verdict: String { isSpare ? "spare" : "keep" }
}

extension Presentation where Item == DuplicateLine {
  static var duplicates: Presentation {
    Presentation(
      columns: [
        TableColumn("SET", width: 4, alignment: .right) { humanCount($0.number) },
        TableColumn("VERDICT", width: 7, isBadge: { !$0.member.isSpare }) { $0.member.verdict },
        TableColumn("ALIKE", width: 5, alignment: .right) {
          $0.kind == .exact ? "exact" : "\(Int(($0.member.similarity * 100).rounded(.down))) %"
        },
        TableColumn("SIZE", width: 6, alignment: .right) { humanBytes($0.member.asset.size) },
        TableColumn("PIXELS", width: 9) {
          $0.member.asset.pixelSize.map { "\($0.width)×\($0.height)" } ?? ""
        },
        TableColumn("KEPT FOR", width: 24) { $0.member.isSpare ? "" : $0.reason },
        TableColumn("PATH", cut: .beginning) { $0.member.asset.path.display },
      ],
      fields: [
        CSVField("set") { String($0.number) },
        CSVField("kind") { $0.kind.rawValue },
        CSVField("verdict") { $0.member.verdict },
        CSVField("similarity") { String($0.member.similarity.shown) },
        CSVField("reason") { $0.reason },
        CSVField("id") { $0.member.asset.identifier },
        CSVField("path") { $0.member.asset.path.display },
        CSVField("size") { String($0.member.asset.size) },
        CSVField("pixelWidth") { $0.member.asset.pixelSize.map { String($0.width) } },
        CSVField("pixelHeight") { $0.member.asset.pixelSize.map { String($0.height) } },
        CSVField("captureDate") { $0.member.asset.captureDate },
      ],
      json: { _, _ in },
      paths: { $0.member.files.map(\.path) })
  }
}
