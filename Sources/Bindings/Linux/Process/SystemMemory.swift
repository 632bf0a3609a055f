import Glibc
import MediaModel

/// The memory that this process may use.
package enum SystemMemory {
  /// Bytes of the machine, or of the control group that limits this process, as a service's `MemoryMax=` does.
  package static let limit: UInt64 = {
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    let pageSize = sysconf(Int32(_SC_PAGESIZE))
    let machine = pages > 0 && pageSize > 0 ? UInt64(pages) * UInt64(pageSize) : 4 << 30
    let groups = text("/proc/self/cgroup").map(groupFolders) ?? []
    return groups.compactMap { text($0 + "/memory.max").flatMap(bytes) }.reduce(machine, min)
  }()

  /// The folders of this process's control group and of those around it (cgroups(7), version 2).
  ///
  /// - Parameter text: of `/proc/self/cgroup`.
  static func groupFolders(_ text: String) -> [String] {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
      return []
    }
    var folder = "/sys/fs/cgroup"
    return [folder]
      + line.dropFirst("0::/".count).split(separator: "/").map { name in
        folder += "/" + name
        return folder
      }
  }

  /// The number in `memory.max`; nil for `max`.
  static func bytes(_ text: String) -> UInt64? {
    UInt64(text.prefix { $0 != "\n" })
  }

  private static func text(_ path: String) -> String? {
    guard let file = try? ReadOnlyFile(path: BytePath(path)),
      let bytes = try? file.read(at: 0, count: 1 << 16)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
