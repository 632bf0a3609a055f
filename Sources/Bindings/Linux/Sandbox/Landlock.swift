import CLinux
import Glibc

/// The kernel's Landlock (landlock(7)): a process gives up access to files and ports for good.
enum Landlock {
  /// The rights to files, by the level of the interface that has introduced each: bits of `LANDLOCK_ACCESS_FS_…`.
  private static let fileRights: [UInt64] = [
    0x1FFF,  // 1, Linux 5.13: execute, write, read, list, remove, make
    1 << 13,  // 2, Linux 5.19: link and rename between folders
    1 << 14,  // 3, Linux 6.2: truncate
    0,  // 4
    1 << 15,  // 5, Linux 6.10: device controls
  ]
  /// Binding and connecting TCP ports: level 4, Linux 6.7.
  private static let portRights: UInt64 = 3
  /// Connecting to abstract Unix sockets, and signals to other processes: level 6, Linux 6.12.
  private static let scopes: UInt64 = 3

  /// Denies this thread, and threads that it starts, all that the kernel's level of the interface covers. Descriptors
  /// that are open, or that the process receives later, stay usable.
  ///
  /// - Returns: the level; 0 if the kernel has no Landlock, or its administrator has switched it off.
  /// - Throws: `SystemError`.
  static func denyAll() throws(SystemError) -> Int {
    let level = landlock_level()
    guard level > 0 else { return 0 }
    let rights = fileRights.prefix(level).reduce(0, |)
    guard landlock_forbid(rights, level >= 4 ? portRights : 0, level >= 6 ? scopes : 0) == 0
    else { throw .last("landlock") }
    return level
  }
}
