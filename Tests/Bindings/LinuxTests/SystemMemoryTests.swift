import Foundation
import Testing

@testable import Linux

/// The memory of the machine, or of the control group around this process.
struct SystemMemoryTests {
  /// proc_meminfo(5): `MemTotal` leaves out what the kernel reserves.
  @Test func theLimitIsAtMostTheMachinesMemory() throws {
    let text = try String(contentsOfFile: "/proc/meminfo", encoding: .utf8)
    let total = try #require(text.firstMatch(of: /MemTotal: +([0-9]+) kB/).flatMap { UInt64($0.1) })
    #expect(SystemMemory.limit > 64 << 20)
    #expect(SystemMemory.limit <= total * 1024 / 10 * 11)
  }

  /// cgroups(7): a line with number 0 and no controllers is version 2.
  @Test func controlGroupsAreFound() {
    let text = "4:memory:/old\n0::/user.slice/nightly.service\n"
    #expect(
      SystemMemory.groupFolders(text) == [
        "/sys/fs/cgroup", "/sys/fs/cgroup/user.slice",
        "/sys/fs/cgroup/user.slice/nightly.service",
      ])
    #expect(SystemMemory.groupFolders("4:memory:/old\n") == [])
    #expect(SystemMemory.bytes("max\n") == nil)
    #expect(SystemMemory.bytes("536870912\n") == 536_870_912)
  }
}
