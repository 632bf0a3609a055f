import MediaModel
import Testing
import Workbench

@testable import WorkerPool

/// The time limit of a worker, on a machine whose `shoebox` is short of processor time.
struct WorkerProcessTests {
  @Test func `what a program has not yet taken does not count against the worker`() async throws {
    let bench = try Workbench()
    let configuration = WorkerConfiguration(
      probe: BytePath(bench.probe), codec: BytePath(bench.codec), jobs: 1)
    let process = try WorkerProcess(.probe, configuration)
    // Nobody takes the greeting for longer than a file may take.
    try await Task.sleep(for: .seconds(2))
    #expect(process.isAlive)
    #expect(await process.nextFrame(within: .seconds(60)) != nil)
    // Nor does anybody wait for the reply.
    try await Task.sleep(for: .seconds(2))
    #expect(process.isAlive)
    // A worker without work sends nothing: the limit holds as soon as somebody waits.
    #expect(await process.nextFrame(within: .seconds(1)) == nil)
    #expect(process.hasExpired)
    _ = await process.finish()
  }
}
