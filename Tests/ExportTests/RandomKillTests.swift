import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests.SuddenDeath {
  /// `kill -9` at any moment of exports that replace what earlier ones made, pairs among it.
  @Test(.enabled(if: Tool.areInstalled(.exiftool)), .timeLimit(.minutes(30)))
  func killedReplacementsAreMadeGoodByTheNextExport() async throws {
    let bench = try Workbench()
    try await bench.bash(
      """
      for number in {1..12}; do
        convert -seed $number -size 96x64 plasma:tomato-steelblue library/$number.jpg
        convert -seed 9$number -size 48x64 plasma:tomato-steelblue library/clip$number.jpg
      done
      exiftool -q -overwrite_original -GPSLatitude=47.3711 -GPSLatitudeRef=N \
        -GPSLongitude=8.5422 -GPSLongitudeRef=E library
      """)
    _ = try await bench.scan([bench.library])
    for number in 1...4 { try await bench.pairUp("\(number).jpg", "clip\(number).jpg") }
    // The clips of these pairs are JPEGs, whose place only the preset `current` without a flag keeps; so
    // half of the library is a picture with a place, and the other half pairs that are replaced.
    let plain = ["5.jpg", "6.jpg", "7.jpg", "8.jpg", "9.jpg", "10.jpg", "11.jpg", "12.jpg"].map {
      bench.library + "/" + $0
    }
    let pairs = (1...4).map { bench.library + "/\($0).jpg" }
    func arguments(_ assets: [String], _ flags: [String], to target: String) -> [String] {
      ["export", "--preset", "current", "--to", target] + flags + assets
    }
    let strip = ["--strip-location", "--update"]
    _ = try await bench.shoebox(arguments(plain, strip, to: bench.folder + "/expected"))
    _ = try await bench.shoebox(arguments(pairs, [], to: bench.folder + "/expected"))
    let expected = try await bench.digests(of: bench.folder + "/expected")
    #expect(expected.count == 16)

    let rounds = ExportTests.isLong ? 300 : 10
    var killed = 0
    var span = 0.4
    for round in 1...rounds {
      // As an earlier export left it: with places, and with pairs of an older version of the files.
      try await bench.bash("rm -rf out")
      _ = try await bench.shoebox(arguments(plain + pairs, [], to: bench.target))
      try await bench.bash(
        "for n in {1..4}; do touch -d @$((\(round) * 10 + n)) library/$n.jpg; done")
      let isPlain = round % 2 == 0
      let wanted = arguments(
        isPlain ? plain : pairs, isPlain ? strip : ["--update"], to: bench.target)
      let moment = Double.random(in: 0.005...span)
      if try await bench.kill(wanted, afterSeconds: moment) {
        killed += 1
      } else {
        span = max(0.02, moment)
      }
      for (assets, flags) in [(plain, strip), (pairs, ["--update"])] {
        let outcome = try await bench.shoebox(arguments(assets, flags, to: bench.target))
        #expect(outcome.status == 0, "round \(round), killed after \(moment) s: \(outcome.output)")
      }
      let found = try await bench.digests(of: bench.target)
      #expect(found == expected, "round \(round), killed after \(moment) s")
      #expect(try await bench.leftovers().isEmpty)
    }
    #expect(killed > 0, "every export ended before it was killed")
    let places = try await bench.bash(
      "cd out; exiftool -q -q -p '$GPSLatitude' {5..12}.jpg 2>/dev/null || true")
    #expect(places.isEmpty)
  }
}
