import Foundation
import ShoeboxKit
import Testing
import Workbench

/// A bench whose worker programs have names of their own, so that a test finds the processes that its library started.
///
/// While the bench's folder has a file `hold`, the codec program starts late, by at most 8 seconds.
struct KitBench {
  let bench: Workbench
  private let programs: String

  init() throws {
    bench = try Workbench()
    programs = bench.folder + "/programs"
    try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: false)
    let wait = "for step in {1..80}; do [[ -e '\(hold)' ]] || break; sleep 0.1; done\n"
    for name in ["shoebox-probe", "shoebox-codec"] {
      // The library starts programs by their names alone; these have their paths in /proc.
      try writeProgram(
        "#!/bin/bash\n" + (name == "shoebox-codec" ? wait : "")
          + "exec -a \"$0\" '\(Workbench.programs)/\(name)' \"$@\"\n",
        to: programs + "/" + name)
    }
  }

  private var hold: String { bench.folder + "/hold" }

  /// Has the codec program start late from now on.
  func holdCodec() throws { try Data().write(to: URL(filePath: hold)) }

  /// Has it start at once again.
  func releaseCodec() throws { try FileManager.default.removeItem(atPath: hold) }

  func open(
    jobs: Int = 2, access: PhotoLibrary.Access = .readWrite
  ) async throws -> PhotoLibrary {
    try await PhotoLibrary.open(
      .init(
        catalog: FilePath(bench.catalog), workers: .programs(in: FilePath(programs)), jobs: jobs,
        access: access))
  }

  /// The worker processes that run now.
  var workers: [Int] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap(Int.init).filter { process in
      let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
      return String(decoding: line, as: UTF8.self).hasPrefix(programs)
    }
  }

  /// Waits until no worker process is left, for at most 20 seconds.
  func workersHaveEnded() async throws -> Bool {
    for _ in 0..<400 {
      if workers.isEmpty { return true }
      try await Task.sleep(for: .milliseconds(50))
    }
    return false
  }

  /// All ids, by name.
  func ids(_ library: PhotoLibrary) async throws -> [Asset.ID] {
    var ids: [Asset.ID] = []
    for try await asset in try await library.fetchAssets(
      options: .init(sort: .name, order: .ascending))
    {
      ids.append(asset.id)
    }
    return ids
  }

  /// The files below a folder, hidden ones too.
  func files(below folder: String) -> [String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.filter { path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + path)
      return attributes?[.type] as? FileAttributeType != .typeDirectory
    }.sorted()
  }
}
