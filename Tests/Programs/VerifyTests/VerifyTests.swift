import Foundation
import SeededRandom
import Testing
import Workbench

/// `shoebox verify`, as it is used: the tests change bytes of files, and know which.
struct VerifyTests {
  /// The report of `verify --format json`.
  struct Report: Decodable {
    struct Finding: Decodable {
      var path: String
      var error: String
      var since: String
    }

    var checked, first, edited, recovered, accepted, unscanned, missing, remaining: Int
    var bytes: Int
    var rotted, unreadable: [Finding]
  }

  @Test func `one changed byte in a thousand files is found and named`() async throws {
    let seed = SeededGenerator.seed(of: "bit rot")
    var random = SeededGenerator(seed: seed)
    let bench = try Workbench()
    try bench.addPictures(1000, perFolder: 50)
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])

    let baseline = try await bench.verify()
    #expect(baseline.status == 0)
    #expect(baseline.report.checked == 1000 && baseline.report.first == 1000)

    let number = Int.random(in: 0..<1000, using: &random)
    let rotted = "\(bench.library)/folder\(number / 50)/picture\(number).gif"
    // Elsewhere than the rotted file.
    let editedNumber = (number + 777) % 1000
    let edited = "folder\(editedNumber / 50)/picture\(editedNumber).gif"
    try await bench.flip(rotted, byte: Int.random(in: 0..<40, using: &random))
    try bench.addPicture(edited, width: 1 + editedNumber, words: "changed text")
    try await bench.letFilesAge()
    _ = try await bench.scan()

    let second = try await bench.verify()
    #expect(second.status == 1)
    #expect(second.report.rotted.map(\.path) == [rotted], "seed \(seed)")
    #expect(second.report.edited == 1, "seed \(seed)")
    #expect(second.report.checked == 1000 && second.report.first == 0)
    #expect(second.report.unreadable.isEmpty)

    // The table names it too, and it is reported until it is as it was.
    let table = try await bench.shoebox(["verify", "--limit-bytes", "1"])
    #expect(table.status == 1)
    #expect(table.output.contains(rotted) && table.output.contains("1 with bit rot"))
  }

  @Test func `files that were checked while the clock was ahead are not checked last`() async throws
  {
    let bench = try Workbench()
    for name in ["a", "b", "c"] { try bench.addPicture("\(name).gif", words: name) }
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    #expect(try await bench.verify().report.first == 3)
    // By a clock in 2100.
    _ = try await bench.query(
      """
      UPDATE file_checks SET checked_date = 4102444800000
      WHERE file_id = (SELECT id FROM files WHERE name = 'b.gif')
      """)
    #expect(try await bench.verify(["--limit-bytes", "1"]).report.checked == 1)
    #expect(
      try await bench.query("SELECT count(*) FROM file_checks WHERE checked_date >= 4102444800000")
        == ["0"])
  }

  @Test func `with a folder alone, sidecars that describe nothing are read, too`() async throws {
    let bench = try Workbench()
    try bench.addPictures(2, perFolder: 1)
    let packet =
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>"#
    for name in ["folder0/gone.xmp", "folder1/gone.xmp"] {
      try Data(packet.utf8).write(to: URL(filePath: "\(bench.library)/\(name)"))
    }
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    #expect(try await bench.verify().report.checked == 4)
    #expect(try await bench.verify(["--under", bench.library]).report.checked == 4)
    #expect(try await bench.verify(["--under", bench.library + "/folder0"]).report.checked == 2)
    #expect(
      try await bench.verify(["--under", bench.library, "--type", "images"]).report.checked == 2)
    try await bench.flip(bench.library + "/folder0/gone.xmp", byte: 20)
    let found = try await bench.verify(["--under", bench.library]).report.rotted
    #expect(found.map(\.path) == [bench.library + "/folder0/gone.xmp"])
  }

  /// A few files that were scanned and verified: a GIF a folder.
  private func verifiedBench(_ count: Int = 6) async throws -> Workbench {
    let bench = try Workbench()
    try bench.addPictures(count, perFolder: 1)
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    let outcome = try await bench.verify()
    #expect(outcome.status == 0 && outcome.report.first == count)
    return bench
  }

  @Test func `edits, new permissions and touched files are no bit rot`() async throws {
    let bench = try await verifiedBench()
    try await bench.bash(
      """
      chmod 600 library/folder0/picture0.gif
      touch library/folder1/picture1.gif
      cp -p library/folder2/picture2.gif copy; mv copy library/folder2/picture2.gif
      printf x >>library/folder3/picture3.gif
      rm library/folder4/picture4.gif
      """)
    try await bench.letFilesAge()
    // What a scan has not seen says nothing yet.
    let early = try await bench.verify()
    #expect(early.status == 0)
    #expect(early.report.unscanned == 2 && early.report.missing == 1)
    #expect(early.report.checked == 3 && early.report.edited == 0)

    _ = try await bench.scan()
    let late = try await bench.verify()
    #expect(late.status == 0)
    #expect(late.report.edited == 1 && late.report.checked == 5 && late.report.unscanned == 0)
    // The new content is the recorded one now.
    let third = try await bench.verify()
    #expect(third.report.edited == 0 && third.report.checked == 5)
    try await bench.flip("\(bench.library)/folder3/picture3.gif", byte: 20)
    #expect(try await bench.verify().report.rotted.count == 1)
  }

  @Test func `bit rot is reported until the file is restored`() async throws {
    let bench = try await verifiedBench()
    let path = "\(bench.library)/folder2/picture2.gif"
    try await bench.bash("cp -p '\(path)' backup")
    try await bench.flip(path, byte: 33)
    let first = try await bench.verify()
    #expect(first.status == 1)
    #expect(first.report.rotted.map(\.path) == [path])
    // A scan, which sees other times, and a rebuild do not forget it.
    try await bench.letFilesAge()
    _ = try await bench.scan()
    _ = try await bench.shoebox(["scan", "--rebuild"])
    let later = try await bench.verify(["--limit-bytes", "1B"])
    #expect(later.status == 1)
    #expect(later.report.rotted.map(\.path) == [path])
    #expect(later.report.rotted.first?.since == first.report.rotted.first?.since)

    try await bench.bash("cp -p backup '\(path)'")
    let restored = try await bench.verify()
    #expect(restored.status == 0 && restored.report.rotted.isEmpty)
    #expect(restored.report.recovered == 1)
  }

  @Test(arguments: [200, 36_864, 36_865, 300_000])
  func `a file that rots between its scan and its first check is found`(size: Int) async throws {
    let bench = try Workbench()
    try bench.addPictures(2, perFolder: 2)
    let path = "\(bench.library)/folder0/picture1.gif"
    try await bench.bash("head -c \(size) /dev/urandom >>'\(path)'")
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    try await bench.bash("cp -p '\(path)' backup")
    // Near the end: the fingerprint of a large file has only parts of it.
    try await bench.flip(path, byte: size)
    for _ in 0..<2 {
      let outcome = try await bench.verify()
      #expect(outcome.status == 1)
      #expect(outcome.report.rotted.map(\.path) == [path])
    }
    try await bench.bash("cp -p backup '\(path)'")
    let restored = try await bench.verify()
    #expect(restored.status == 0 && restored.report.first == 1)
  }

  @Test func `accepted content is the recorded one`() async throws {
    let bench = try await verifiedBench()
    let path = "\(bench.library)/folder1/picture1.gif"
    let other = "\(bench.library)/folder2/picture2.gif"
    try await bench.flip(path, byte: 30)
    try await bench.flip(other, byte: 30)
    #expect(try await bench.shoebox(["verify", "--accept"]).status == 64)
    let accepted = try await bench.verify(["--accept", path])
    #expect(accepted.status == 0 && accepted.report.accepted == 1)
    let later = try await bench.verify()
    #expect(later.report.rotted.map(\.path) == [other])
  }

  @Test func `all files of an asset are verified`() async throws {
    let bench = try Workbench()
    try bench.addPicture("a.gif")
    try await bench.bash(
      """
      printf '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>' \
        >library/a.xmp
      """)
    try bench.addPicture("b.gif", width: 40)
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    let named = try await bench.verify(["\(bench.library)/a.gif"])
    #expect(named.report.first == 1, "a path names one file")
    let filtered = try await bench.verify(["--name", "a.*"])
    #expect(filtered.report.checked == 2 && filtered.report.first == 1)
    try await bench.flip("\(bench.library)/a.xmp", byte: 12)
    let id = try await bench.identifiers()["a.gif"] ?? ""
    let rotted = try await bench.verify([id])
    #expect(rotted.report.rotted.map(\.path) == ["\(bench.library)/a.xmp"])
    #expect(try await bench.verify(["\(bench.library)/b.gif"]).status == 0)
  }

  @Test func `a damaged file above the limit does not keep the others from being verified`()
    async throws
  {
    let bench = try Workbench()
    try bench.addPictures(21, perFolder: 21)
    let large = "\(bench.library)/folder0/picture0.gif"
    try await bench.bash(
      """
      head -c 3000000 /dev/urandom >>'\(large)'
      for n in {1..20}; do head -c 10000 /dev/zero >>library/folder0/picture$n.gif; done
      """)
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    #expect(try await bench.verify([large]).report.first == 1)
    try await bench.flip(large, byte: 1_500_000)
    #expect(try await bench.verify([large]).report.rotted.map(\.path) == [large])
    var seen = 0
    for night in 1...4 {
      let report = try await bench.verify(["--limit-bytes", "100kB"]).report
      #expect(report.rotted.map(\.path) == [large], "night \(night)")
      // Half of 100 kB, and the large file.
      #expect((5...6).contains(report.checked), "night \(night)")
      seen += report.first
    }
    #expect(seen == 20)
  }

  @Test func `slices reach every file, the longest unchecked first`() async throws {
    let bench = try Workbench()
    try bench.addPictures(30, perFolder: 10)
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    var seen = 0
    for night in 1...10 {
      let outcome = try await bench.verify(["--slice", "1/10"])
      #expect(outcome.status == 0)
      #expect((1...4).contains(outcome.report.checked), "night \(night)")
      #expect(outcome.report.remaining == 30 - outcome.report.checked)
      seen += outcome.report.first
    }
    #expect(seen == 30)
    let again = try await bench.verify(["--slice", "10%"])
    #expect(again.report.first == 0 && again.report.checked > 0)
    #expect(try await bench.shoebox(["verify", "--slice", "2"]).status == 65)
    #expect(try await bench.shoebox(["verify", "--slice", "1/0"]).status == 65)
  }

  @Test func `a named file that is gone is named`() async throws {
    let bench = try Workbench()
    for name in ["a", "b"] { try bench.addPicture("\(name).gif", words: name) }
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    try await bench.bash("rm library/a.gif")
    let files = ["a", "b"].map { "\(bench.library)/\($0).gif" }
    // Before a scan has noticed it, and after.
    for _ in 0..<2 {
      let outcome = try await bench.shoebox(["verify"] + files)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("\(files[0]) is gone"), "\(outcome.errors)")
      #expect(!outcome.errors.contains(files[1]))
      try #expect(await bench.shoebox(["verify", files[1]]).status == 0)
      try #expect(await bench.shoebox(["verify", "--under", bench.library]).status == 0)
      _ = try await bench.scan()
    }
  }

  @Test func `files that are gone do not use the limit`() async throws {
    let bench = try Workbench()
    for name in ["a", "b", "c", "d"] { try bench.addPicture("\(name).gif", words: name) }
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    #expect(try await bench.verify().report.first == 4)
    // The files that were checked first are on a disk that was mounted in the library, or were deleted and not missed yet.
    _ = try await bench.query(
      """
      UPDATE file_checks SET checked_date = 0 WHERE file_id IN (SELECT id FROM files WHERE name < 'c')
      """)
    try await bench.bash("rm library/a.gif; touch library/b.gif")
    for night in 1...3 {
      let report = try await bench.verify(["--limit-bytes", "1"]).report
      #expect(report.checked == 1, "night \(night)")
      #expect(report.missing == 1 && report.unscanned == 1, "night \(night)")
    }
    #expect(
      try await bench.query("SELECT count(*) FROM file_checks WHERE checked_date = 0") == ["2"])
  }

  @Test func `files on a disk that is away are left out`() async throws {
    let bench = try await verifiedBench()
    try await bench.bash("mv library away; mkdir library")
    let outcome = try await bench.verify()
    // Nothing could be verified.
    #expect(outcome.status == 69)
    #expect(outcome.report.checked == 0 && outcome.report.rotted.isEmpty)
    try await bench.bash("rmdir library; mv away library")
    #expect(try await bench.verify().status == 0)
  }

  @Test(.enabled("no FUSE here") { await Workbench.canMountOddDisks })
  func `a read error is no bit rot`() async throws {
    let bench = try Workbench()
    try bench.addPictures(4, perFolder: 4)
    try await bench.bash("mv library stock; mkdir library")
    try await bench.bash(
      """
      export SHOEBOX_CATALOG='\(bench.catalog)'
      \(Workbench.inNamespace)
      odd_disk stock library
      sleep 0.3
      '\(bench.program)' scan library >/dev/null
      '\(bench.program)' verify --format json >first
      umount --lazy library
      odd_disk stock library --read-error picture2
      status=0
      '\(bench.program)' verify --format json >second || status=$?
      echo $status >status
      END
      """)
    let second = try bench.report("second")
    #expect(try await bench.bash("cat status") == "1\n")
    #expect(second.unreadable.map(\.path) == ["\(bench.library)/folder0/picture2.gif"])
    #expect(second.unreadable.first?.error == "cannot be read: Input/output error")
    #expect(second.rotted.isEmpty && second.checked == 3)
  }

  /// Lines of bash that wait for a result of `$verify` on a disk that does not respond, for at most 20 seconds, then remove
  /// the disk, and write the status. A process ends only after the system calls that the kernel does not interrupt.
  private static func untilDone(_ condition: String) -> String {
    """
    for _ in {1..400}; do ! \(condition) || break; sleep 0.05; done
    kill -KILL "${disks[@]}"; disks=()
    status=0; wait $verify || status=$?
    echo $status >status
    """
  }

  @Test(.enabled("no FUSE here") { await Workbench.canMountOddDisks })
  func `a read that never returns costs its file alone`() async throws {
    let bench = try Workbench()
    for name in ["a", "b", "stuck", "z"] { try bench.addPicture("\(name).gif", words: name) }
    try await bench.bash("mv library stock; mkdir library")
    try await bench.bash(
      """
      export SHOEBOX_CATALOG='\(bench.catalog)' SHOEBOX_FILE_TIMEOUT=1
      \(Workbench.inNamespace)
      odd_disk stock library
      '\(bench.program)' scan library >/dev/null
      umount --lazy library
      odd_disk stock library --hanging-read stuck
      '\(bench.program)' verify --format json >report & verify=$!
      \(Self.untilDone("[[ -s report ]]"))
      END
      """)
    #expect(try await bench.bash("cat status") == "1\n")
    let report = try bench.report("report")
    #expect(report.checked == 3 && report.rotted.isEmpty)
    #expect(report.unreadable.map(\.path) == ["\(bench.library)/stuck.gif"])
    #expect(
      report.unreadable.map(\.error) == [
        "cannot be read: its disk or network share does not respond"
      ])
  }

  @Test(.enabled("no FUSE here") { await Workbench.canMountOddDisks })
  func `a disk that does not respond at all ends the verification`() async throws {
    let bench = try Workbench()
    for index in 0..<16 { try bench.addPicture("\(index).gif", words: "\(index)") }
    try await bench.bash("mv library stock; mkdir library")
    try await bench.bash(
      """
      export SHOEBOX_CATALOG='\(bench.catalog)' SHOEBOX_FILE_TIMEOUT=1
      \(Workbench.inNamespace)
      odd_disk stock library
      '\(bench.program)' scan library >/dev/null
      umount --lazy library
      odd_disk stock library --hanging-read gif
      '\(bench.program)' verify --jobs 4 2>said & verify=$!
      \(Self.untilDone("grep -q 'does not respond' said"))
      END
      """)
    #expect(try await bench.bash("cat status") == "74\n")
    #expect(try await bench.bash("cat said").contains("does not respond"))
    // What is known of files that were given up is kept.
    let recorded = try await bench.query(
      "SELECT count(*) FROM file_checks WHERE outcome = 'unreadable'")
    #expect((8...16).contains(recorded.first.flatMap { Int($0) } ?? 0), "\(recorded)")
  }

  @Test(.enabled("no FUSE here") { await Workbench.canMountOddDisks })
  func `a disk that does not respond does not hold up an interruption`() async throws {
    let bench = try Workbench()
    try bench.addPicture("stuck.gif")
    try await bench.bash("mv library stock; mkdir library")
    try await bench.bash(
      """
      export SHOEBOX_CATALOG='\(bench.catalog)'
      \(Workbench.inNamespace)
      odd_disk stock library
      '\(bench.program)' scan library >/dev/null
      umount --lazy library
      odd_disk stock library --hanging-read stuck
      set -m
      '\(bench.program)' verify --format json >report & verify=$!
      sleep 2
      kill -INT $verify
      \(Self.untilDone("[[ -s report ]]"))
      END
      """, seconds: 60)
    #expect(try await bench.bash("cat status") == "130\n")
    // The read was given up, it did not fail.
    #expect(try bench.report("report").unreadable.isEmpty)
  }

  @Test func `a killed verification keeps what it has checked`() async throws {
    let bench = try Workbench()
    try bench.addPictures(3000, perFolder: 500)
    try await bench.letFilesAge()
    _ = try await bench.scan([bench.library])
    // Killed as soon as a part is recorded.
    try await bench.bash(
      """
      SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' verify --quiet >/dev/null 2>&1 &
      shoebox=$!
      for _ in {1..2000}; do
        [[ $(sqlite3 -readonly '\(bench.catalog)' 'SELECT count(*) FROM file_checks') == 0 ]] || break
      done
      kill -KILL $shoebox 2>/dev/null || true
      wait $shoebox 2>/dev/null || true
      """)
    let kept = Int(try await bench.query("SELECT count(*) FROM file_checks").first ?? "") ?? 0
    #expect(kept > 0)
    let last = try await bench.verify()
    #expect(last.status == 0)
    #expect(last.report.checked == 3000 && last.report.first == 3000 - kept)
  }
}

extension Workbench {
  /// Verifies and reads the report.
  func verify(_ arguments: [String] = []) async throws -> (status: Int, report: VerifyTests.Report)
  {
    let outcome = try await shoebox(["verify", "--format", "json"] + arguments)
    guard let last = outcome.lines.last else {
      throw WorkbenchError("verify ended with \(outcome.status) and no report: \(outcome.errors)")
    }
    return (
      outcome.status, try JSONDecoder().decode(VerifyTests.Report.self, from: Data(last.utf8))
    )
  }

  /// The report in a file of the bench's folder.
  func report(_ file: String) throws -> VerifyTests.Report {
    try JSONDecoder().decode(
      VerifyTests.Report.self, from: Data(contentsOf: URL(filePath: folder).appending(path: file)))
  }

  /// Changes one bit of a file as a failing disk does: its size and modification time stay. (Its change time does not: only
  /// the disk itself can do that.)
  func flip(_ path: String, byte: Int) async throws {
    try await bash(
      """
      python3 - '\(path)' \(byte) <<'END'
      import os, sys
      path, position = sys.argv[1], int(sys.argv[2])
      times = os.stat(path)
      with open(path, 'r+b') as file:
          file.seek(position)
          value = file.read(1)[0]
          file.seek(position)
          file.write(bytes([value ^ 1]))
      os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
      END
      """)
  }
}
