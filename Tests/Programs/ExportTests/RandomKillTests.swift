import Foundation
import MediaTools
import PlantedPlaces
import SeededRandom
import Testing
import Workbench

/// `kill -9` at random moments of exports that replace the files of earlier ones.
///
/// The library contains live photos with a place in both files, pictures with and without one, sidecars, and an
/// edited picture.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .ffmpeg, .imageMagick)))
struct RandomKillTests {
  /// Two exports into one target. The second one replaces results of the first.
  private struct Exchange {
    var preset = "current"
    var before: [String]
    /// Flags of the export that is killed, after `--update`.
    var after: [String]

    var isStripping: Bool { after.contains("--strip-location") }
  }

  /// The event from which the time to the kill is counted.
  private enum Start: Int { case program, firstResult }

  /// Every second round tests the first one. The others take turns.
  private static let exchanges = [
    Exchange(before: [], after: ["--strip-location"]),
    Exchange(before: ["--strip-location"], after: ["--resources", "all"]),
    Exchange(
      before: ["--edits", "both"], after: ["--strip-location", "--edits", "both"]),
    Exchange(before: ["--live-photo", "still"], after: ["--strip-location"]),
    Exchange(
      before: ["--live-photo", "motion", "--edits", "original"],
      after: ["--strip-location", "--edits", "original"]),
    Exchange(preset: "compatible", before: [], after: ["--strip-location"]),
  ]

  @Test(.timeLimit(.minutes(30)))
  func `the next export completes a killed replacement`() async throws {
    let seed = SeededGenerator.seed(of: "killed replacements")
    var random = SeededGenerator(seed: seed)
    let bench = try await library()
    var expected: [[String]] = []
    for exchange in Self.exchanges { expected.append(try await undisturbed(exchange, bench)) }

    let rounds = ExportTests.isLong ? 300 : 12
    var (killed, mixed) = (0, 0)
    // The known duration of an export in seconds: since its start, and since its first result.
    var spans = [0.5, 0.1]
    for round in 0..<rounds {
      let number = round % 2 == 0 ? 0 : 1 + round / 2 % (Self.exchanges.count - 1)
      let exchange = Self.exchanges[number]
      try await bench.bash("rm -rf out")
      #expect(try await bench.export(exchange.before, preset: exchange.preset).status == 0)
      let earlier = try await bench.digests(of: bench.target)
      // The start of the programs takes longer than the replacement, so about half of the kills wait for the latter.
      let start = Bool.random(using: &random) ? Start.program : .firstResult
      let moment = Double.random(in: 0...spans[start.rawValue], using: &random)
      let when: Comment =
        "seed \(seed), round \(round), \(exchange), killed \(moment) s after its \(start)"
      if try await kill(exchange, after: start, seconds: moment, bench) {
        killed += 1
        let found = Set(try await bench.digests(of: bench.target))
        #expect(found.isSubset(of: earlier + expected[number]), "a file is torn: \(when)")
        let old = Set(earlier).subtracting(expected[number])
        let new = Set(expected[number]).subtracting(earlier)
        if !found.isDisjoint(with: old), !found.isDisjoint(with: new) { mixed += 1 }
      } else {
        spans[start.rawValue] = max(0.02, moment)
      }
      try await expectCompletion(exchange, expected[number], bench, when)
    }
    print(
      "killed replacements: seed \(seed), \(rounds) rounds, \(killed) killed before their end, "
        + "\(mixed) of them between the first and the last replacement")
    #expect(killed >= rounds / 3, "seed \(seed)")
    if ExportTests.isLong { #expect(mixed >= rounds / 20, "seed \(seed)") }
  }

  private func library() async throws -> Workbench {
    let bench = try Workbench()
    let place = PlantedPlace.planted
    let tags = "-GPSLatitude=\(place.latitude) -GPSLongitude=\(place.longitude)"
    try await bench.bash(
      """
      place='-q -overwrite_original -m \(tags) -GPSLatitudeRef=N -GPSLongitudeRef=E'
      camera='-Make=Apple -Model=iPhone -DateTimeOriginal=2024:06:01T10:15:30 -OffsetTimeOriginal=+02:00'
      for n in {1..12}; do
        convert -seed $n -size 96x64 plasma:tomato-steelblue library/$n.jpg
      done
      convert -seed 30 -size 64x48 plasma: library/30.png
      exiftool $place library/{1,2,3,4,5,6,7,8}.jpg library/30.png
      for n in 1 9; do
        exiftool -q -XMP:GPSLatitude=\(place.latitude) -XMP:GPSLongitude=\(place.longitude) \
          -XMP:Rating=4 library/$n.xmp
      done
      ffmpeg -v error -f lavfi -i testsrc2=s=64x48:r=10:d=1 -c:v libx264 -pix_fmt yuv420p \
        -movflags use_metadata_tags -metadata com.apple.quicktime.make=Apple \
        -metadata com.apple.quicktime.model=iPhone \
        -metadata com.apple.quicktime.creationdate=2024-06-01T10:15:29+0200 \
        -metadata com.apple.quicktime.location.ISO6709=\(place.iso6709) clip.mov
      for n in {11..16}; do
        convert -seed $n -size 96x64 plasma:tomato-steelblue library/IMG_00$n.JPG
        # An unused box makes the clips differ.
        { cat clip.mov; printf '\\0\\0\\0\\x0cfree%04d' $n; } >library/IMG_00$n.MOV
      done
      convert -seed 31 -size 96x64 plasma:tomato-steelblue library/IMG_E0011.JPG
      exiftool $place $camera library/IMG_*.JPG
      echo '<plist version="1.0"><dict><key>adjustmentFormatIdentifier</key><string>com.apple.photo\
      </string></dict></plist>' >library/IMG_0011.AAE
      """)
    _ = try await bench.scan([bench.library])
    let pairs = try await bench.query(
      "SELECT count(*) FROM assets WHERE absorbed_as = 'pairedVideo'")
    #expect(pairs == ["6"])
    return bench
  }

  /// The results of the two exports without a kill: digest and name of each file.
  private func undisturbed(_ exchange: Exchange, _ bench: Workbench) async throws -> [String] {
    try await bench.bash("rm -rf out")
    #expect(try await bench.export(exchange.before, preset: exchange.preset).status == 0)
    let before = try await bench.digests(of: bench.target)
    #expect(try await traces(bench).isEmpty == exchange.before.contains("--strip-location"))
    let (status, summary) = try await bench.export(
      ["--update"] + exchange.after, preset: exchange.preset)
    #expect(status == 0 && summary.copied + summary.remuxed + summary.transcoded > 0, "\(exchange)")
    let after = try await bench.digests(of: bench.target)
    #expect(before != after)
    #expect(try await traces(bench).isEmpty == exchange.isStripping, "\(exchange)")
    return after
  }

  /// Starts the second export, and kills it and its workers at the same moment.
  ///
  /// - Returns: whether it was still running then.
  private func kill(
    _ exchange: Exchange, after start: Start, seconds: Double, _ bench: Workbench
  ) async throws -> Bool {
    let flags = exchange.after.joined(separator: " ")
    let status = try await bench.bash(
      """
      touch -r out/.shoebox-export.jsonl start
      SHOEBOX_CATALOG='\(bench.catalog)' setsid '\(bench.program)' export --to out \
        --preset \(exchange.preset) --update \(flags) >/dev/null 2>&1 &
      shoebox=$!
      if [[ \(start) == firstResult ]]; then
        until [[ out/.shoebox-export.jsonl -nt start || ! -e /proc/$shoebox/exe ]]; do :; done
      fi
      sleep \(seconds)
      victims=-$shoebox
      for codec in $(cat /proc/$shoebox/task/*/children 2>/dev/null || true); do
        victims+=" -$codec"
      done
      kill -KILL -- $victims 2>/dev/null || true
      status=0; wait $shoebox 2>/dev/null || status=$?
      echo $status
      """)
    return status == "137\n"
  }

  /// Exports again. The result must be the same as without a kill, and a further export must have nothing to do.
  private func expectCompletion(
    _ exchange: Exchange, _ expected: [String], _ bench: Workbench, _ when: Comment
  ) async throws {
    let flags = ["--update"] + exchange.after
    let (status, summary) = try await bench.export(flags, preset: exchange.preset)
    #expect(status == 0 && summary.failed == 0, when)
    #expect(try await bench.digests(of: bench.target) == expected, when)
    let hidden = try await bench.bash("cd out; find . -name '.?*' | sort")
    #expect(hidden == "./.shoebox-export.jsonl\n./.shoebox-export.lock\n", when)
    if exchange.isStripping { #expect(try await traces(bench).isEmpty, when) }
    let (lastStatus, last) = try await bench.export(flags, preset: exchange.preset)
    #expect(lastStatus == 0 && last.skipped > 0, when)
    #expect(last.copied + last.remuxed + last.transcoded + last.failed == 0, when)
    #expect(try await bench.digests(of: bench.target) == expected, when)
  }

  /// The positions of the planted place in the target's files, including the record.
  private func traces(_ bench: Workbench) async throws -> [String] {
    let files = try await bench.bash("find out -type f -size +0")
    return try files.split(separator: "\n").flatMap { file in
      let bytes = try Data(contentsOf: URL(filePath: bench.folder).appending(path: String(file)))
      return Self.needles.traces(in: Array(bytes)).map { "\(file): \($0)" }
    }
  }

  private static let needles = PlantedPlace.planted.needles
}
