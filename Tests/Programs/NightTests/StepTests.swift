import Foundation
import Testing
import Workbench

extension NightTests {
  @Suite struct Steps {
    @Test func `copies of the catalog rotate, and open`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      try FileManager.default.createDirectory(
        atPath: bench.folder + "/copies", withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: URL(filePath: bench.folder + "/copies/shoebox-old.sqlite"))
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          backup: '\(bench.folder)/copies'
          backupsKept: 3
        """)
      for night in 0..<6 { #expect(try await bench.night(night).status == 0) }
      let names = try FileManager.default.contentsOfDirectory(
        atPath: bench.folder + "/copies"
      ).sorted()
      #expect(names.count == 4)
      // A file of another name stays.
      #expect(names.contains("shoebox-old.sqlite"))
      let newest = names.filter { $0 != "shoebox-old.sqlite" }.last ?? ""
      #expect(
        try await bench.query(
          "SELECT count(*) FROM assets", of: bench.folder + "/copies/" + newest) == ["3"])
    }

    @Test func `the folder of the copies may be a symbolic link`() async throws {
      let bench = try Workbench()
      try bench.addPictures(1)
      try await bench.bash("mkdir disk; ln -s disk copies")
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          backup: '\(bench.folder)/copies'
          backupsKept: 2
        """)
      for night in 0..<4 { #expect(try await bench.night(night).status == 0) }
      #expect(try await bench.bash("ls disk | wc -l; readlink copies") == "2\ndisk\n")
    }

    @Test func `a run that cannot use its catalog is reported as JSON, too`() async throws {
      struct Report: Decodable { var night: NightReport.Night }
      let bench = try Workbench()
      try await bench.bash("echo text >catalog.sqlite")
      let outcome = try await bench.shoebox(["nightly", "--format", "json", bench.library])
      #expect(outcome.status == 74)
      let night = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)).night
      #expect(night.status == 74)
      #expect(night.steps.map(\.name) == ["scan"])
      #expect(night.steps.first?.summary.contains("is not a catalog of Shoebox") == true)
    }

    @Test func `exports of the configuration run, and what they cannot do is new once`()
      async throws
    {
      let bench = try Workbench()
      try bench.addPictures(3)
      // The catalog can read it; a JPEG of it cannot be made.
      try await bench.bash(
        "mkdir 'out put'; convert -size 8x8 xc:red library/cut.png && truncate -s 60 library/cut.png"
      )
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          exports:
            - --type images --image-preset web --update --to '\(bench.folder)/out put'
        """)
      let first = try await bench.night(0)
      let made = try await bench.bash("find 'out put' -type f -name 'picture*' | wc -l")
      #expect(made == "3\n")
      let second = try await bench.night(1)
      #expect(second.status == 0)
      let steps = second.report.night?.steps ?? []
      #expect(steps.first { $0.name == "export" }?.summary.contains("3 skipped") == true)
      #expect(first.report.night?.steps.contains { $0.name == "export" } == true)
    }

    @Test func `what an export names after two dashes is exported`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      try await bench.bash("mkdir out; mv library/folder0/picture0.gif library/--all.gif")
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          exports: ["--to '\(bench.folder)/out' -- '\(bench.library)/--all.gif'"]
        """)
      let (status, report, _) = try await bench.night(0)
      #expect(status == 0)
      let step = report.night?.steps.first { $0.name == "export" }
      #expect(step?.summary == "1 copied")
    }

    @Test func `the reason why an export cannot begin is in the report`() async throws {
      let bench = try Workbench()
      try bench.addPictures(1)
      try await bench.bash("echo text >file")
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          exports: ["--type images --to '\(bench.folder)/file'"]
        """)
      let (status, report, _) = try await bench.night(0)
      #expect(status != 0)
      let step = report.night?.steps.first { $0.name == "export" }
      #expect(step?.details?.contains { $0.contains(bench.folder + "/file") } == true)
    }

    @Test(arguments: [false, true])
    func `a missing target of exports is reported before one that is in use`(isFirst: Bool)
      async throws
    {
      let bench = try Workbench()
      try bench.addPictures(1)
      try await bench.bash("mkdir busy")
      let targets = isFirst ? ["gone", "busy"] : ["busy", "gone"]
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          exports:
            - --type images --to '\(bench.folder)/\(targets[0])'
            - --type images --to '\(bench.folder)/\(targets[1])'
        """)
      let outcome = try await bench.bash(
        """
        exec 9>busy/.shoebox-export.lock
        flock 9
        set +e
        SHOEBOX_CATALOG='\(bench.catalog)' '\(bench.program)' nightly --config config.yaml 2>&1
        echo "status $?"
        """)
      #expect(outcome.contains("another export is writing"))
      #expect(outcome.contains("there is no folder \(bench.folder)/gone to export into"))
      #expect(outcome.hasSuffix("status 74\n"), "\(outcome)")
    }

    @Test func `a page and figures that cannot be written are in the report`() async throws {
      let bench = try Workbench()
      try bench.addPictures(1)
      for key in ["report", "metrics"] {
        try bench.configure(
          "roots: ['\(bench.library)']\nnightly:\n  \(key): '\(bench.folder)/absent/file'\n")
        let (status, report, _) = try await bench.night(key == "report" ? 0 : 1)
        #expect(status == 74)
        #expect(report.night?.status == 74)
        let step = report.night?.steps.first { $0.name == "report" }
        #expect(step?.summary.contains("\(bench.folder)/absent") == true)
      }
    }

    @Test func `what is scanned by hand is in the next report`() async throws {
      let bench = try Workbench()
      try bench.addPictures(1)
      try bench.configure("roots: ['\(bench.library)']\n")
      #expect(try await bench.night(0).report.new.count == 1)
      try bench.addPicture("by-hand.gif")
      _ = try await bench.scan()
      let second = try await bench.night(1)
      #expect(second.report.new.first.map(\.path) == [bench.library + "/by-hand.gif"])
      #expect(second.report.night != nil)
      #expect(try await bench.night(2).report.new.count == 0)
    }

    /// It may be on a disk that is not mounted: the results would fill the disk below the mount point.
    @Test func `a run exports into folders that exist, and names the others`() async throws {
      let bench = try Workbench()
      try bench.addPictures(2)
      try await bench.bash("mkdir there")
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          exports:
            - --type images --update --to '\(bench.folder)/disk/share'
            - --type images --update --to '\(bench.folder)/there'
        """)
      let (status, report, _) = try await bench.night(0)
      #expect(status == 74)
      let step = report.night?.steps.first { $0.name == "export" }
      #expect(
        step?.details?.contains { $0.contains("no folder \(bench.folder)/disk/share") } == true)
      #expect(try await bench.bash("find there -name '*.gif' | wc -l; test ! -e disk") == "2\n")
      try await bench.bash("mkdir -p disk/share")
      #expect(try await bench.night(1).status == 0)
      #expect(try await bench.bash("find disk -name '*.gif' | wc -l") == "2\n")
    }

    /// A bench that exports three pictures into `share` each night, and cannot export a fourth, which is cut off.
    private func benchWithFailingExport() async throws -> Workbench {
      let bench = try Workbench()
      try bench.addPictures(3)
      try await bench.bash(
        "mkdir share; convert -size 8x8 xc:red library/cut.png && truncate -s 60 library/cut.png")
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          exports: ["--type images --image-preset web --update --to='\(bench.folder)/share'"]
        """)
      return bench
    }

    @Test(arguments: ["mv share away", "mv share away; echo text >share"])
    func `a night without the export's folder does not make known failures new`(
      _ accident: String
    ) async throws {
      let bench = try await benchWithFailingExport()
      #expect(try await bench.night(0).status == 1)
      #expect(try await bench.night(1).status == 0)
      try await bench.bash(accident)
      #expect(try await bench.night(2).status != 0)
      try await bench.bash("rm -f share; mv away share")
      #expect(try await bench.night(3).status == 0)
    }

    @Test
    func `pictures on an absent disk are one line of an export, and no failure is new after it`()
      async throws
    {
      let bench = try await benchWithFailingExport()
      #expect(try await bench.night(0).status == 1)
      try await bench.bash("mv library away")
      let (status, report, _) = try await bench.night(1)
      #expect(status == 0)
      let step = report.night?.steps.first { $0.name == "export" }
      #expect(
        step?.details == [
          "\(bench.library): 4 files are not exported, because they are not there"
        ])
      try await bench.bash("mv away library")
      #expect(try await bench.night(2).status == 0)
    }

    @Test func `a flipped byte is found in the night in which its file is verified`() async throws {
      let bench = try Workbench()
      try bench.addPictures(4)
      try bench.configure("roots: ['\(bench.library)']\nnightly:\n  verify: all\n")
      for night in 0...1 { #expect(try await bench.night(night).status == 0) }
      let path = bench.library + "/folder0/picture2.gif"
      // The last byte of the comment; the time stays.
      try await bench.bash(
        """
        touch -r '\(path)' stamp
        printf X | dd of='\(path)' bs=1 seek=30 conv=notrunc status=none
        touch -r stamp '\(path)'
        """)
      // The change time tells a scan that something has happened, and not what.
      let (status, report, _) = try await bench.night(2)
      #expect(status == 1)
      let verify = report.night?.steps.first { $0.name == "verify" }
      #expect(verify?.details?.count == 1)
      #expect(verify?.details?.first?.hasPrefix(path) == true)
      // Known now.
      #expect(try await bench.night(3).status == 0)
    }

    @Test func `a night that cannot scan is reported as it was`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try bench.configure("roots: ['\(bench.library)']\nnightly:\n  wait: 1s\n")
      #expect(try await bench.night(0).status == 0)
      // As a scan does.
      let outcome = try await bench.bash(
        """
        status=0
        flock catalog.sqlite.lock '\(bench.program)' nightly --config config.yaml --format json \
          --catalog catalog.sqlite >printed 2>said || status=$?
        echo $status
        """)
      #expect(outcome == "75\n")
      let report = try JSONDecoder().decode(
        NightReport.self, from: Data(try await bench.bash("tail -n 1 printed").utf8))
      #expect(report.night?.status == 75)
      #expect(report.night?.steps.first { $0.name == "scan" }?.outcome == "failed")
    }

    @Test func `two libraries may share the folder for copies`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try await bench.bash("mkdir copies")
      for name in ["first", "second"] {
        try await bench.bash(
          """
          printf "roots: ['%s']\\ncatalog: '%s'\\nnightly:\\n  backup: '%s'\\n" '\(bench.library)' \
            "$PWD/\(name).sqlite" "$PWD/copies" >\(name).yaml
          env -u SHOEBOX_CATALOG '\(bench.program)' nightly --config \(name).yaml --quiet
          """)
      }
      let names = try await bench.bash("ls copies | sed 's/-[0-9].*//'")
      #expect(names == "first\nsecond\n")
    }

    @Test func `the notification command receives the report`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      let receiver = try bench.addProgram(
        "receive",
        "printf '%s\\n' \"$@\" >'\(bench.folder)/arguments'\ncat >'\(bench.folder)/received'")
      try bench.configure(
        """
        roots: ['\(bench.library)']
        notify:
          command: ['\(receiver)', '{summary}', '{status}', 'plain']
        """)
      #expect(try await bench.night(0).status == 0)
      let text = try await bench.bash("cat received")
      #expect(text.contains("New: 1\n  \(bench.library)/a.gif"))
      #expect(try await bench.bash("cat arguments") == "1 new\n0\nplain\n")

      // An uneventful night is not reported.
      try await bench.bash("rm received")
      #expect(try await bench.night(1).status == 0)
      #expect(!FileManager.default.fileExists(atPath: bench.folder + "/received"))
      // A report of a longer time has something to say.
      let asked = try await bench.shoebox(
        ["report", "--notify", "--since", "7d", "--config", bench.folder + "/config.yaml"])
      #expect(asked.status == 0)
      #expect(try await bench.bash("cat received").contains("New: 1\n"))
    }

    @Test func `a notification that fails does not make the night fail`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try bench.configure(
        "roots: ['\(bench.library)']\nnotify:\n  command: ['/nowhere/mail']\n  when: always\n")
      let (status, _, errors) = try await bench.night(0)
      #expect(status == 0)
      #expect(errors.contains("the notification was not sent"))
    }

    @Test func `the page shows what came, and loads nothing`() async throws {
      let bench = try Workbench()
      try await bench.bash("convert -size 40x30 gradient:red-blue 'library/a <b>.png'")
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          report: '\(bench.folder)/report.html'
          metrics: '\(bench.folder)/shoebox.prom'
        """)
      #expect(try await bench.night(0).status == 0)
      let page = try await bench.bash("cat report.html")
      #expect(page.contains("data:image/jpeg;base64,"))
      #expect(page.contains("a &lt;b&gt;.png"))
      #expect(page.contains("default-src 'none'"))
      #expect(!page.contains("<script"))
      let metrics = try await bench.bash("cat shoebox.prom")
      #expect(metrics.contains("\nshoebox_nightly_changes{kind=\"new\"} 1\n"))
      #expect(metrics.contains("\nshoebox_nightly_status 0\n"))
      // Each night replaces both.
      #expect(try await bench.night(1).status == 0)
      #expect(try await bench.bash("cat shoebox.prom").contains("{kind=\"new\"} 0\n"))
    }

    @Test func `a file of another kind is not replaced by a report`() async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      try Data("my diary".utf8).write(to: URL(filePath: bench.folder + "/report.html"))
      try bench.configure(
        "roots: ['\(bench.library)']\nnightly:\n  report: '\(bench.folder)/report.html'\n")
      let (_, _, errors) = try await bench.night(0)
      #expect(errors.contains("is not a report"))
      #expect(try await bench.bash("cat report.html") == "my diary")
    }
  }
}
