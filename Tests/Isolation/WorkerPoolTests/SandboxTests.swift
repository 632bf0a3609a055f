import Linux
import MediaModel
import Testing
import WorkerPool
import Workbench
import WorkerProtocol

/// The levels of the sandbox, each on its own.
struct SandboxTests {
  private func workers(
    _ adjust: (inout WorkerConfiguration) -> Void
  ) throws -> MediaWorkers {
    let bench = try Workbench()
    var configuration = WorkerConfiguration(
      probe: BytePath(bench.probe), codec: BytePath(bench.codec), jobs: 1)
    adjust(&configuration)
    return MediaWorkers(configuration)
  }

  @Test(arguments: WorkerKind.allCases)
  func everyForbiddenActIsRefused(_ kind: WorkerKind) async throws {
    let test = try await workers { _ in }.selfTest(kind)
    #expect(test.permitted == [])
    #expect(test.refused.count >= 15)
  }

  /// Kernels before Linux 5.13 have no Landlock; the filter refuses the same acts.
  @Test(arguments: WorkerKind.allCases)
  func theFilterIsEnoughWithoutLandlock(_ kind: WorkerKind) async throws {
    let workers = try workers { $0.leavesOutLandlock = true }
    let state = try await workers.sandbox(of: kind)
    #expect(state.landlockLevel == 0)
    #expect(state.filtersCalls)
    #expect(try await workers.selfTest(kind).permitted == [])
  }

  @Test func withoutASandboxActsArePermitted() async throws {
    let workers = try workers { $0.sandbox = .off }
    let permitted = try await workers.selfTest(.probe).permitted
    for act in ["open /etc/passwd", "connect to 127.0.0.1", "start a process"] {
      #expect(permitted.contains(act))
    }
  }

  @Test func aWarmProcessServesSeveralRequests() async throws {
    let bench = try Workbench()
    let log = bench.folder + "/starts"
    let program = try bench.addProgram(
      "probe", "echo start >>'\(log)'; exec '\(bench.probe)' \"$@\"")
    let workers = try workers {
      $0.probe = BytePath(program)
      $0.idleTime = .seconds(2)
    }
    for _ in 0..<3 { #expect(try await workers.selfTest(.probe).permitted == []) }
    #expect(try await bench.bash("cat starts") == "start\n")
    // An idle process has ended by then; a new one starts.
    try await Task.sleep(for: .seconds(3))
    #expect(try await workers.selfTest(.probe).permitted == [])
    #expect(try await bench.bash("cat starts") == "start\nstart\n")
  }
}
