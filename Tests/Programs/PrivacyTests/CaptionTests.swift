import Foundation
import MediaTools
import Testing
import Workbench

/// Exports, by the real programs, of pictures and videos with captions.
@Suite(
  .enabled(if: Tool.areInstalled(.ffmpeg, .imageMagick, .heifEncoder, .exiftool)),
  .timeLimit(.minutes(5)))
struct CaptionTests {
  private let bench: Workbench
  private let names: [String]

  init() async throws {
    bench = try Workbench()
    names = try await CaptionedMedia(bench: bench).make()
    _ = try await bench.scan([bench.library])
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// All that exiftool finds in a file, without the names of the file and its folder.
  private func tags(_ path: String) async throws -> String {
    try await Tool.exiftool.run(["-a", "-G1", "-U", "-ee", "-n", "--System:all", path])
  }

  /// Exports the library.
  ///
  /// - Returns: the names of the results.
  private func export(_ flags: [String], to target: String) async throws -> [String] {
    let outcome = try await bench.shoebox(["export", "--to", target] + flags)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let results = try FileManager.default.contentsOfDirectory(atPath: target)
      .filter { !$0.hasPrefix(".") }
    #expect(results.count == names.count, "\(outcome.errors)")
    return results.sorted()
  }

  /// The files that record a place, by their stems.
  private static let located = [
    "jpeg", "png", "heic", "tiff", "gif", "webp", "extended", "mov", "mp4",
  ]

  @Test func `each file has the planted captions`() async throws {
    #expect(names.count >= 16)
    for name in names {
      let path = bench.library + "/" + name
      #expect(CaptionedMedia.isCaptioned(try bytes(path)) || name == "compressed.png", "\(name)")
    }
    let found = try await tags(bench.library + "/jpeg.jpg")
    for place in [
      "-description", "-document", "-user-comment", "-xp-title", "-xp-comment", "-xp-subject",
      "-xmp-title", "-xmp-description", "-xmp-headline", "-xmp-user-comment", "-ifd1",
      "-xmp-image-description", "-xmp-alt", "-xmp-extended-alt", "-iptc-headline", "-iptc-caption",
      "-iptc-name", "-comment",
    ] { #expect(found.contains(CaptionedMedia.word + place), "\(place)") }
    for name in ["mp4.mp4", "mov.mov"] {
      let found = try await tags(bench.library + "/" + name)
      for place in ["-keys-title", "-keys-display", "-item-long", "-user-title", "-xmp-title"] {
        #expect(found.contains(CaptionedMedia.word + place), "\(name): \(place)")
      }
    }
  }

  @Test(arguments: ["current", "compatible"])
  func `an export without captions has none, and keeps the place`(preset: String) async throws {
    let target = bench.folder + "/out"
    for name in try await export(["--preset", preset, "--strip-captions"], to: target) {
      let path = target + "/" + name
      #expect(!CaptionedMedia.isCaptioned(try bytes(path)), "\(preset): \(name)")
      let found = try await tags(path)
      #expect(!found.contains(CaptionedMedia.word), "\(preset): \(name): \(found)")
      guard let stem = name.split(separator: ".").first.map(String.init),
        Self.located.contains(stem)
      else { continue }
      #expect(found.contains("47.123"), "\(preset): \(name): \(found)")
      #expect(found.contains(CaptionedMedia.keyword), "\(preset): \(name): \(found)")
    }
  }

  @Test(arguments: ["current", "compatible"])
  func `captions stay where only the place is removed`(preset: String) async throws {
    let target = bench.folder + "/out"
    for name in try await export(["--preset", preset, "--strip-location"], to: target) {
      let found = try await tags(target + "/" + name)
      #expect(!found.contains("47.123"), "\(preset): \(name): \(found)")
      // Comments between scans are never kept.
      if !name.hasPrefix("scans") {
        #expect(found.contains(CaptionedMedia.word), "\(preset): \(name): \(found)")
      }
    }
  }

  @Test func `both are removed together`() async throws {
    let target = bench.folder + "/out"
    let flags = ["--preset", "current", "--strip-location", "--strip-captions"]
    for name in try await export(flags, to: target) {
      let path = target + "/" + name
      #expect(!CaptionedMedia.isCaptioned(try bytes(path)), "\(name)")
      let found = try await tags(path)
      #expect(
        !found.contains(CaptionedMedia.word) && !found.contains("47.123"), "\(name): \(found)")
      let before = try await frames(bench.library + "/" + name)
      #expect(try await frames(path) == before && !before.isEmpty, "\(name) looks different")
    }
  }

  /// Digests of the decoded frames of the first video track.
  private func frames(_ path: String) async throws -> String {
    guard !path.hasSuffix(".heic"), !path.hasSuffix(".webp") else {
      return try await bench.bash("convert '\(path)' -format '%#' info:")
    }
    return try await Tool.ffmpeg.run([
      "-v", "fatal", "-i", path, "-map", "0:v:0", "-f", "md5", "-",
    ])
  }
}
