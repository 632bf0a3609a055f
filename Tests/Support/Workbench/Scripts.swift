import Foundation

extension Workbench {
  /// Runs lines of bash in the bench's folder, and returns the reports of the scans. In the script `scan [DIR…]`
  /// scans, and `ordinarily scan` does so without the superuser's right to open everything.
  /// `odd_disk SOURCE MOUNTPOINT OPTION…` mounts a folder as a faulty disk (its options are in
  /// `Tests/Support/FileSystems/odd-disk`) until the script ends.
  ///
  /// - Parameter mounting: whether the script mounts file systems: it then has its own mount namespace, whose
  ///   end unmounts them.
  package func script(
    mounting: Bool = false, _ lines: String
  ) async throws -> [(status: Int, report: ScanReport)] {
    let text = """
      export SHOEBOX_CATALOG='\(catalog)'
      scan() {
        local status=0
        ${rights:-} '\(program)' scan --format json "$@" >>reports 2>>errors || status=$?
        echo $status >>statuses
      }
      \(Self.ordinarily)
      \(Self.oddDisk)
      \(lines)
      """
    try Data(text.utf8).write(to: URL(filePath: folder).appending(path: "script"))
    try await bash((mounting ? Self.enter : "") + " bash -eu -o pipefail script")
    let decoder = JSONDecoder()
    let reports = try await bash("cat reports").split(separator: "\n")
      .map { try decoder.decode(ScanReport.self, from: Data($0.utf8)) }
    let statuses = try await bash("cat statuses").split(separator: "\n").compactMap { Int($0) }
    guard statuses.count == reports.count else {
      throw WorkbenchError("scans without a report: \(try await bash("cat errors"))")
    }
    return zip(statuses, reports).map { (status: $0, report: $1) }
  }

  /// Starts a program in a mount namespace, without special rights if users may create one.
  private static let enter = """
    enter='unshare --mount'
    $enter true 2>/dev/null || enter='unshare --user --map-root-user --mount'
    $enter
    """

  private static let ordinarily = """
    ordinarily() {
      local rights=
      [[ $(id -u) != 0 ]] || rights='setpriv --bounding-set=-dac_override,-dac_read_search'
      "$@"
    }
    """

  /// Ends every faulty disk with the script, and so the calls that wait for one.
  private static let oddDisk = """
    disks=()
    trap '[[ ${#disks[@]} = 0 ]] || kill -KILL "${disks[@]}"' EXIT
    odd_disk() {
      local ready
      ready=$(mktemp ready.XXXXXX)
      python3 '\(supportFolder)/FileSystems/odd-disk' "$@" >"$ready" 2>>errors &
      disks+=($!)
      for _ in {1..200}; do
        ! grep -q READY "$ready" || return 0
        sleep 0.05
      done
      echo 'the disk was not mounted' >&2
      return 1
    }
    """

  /// Lines of bash that run the following lines, up to a line `END`, in their own mount namespace, with
  /// `odd_disk` as in ``script(mounting:_:)``.
  package static var inNamespace: String { "\(enter) bash -eu -o pipefail <<'END'\n\(oddDisk)" }

  /// Whether this user may mount a faulty disk in a namespace.
  package static var canMountOddDisks: Bool {
    get async {
      guard let bench = try? Workbench() else { return false }
      let lines = "\(enter) bash -eu <<'END'\n\(oddDisk)\nodd_disk library library\nEND"
      return (try? await bench.bash(lines)) != nil
    }
  }

  /// Whether this user may mount file systems in a namespace.
  package static var canMount: Bool {
    get async {
      (try? await Workbench().bash("\(enter) mount -t tmpfs none library")) != nil
    }
  }

  /// Whether strace is installed and this user may trace programs.
  package static var canTrace: Bool {
    get async { (try? await Workbench().bash("strace -o /dev/null true")) != nil }
  }

  /// A function in bash, `result_of PROCESS`, that prints the path by which the process has an unfinished result open,
  /// below `/proc`. It fails if there is none. Results have no name, or a temporary one on file systems without such files.
  package static let resultOf = """
    result_of() {
      local path
      for path in /proc/$1/fd/*; do
        case $(readlink $path 2>/dev/null || true) in
        */\\#*' (deleted)' | */.shoebox-*.partial) echo $path; return ;;
        esac
      done
      return 1
    }
    """

  /// Whether files in the bench's folder can be made without a name.
  package var hasUnnamedFiles: Bool {
    get async throws {
      let known = ["ext2/ext3", "xfs", "tmpfs", "btrfs", "f2fs", "overlayfs"]
      return known.contains(try await String(bash("stat -f -c %T .").dropLast()))
    }
  }

  /// Runs `shoebox` with system calls that fail.
  ///
  /// - Parameter faults: options of strace, as `-e inject=unlinkat:error=EIO`.
  package func shoebox(
    _ arguments: String, with faults: String
  ) async throws -> (status: Int, output: String, errors: String) {
    let status = try await bash(
      """
      status=0
      SHOEBOX_CATALOG='\(catalog)' SWIFT_BACKTRACE=enable=no strace -f -qq -o traced \(faults) \
        '\(program)' \(arguments) >printed 2>said || status=$?
      echo $status
      """)
    guard let number = Int(status.dropLast()) else { throw WorkbenchError("no status: \(status)") }
    return (number, try await bash("cat printed"), try await bash("cat said"))
  }

  /// Whether a program can be run without the superuser's right to open everything.
  package static var canBeOrdinary: Bool {
    get async {
      let lines = """
        \(ordinarily)
        mkdir closed
        chmod 0 closed
        look() { $rights true && ! $rights ls closed 2>/dev/null; }
        ordinarily look
        """
      return (try? await Workbench().bash(lines)) != nil
    }
  }
}
