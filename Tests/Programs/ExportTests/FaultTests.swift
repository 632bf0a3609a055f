import MediaTools
import Testing
import Workbench

extension ExportTests {
  /// System calls that fail: the report must be true, and the next export completes the files.
  @Suite(
    .enabled("system calls can be made to fail") {
      await Workbench.canTrace && Tool.areInstalled(.exiftool, .imageMagick)
    })
  struct Faults {
    /// The old files of a pair were renamed to temporary names, and could not be removed.
    @Test func `an old file that cannot be removed is reported`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        for n in 1 2; do convert -seed $n -size 96x64 plasma: library/$n.jpg; done
        exiftool -q -overwrite_original -GPSLatitude=47.3711 -GPSLatitudeRef=N library
        """)
      _ = try await bench.scan([bench.library])
      try await bench.pairUp("1.jpg", "2.jpg")
      #expect(try await bench.export().status == 0)
      try await bench.bash("printf x >>library/1.jpg")
      let (status, output, errors) = try await bench.shoebox(
        "export --to out --preset current --update", with: "-e inject=unlinkat:error=EIO")
      #expect(status == 1)
      let said = output + errors
      #expect(said.contains("The earlier version is still there"), "\(said)")
      #expect(try await !bench.leftovers().isEmpty)
      let (later, summary) = try await bench.export(["--update"])
      #expect(later == 0 && summary.failed == 0)
      #expect(try await bench.leftovers().isEmpty)
      try await bench.bash("cmp library/1.jpg out/1.jpg; cmp library/2.jpg out/1.mov")
    }

    /// After a power failure a file is lost if the name of one of the folders above it is not on the disk.
    @Test func `all folders that an export makes are synced`() async throws {
      let bench = try Workbench()
      try bench.addPicture("2023/05/a.gif")
      _ = try await bench.scan([bench.library])
      let (status, _, errors) = try await bench.shoebox(
        "export --preset current --to new/out", with: "-y -e trace=fsync")
      #expect(status == 0, "\(errors)")
      let traced = try await bench.bash("grep fsync traced")
      for folder in ["", "/new", "/new/out", "/new/out/2023", "/new/out/2023/05"] {
        #expect(traced.contains("<\(bench.folder)\(folder)>)"), "\(folder) in \(traced)")
      }
    }

    /// Both Swift and Shoebox read the arguments. Swift treats an unreadable file as an empty one.
    @Test(arguments: ["1", "2", "1+"])
    func `unreadable arguments are not treated as none`(calls: String) async throws {
      let bench = try Workbench()
      let (status, output, errors) = try await bench.shoebox(
        "--version", with: "-P /proc/self/cmdline -e inject=openat:error=EIO:when=\(calls)")
      #expect(status == 74 || calls != "1+")
      if status == 74 {
        #expect(output.isEmpty, "\(output)")
        #expect(errors.contains("cannot be read"), "\(errors)")
      } else {
        #expect(status == 0)
        #expect(output.split(separator: "\n").count == 1, "\(output)")
      }
    }

    /// A limit on processes applies to threads too.
    @Test(arguments: [
      "epoll_create1:error=ENOMEM", "epoll_ctl:error=ENOSPC", "eventfd2:error=EMFILE",
      "timerfd_create:error=ENOMEM", "vfork,clone3:error=EAGAIN",
    ])
    func `a resource that the runtime lacks is reported`(fault: String) async throws {
      let bench = try Workbench()
      try bench.addPicture("a.gif")
      let (status, _, errors) = try await bench.shoebox(
        "scan library", with: "-e inject=\(fault)")
      #expect(status == 74)
      #expect(errors.contains("the system refuses to"), "\(errors)")
    }
  }
}
