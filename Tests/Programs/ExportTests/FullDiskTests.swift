import Foundation
import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// Targets that are full, too small for a file, or read-only.
  @Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .imageMagick)))
  struct FullDisks {
    /// The ways in which bytes get into a target.
    enum Way: CaseIterable {
      /// `shoebox` copies a file; `shoebox-codec` encodes a picture, copies one without its location, or writes a movie.
      case copy, picture, strippedCopy, movie

      var arguments: [String] {
        switch self {
        case .copy: ["--preset", "current"]
        case .picture, .movie: ["--preset", "compatible"]
        case .strippedCopy: ["--preset", "current", "--strip-location"]
        }
      }

      /// A library of files whose results have 0.5–1.5 MB each.
      func bench(_ count: Int) async throws -> Workbench {
        if self == .copy { return try await .withLargePictures(count) }
        let bench = try Workbench()
        let (type, making) =
          self == .picture
          ? ("bmp", "convert -seed 3 -size 800x600 xc: +noise Random -type truecolor made.bmp")
          : (
            "mov",
            "ffmpeg -v error -f lavfi -i testsrc=s=320x240:r=10 -vf noise=alls=90:allf=t -t 2 "
              + "-c:v libx264 -preset ultrafast -qp 12 -pix_fmt yuv420p made.mov"
          )
        // An unused box, or the same bytes after a bitmap, make the files differ.
        try await bench.bash(
          """
          \(making)
          for number in {1..\(count)}; do
            { cat made.\(type); printf '\\0\\0\\0\\x0cfree%04d' $number; } >library/$number.\(type)
          done
          """)
        _ = try await bench.scan([bench.library])
        return bench
      }
    }

    /// Exports to a new disk in a mount namespace of its own. Users who may create namespaces need no further rights.
    private func export(
      _ bench: Workbench, _ arguments: [String], onDisk options: String
    ) async throws -> (status: Int, errors: String, bytes: Int, made: [String]) {
      let said = try await bench.bash(
        """
        mkdir -p out
        enter='unshare --mount'
        $enter true 2>/dev/null || enter='unshare --user --map-root-user --mount'
        SHOEBOX_CATALOG='\(bench.catalog)' $enter bash -eu -c '
          mount -t tmpfs -o \(options) none out
          status=0; "$@" 2>errors >/dev/null || status=$?
          echo $status
          cd out
          du -bs . | cut -f1
          find . -name ".shoebox-*.partial"
          find . -type f -not -name ".*" -print0 | sort -z | xargs -0r sha256sum
        ' bash '\(bench.program)' export --to out \(arguments.joined(separator: " "))
        """)
      let lines = said.split(separator: "\n").map(String.init)
      let numbers = lines.prefix(2).compactMap { Int($0) }
      guard numbers.count == 2 else { throw WorkbenchError("no status and size in: \(said)") }
      let errors = try await bench.bash("cat errors")
      return (numbers[0], errors, numbers[1], Array(lines.dropFirst(2)))
    }

    /// Finished files stay, no others do, and a larger disk receives all files.
    @Test(
      .enabled("file systems can be mounted in a namespace") { await Workbench.canMount },
      arguments: Way.allCases)
    func `an export to a full disk ends and keeps finished files`(way: Way) async throws {
      let bench = try await way.bench(6)
      let originals = try await bench.originals()
      let whole = try await export(bench, way.arguments, onDisk: "size=30m")
      let outcome = try await export(bench, way.arguments, onDisk: "size=\(whole.bytes / 2)")
      #expect(whole.status == 0, "\(whole.errors)")
      #expect(whole.made.count == 6)
      #expect(outcome.status == 74, "\(outcome.errors)")
      #expect(outcome.errors.contains("is full"), "\(outcome.errors)")
      #expect(Set(outcome.made).isStrictSubset(of: Set(whole.made)))
      #expect(!outcome.made.isEmpty)
      #expect(try await bench.originals() == originals)
    }

    /// All files fit, but not a second copy of the record, which would have fewer lines.
    @Test(.enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `a disk without space to rewrite the record is not an error`() async throws {
      let bench = try Workbench()
      try bench.addPictures(100)
      _ = try await bench.scan([bench.library])
      let said = try await bench.bash(
        """
        mkdir out
        enter='unshare --mount'
        $enter true 2>/dev/null || enter='unshare --user --map-root-user --mount'
        SHOEBOX_CATALOG='\(bench.catalog)' $enter bash -eu -c '
          mount -t tmpfs -o size=30m none out
          "$0" export --preset current --to out --quiet >/dev/null
          used=$(df -k --output=used out | tail -n 1)
          umount out
          mount -t tmpfs -o size=$((used + 16))k none out
          for _ in 1 2; do
            status=0; "$0" export --preset current --to out --quiet >>said 2>&1 || status=$?
            echo "status $status"
          done
          find out -type f -not -name ".*" | wc -l
          grep -c ^..done out/.shoebox-export.jsonl || true
        ' '\(bench.program)'
        """)
      let lines = said.split(separator: "\n")
      #expect(lines.prefix(3) == ["status 0", "status 0", "100"], "\(said)")
      // Otherwise there was space.
      #expect(lines.last != "0", "\(said)")
      #expect(try await bench.bash("tail -n 1 said") == "100 skipped\n")
    }

    /// A file may be too large for a target with free space: FAT has no files of 4 GiB. `ulimit -f` has the same
    /// effect without such a disk. Only that file fails.
    @Test(arguments: Way.allCases)
    func `only a file that is too large for the target fails`(way: Way) async throws {
      let bench = try await way.bench(2)
      try bench.addPicture("small.gif")
      _ = try await bench.scan()
      let said = try await bench.bash(
        """
        status=0
        (ulimit -f 200
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' export --to out --format jsonl \
          \(way.arguments.joined(separator: " ")) 2>errors) || status=$?
        echo "status $status"
        """)
      #expect(said.hasSuffix("status 1\n"), "\(said)")
      let sentence = "The result is larger than the target's file system or limits allow."
      #expect(said.split(separator: sentence).count == 3, "\(said)")
      #expect(try await bench.digests(of: bench.target).map { $0.suffix(11) } == ["./small.gif"])
      #expect(try await bench.leftovers().isEmpty)
      #expect(try await bench.export(way.arguments).status == 0)
      #expect(try await bench.digests(of: bench.target).count == 3)
    }

    /// The system stored half of the lines about the first files, and then failed. Those files fail, and the line that was
    /// cut does not spoil the next one: a file without a line would be exported again under another name.
    @Test(
      .enabled("a disk with faults can be mounted in a namespace") {
        await Workbench.canMountOddDisks
      })
    func `a record line that was cut does not spoil the next one`() async throws {
      let bench = try Workbench()
      // Two batches of five.
      for number in 0..<10 { try bench.addPicture("\(number).gif") }
      _ = try await bench.scan([bench.library])
      try await bench.bash(
        """
        export SHOEBOX_CATALOG='\(bench.catalog)'
        mkdir stock out
        \(Workbench.inNamespace)
        odd_disk stock out --cut-write '/[.]shoebox-export[.]jsonl$'
        for _ in 1 2; do
          status=0
          '\(bench.program)' export --to out --preset current --format paths >>made 2>>errors || status=$?
          echo $status >>statuses
        done
        END
        """)
      #expect(try await bench.bash("cat statuses") == "1\n0\n")
      // The second export also lists those of the first.
      #expect(try await bench.bash("cat made | wc -l") == "15\n")
      let names = (0..<10).map { "\($0).gif\n" }.joined()
      #expect(try await bench.bash("ls stock") == names)
    }

    @Test func `a target that is not a folder is refused`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      try await bench.bash("printf x >out")
      let file = try await bench.shoebox(["export", "--to", bench.target])
      #expect(file.status == 74)
      #expect(file.errors.contains(bench.target))
    }

    @Test(
      .enabled("file systems can be mounted in a namespace") { await Workbench.canMount })
    func `a read-only disk is refused`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      _ = try await bench.scan([bench.library])
      let readOnly = try await export(bench, [], onDisk: "ro")
      #expect(readOnly.status == 74)
      #expect(readOnly.errors.contains("Read-only"))
      #expect(readOnly.made.isEmpty)
    }
  }
}
