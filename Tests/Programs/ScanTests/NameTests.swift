import Foundation
import Testing
import Workbench

extension ScanTests {
  /// File names are bytes.
  @Suite struct Names {
    /// Old Macs wrote accents decomposed, keyboards compose them (Unicode's forms D and C).
    @Test(arguments: ["u\u{308}", "\u{FC}"], ["u\u{308}", "\u{FC}"])
    func accentsAreFoundHoweverTheyAreWritten(written: String, typed: String) async throws {
      let bench = try Workbench()
      try bench.addPicture("M\(written)nchen/fr\(written)h.gif")
      _ = try await bench.scan([bench.library])
      for filter in [
        ["--where", "under 'M\(typed)nchen'"], ["--where", "name = 'fr\(typed)h.gif'"],
        ["--where", "name ~ 'r\(typed)h'"], ["--name", "fr\(typed)*"],
        ["--under", "\(bench.library)/M\(typed)nchen"], ["--search", "fr\(typed)h"],
      ] {
        let found = try await bench.shoebox(["list", "--count"] + filter)
        #expect(found.output == "1\n", "\(filter)")
      }
    }

    @Test func `names that are not text are indexed like any other`() async throws {
      let bench = try Workbench()
      try bench.addPicture("plain.gif", width: 7)
      let long = String(repeating: "x", count: 251) + ".gif"
      try await bench.bash(
        """
        cd library
        mkdir $'f\\xfcr' $'two\\nlines'
        for name in $'caf\\xe9.gif' $'a\\nb.gif' $'tab\\t"quote\\\\.gif' \(long) \
          $'f\\xfcr/in.gif' $'two\\nlines/in.gif' '-dash.gif' 'ünï.gif' $'\\xf0\\x9f\\x93\\xb7.gif'; do
          cp plain.gif "./$name"; printf '%s' "$name" >>"./$name"
        done
        """)
      let (status, report) = try await bench.scan([bench.library])
      #expect(status == 0)
      #expect(report.added == 10)

      let bytes = try await bench.shoebox(["list", "--format", "paths0"]).outputBytes
      let listed = Set(bytes.split(separator: 0).map(Array.init))
      let found = try await bench.bash(
        "find library -name '*.gif' -print0 | sed -z \"s|^|$PWD/|\" | od -An -v -tx1 | tr -d ' \\n'"
      )
      #expect(hexadecimal(bytes.split(separator: 0).map(Array.init)) == sortedHexadecimal(found))
      #expect(listed.count == 10)

      let latin = try await bench.list().first { $0.path.hasSuffix("caf\u{FFFD}.gif") }
      #expect(latin?.pathBytes == Data("\(bench.library)/caf".utf8) + [0xE9] + Data(".gif".utf8))

      struct Album: Decodable {
        var title: String
        var titleBytes: Data?
      }
      let folders = try await bench.shoebox(["albums", "--folders", "--format", "json"])
      let albums = try JSONDecoder().decode([Album].self, from: Data(folders.outputBytes))
      #expect(
        albums.first { $0.title == "f\u{FFFD}r" }?.titleBytes == Data("f".utf8) + [0xFC, 0x72])
      #expect(albums.count == 3)
      #expect(albums.filter { $0.titleBytes != nil }.count == 1)
    }

    /// Both names are `M?ller` where they are shown.
    @Test func `arguments that are not text are told apart`() async throws {
      let bench = try Workbench()
      try bench.addPicture("plain.gif", width: 7)
      let found = try await bench.bash(
        """
        mkdir other $'m\\xfcller' $'m\\xf6ller'
        cp library/plain.gif $'m\\xfcller/a.gif'; cp library/plain.gif $'m\\xf6ller/b.gif'
        printf 1 >>$'m\\xfcller/a.gif'; printf 2 >>$'m\\xf6ller/b.gif'
        shoebox() { '\(bench.program)' "$1" --catalog catalog.sqlite "${@:2}"; }
        shoebox scan m* >/dev/null
        shoebox list --count --under=$'m\\xf6ller' --under plain
        shoebox list --count --under $'m\\xfcller'
        shoebox export m*/*.gif --to=$'out\\xff' >/dev/null
        shoebox import m* --into other >/dev/null
        ls $'out\\xff'
        ls other/*/*
        """)
      #expect(found.split(separator: "\n").prefix(4) == ["1", "1", "a.gif", "b.gif"])
      #expect(found.contains("/a.gif") && found.contains("/b.gif"))
    }

    @Test func `a name that is not text keeps its asset over a rescan and a removal`() async throws
    {
      let bench = try Workbench()
      try bench.addPicture("plain.gif")
      try await bench.bash("mv library/plain.gif library/$'caf\\xe9.gif'")
      _ = try await bench.scan([bench.library])
      let again = try await bench.scan()
      #expect(again.report.unchanged == 1)
      try await bench.bash("rm library/$'caf\\xe9.gif'; touch library/notes.txt")
      let gone = try await bench.scan()
      #expect(gone.report.missing == 1)
    }

    /// Byte strings as sorted hexadecimal lines.
    private func hexadecimal(_ names: [[UInt8]]) -> [String] {
      names.map { name in
        name.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      }.sorted()
    }

    /// NUL-separated names in hexadecimal, as `od` prints them, as sorted lines.
    private func sortedHexadecimal(_ dump: String) -> [String] {
      var names: [[UInt8]] = [[]]
      var rest = Substring(dump)
      while rest.count >= 2 {
        let byte = UInt8(rest.prefix(2), radix: 16) ?? 0
        rest = rest.dropFirst(2)
        if byte == 0 { names.append([]) } else { names[names.count - 1].append(byte) }
      }
      return hexadecimal(names.filter { !$0.isEmpty })
    }
  }
}
