import Glibc
import Testing

@testable import Linux

/// The memory of the machine, or of the control group around this process.
struct SystemMemoryTests {
  @Test func theLimitIsAtMostTheMachinesMemory() {
    var information = sysinfo()
    #expect(unsafe sysinfo(&information) == 0)
    let machine = UInt64(information.totalram) * UInt64(information.mem_unit)
    #expect(SystemMemory.limit > 64 << 20)
    // The two system calls count reserved pages differently.
    #expect(SystemMemory.limit <= machine + machine / 20)
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
