import Foundation
import Linux
import MediaModel
import MediaTools
import Testing
import Workbench
import WorkerPool

/// Why no worker can be used.
struct StartTests {
  private let folder: ScratchFolder
  private let path: BytePath

  init() throws {
    folder = try ScratchFolder()
    path = BytePath(folder.url.path)
  }

  private func failure(of executable: BytePath) async -> WorkerError? {
    await #expect(throws: WorkerError.self) {
      _ = try await MediaWorkers(WorkerConfiguration(probe: nil, codec: executable, jobs: 1))
        .describe()
    }
  }

  @Test func aMissingProgramIsReported() async {
    let program = path.appending("shoebox-codec")
    #expect(await failure(of: program) == .notFound(program))
    #expect(await failure(of: path) == .notFound(path), "a folder")
  }

  /// No user, not even root, can follow a link to itself.
  @Test func anUnreachableProgramIsReported() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("loop"), withDestinationPath: "loop")
    let program = path.appending("loop")
    guard case .unreachable(program, _) = await failure(of: program) else {
      Issue.record("\(String(describing: await failure(of: program)))")
      return
    }
  }

  @Test func aProgramThatCannotBeExecutedIsReportedWithTheReason() async throws {
    let program = path.appending([0x63, 0xFF])
    _ = try OutputFile.create(program)
    #expect(await failure(of: program) == .notStarted(program, "Permission denied"))
  }

  /// Paths are bytes: a program whose path is not UTF-8 is started too.
  @Test func aProgramWhosePathIsNotUTF8IsStarted() async throws {
    let name = BytePath(folder.url.path).appending([0x63, 0xFF])
    let written = BytePath(folder.path("plain"))
    try writeProgram("#!/bin/sh\nexit 0\n", to: folder.path("plain"))
    try OpenFolder(written.parent).rename(
      written.lastComponent, to: name.lastComponent, replacing: false)
    #expect(await failure(of: name) == .doesNotStart(name))
  }

  /// A greeting of another version ends the process, even if it would keep running.
  @Test(.timeLimit(.minutes(1))) func anotherVersionIsRefused() async throws {
    let program = path.appending("other")
    let text = "#!/bin/sh\nprintf '\\000\\000\\000\\001\\143'\nexec sleep 600\n"
    try writeProgram(text, to: folder.path("other"))
    #expect(await failure(of: program) == .otherVersion(program))
  }
}
