import Foundation
import Testing
import Workbench

/// What exported pictures say of themselves, as exiftool reads it.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Half.isAtHand))
struct ExportedMetadataTests {
  private func text(_ value: Any?) -> String? { value.map { String(describing: $0) } }

  @Test func `tags are the same but for those that docs/metadata.md names`() async throws {
    let export = try await CorpusExport.pictures.value
    let pictures = export.transcoded
    let tags = try await export.scanned.bench.exiftool(
      "-a -u -G1", pictures.flatMap { [$0.source, $0.result] })
    var compared = 0
    for (source, result) in pictures {
      let (before, after) = try (#require(tags[source]), #require(tags[result]))
      let (width, height) = (
        text(after["File:ImageWidth"] ?? after["PNG:ImageWidth"]) ?? "",
        text(after["File:ImageHeight"] ?? after["PNG:ImageHeight"]) ?? ""
      )
      for key in Set(before.keys).union(after.keys) where key.contains(":") {
        let new = text(after[key])
        compared += 1
        if text(before[key]) == new { continue }
        if key.hasPrefix("ICC"), new == nil,
          KnownExports.foreignProfile[export.below(source)] != nil
        {
          continue
        }
        if key.hasPrefix("ICC"), before[key] == nil,
          KnownExports.madeProfile[export.below(source)] != nil
        {
          continue
        }
        if key.hasPrefix("XMP-"), new == nil, KnownExports.foreignXMP[export.below(source)] != nil {
          continue
        }
        let isExplained = MetadataChange.all.contains {
          $0.explains(key, new, width: width, height: height)
        }
        #expect(
          isExplained, "\(export.below(source)): \(key) \(text(before[key]) ?? "-") → \(new ?? "-")"
        )
      }
    }
    #expect(compared > 5000)
  }

  @Test func `colour profiles are the same to the byte`() async throws {
    let export = try await CorpusExport.pictures.value
    let pictures = export.transcoded
    // A file holds one for each of its pictures; with -G4 each is listed.
    let profiles = try await export.scanned.bench.exiftool(
      "-a -b -G4 -icc_profile", pictures.flatMap { [$0.source, $0.result] })
    var compared = 0
    for (source, result) in pictures {
      func all(_ file: String) -> [String] {
        (profiles[file] ?? [:]).filter { $0.key.hasSuffix("ICC_Profile") }.compactMap {
          text($0.value)
        }
      }
      let (before, after) = (all(source), all(result))
      let expected = KnownExports.foreignProfile[export.below(source)] == nil ? 1 : 0
      #expect(
        before.isEmpty || after.count == expected, "\(export.below(source)) lost its profile")
      for profile in after {
        compared += 1
        if let name = KnownExports.madeProfile[export.below(source)] {
          let made = try await export.scanned.bench.exiftool("-G1 -ProfileDescription", [result])
          #expect(text(made[result]?["ICC_Profile:ProfileDescription"]) == name)
          continue
        }
        #expect(before.contains(profile), "\(export.below(source)) has another profile")
      }
    }
    #expect(compared > 15)
  }

  @Test func `makers' notes are the same to the byte`() async throws {
    let export = try await CorpusExport.pictures.value
    let pictures = export.transcoded
    let blocks = try await export.scanned.bench.exiftool(
      "-b -Exif", pictures.flatMap { [$0.source, $0.result] })
    func note(_ file: String) throws -> [UInt8]? {
      if let block = text(blocks[file]?["EXIF"]), block.hasPrefix("base64:") {
        return ExifBlock(Array(Data(base64Encoded: String(block.dropFirst(7))) ?? Data())).makerNote
      }
      // TIFF and most RAW files are such a block themselves.
      return ExifBlock(Array(try Data(contentsOf: URL(filePath: file)))).makerNote
    }
    var compared = 0
    for (source, result) in pictures {
      guard let original = try note(source) else { continue }
      compared += 1
      #expect(try note(result) == original, "\(export.below(source)) has another maker's note")
    }
    #expect(compared > 10)
  }

  @Test func `copies without the location contain no place`() async throws {
    let export = try await CorpusExport.placeless.value
    #expect(export.lines.filter { $0.action == "copied" }.count > 400)
    // Kinds that cannot be changed in place are refused.
    let refused = export.lines.filter { $0.action == "failed" }
    #expect(Set(refused.map { export.below($0.source) }) == Set(KnownExports.unstrippable.keys))
    for line in refused {
      #expect(line.result == nil)
      #expect(line.error?.contains("location") == true, "\(line.source): \(line.error ?? "")")
    }
    try await export.expectNoPlace()
  }

  @Test func `re-encoded pictures without the location contain no place`() async throws {
    let export = try await CorpusExport.placelessPictures.value
    #expect(export.transcoded.count > 40)
    try await export.expectNoPlace()
  }
}

/// A TIFF block, read for its maker's note alone (TIFF 6.0, section 2; EXIF 2.32, 4.6.5).
private struct ExifBlock {
  private let bytes: [UInt8]
  private let isLittleEndian: Bool

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isLittleEndian = bytes.first == UInt8(ascii: "I")
  }

  /// The value of tag 0x927C in the EXIF directory.
  var makerNote: [UInt8]? {
    guard let exif = entry(0x8769, at: number(4, at: 4)),
      let note = entry(0x927C, at: exif.value), note.count > 4,
      note.value + note.count <= bytes.count
    else { return nil }
    return Array(bytes[note.value..<note.value + note.count])
  }

  private func entry(_ tag: Int, at directory: Int?) -> (count: Int, value: Int)? {
    guard let directory, let count = number(2, at: directory) else { return nil }
    for place in (0..<count).map({ directory + 2 + 12 * $0 }) where number(2, at: place) == tag {
      guard let count = number(4, at: place + 4), let value = number(4, at: place + 8) else {
        break
      }
      return (count, value)
    }
    return nil
  }

  private func number(_ width: Int, at offset: Int) -> Int? {
    guard offset >= 0, offset + width <= bytes.count else { return nil }
    let digits = bytes[offset..<offset + width]
    return (isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(0) {
      $0 << 8 | Int($1)
    }
  }
}
