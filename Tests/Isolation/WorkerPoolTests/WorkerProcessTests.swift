import MediaModel
import Testing
import Workbench
import WorkerProtocol

@testable import WorkerPool

/// The time limit of a worker, on a machine whose `shoebox` is short of processor time.
struct WorkerProcessTests {
  @Test func `a worker lives on while the program works on its reply`() async throws {
    let bench = try Workbench()
    let configuration = WorkerConfiguration(
      probe: BytePath(bench.probe), codec: BytePath(bench.codec), jobs: 1)
    // A busy machine needs a longer limit for the reply.
    for limit in [Duration.seconds(1), .seconds(4), .seconds(16)] {
      let process = try WorkerProcess(.probe, configuration)
      #expect(await process.nextFrame(within: .seconds(60)) != nil, "the greeting")
      process.send(FrameBuffer.frame(WorkerRequest.selfTest.payload), [])
      guard await process.nextFrame(within: limit) != nil else {
        _ = await process.finish()
        continue
      }
      // The program works on the reply for longer than the worker had for it.
      try await Task.sleep(for: limit + .milliseconds(500))
      #expect(process.isAlive)
      // A worker without work sends nothing: the limit holds again with the next wait.
      #expect(await process.nextFrame(within: .seconds(1)) == nil)
      #expect(process.hasExpired)
      _ = await process.finish()
      return
    }
    Issue.record("no reply within any of the limits")
  }
}
