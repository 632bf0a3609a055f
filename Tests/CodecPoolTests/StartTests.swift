import CodecPool
import Foundation
import MediaModel
import MediaTools
import POSIX
import Testing

/// Why there is no codec program to talk to.
struct StartTests {
  private let folder: ScratchFolder
  private let path: BytePath

  init() throws {
    folder = try ScratchFolder()
    path = BytePath(folder.url.path)
  }

  private func failure(of executable: BytePath) async -> CodecPoolError? {
    await #expect(throws: CodecPoolError.self) {
      _ = try await CodecPool(executable: executable, jobs: 1).hello()
    }
  }

  @Test func whatIsNotThereIsMissing() async {
    let program = path.appending("shoebox-codec")
    #expect(await failure(of: program) == .notFound(program))
    #expect(await failure(of: path) == .notFound(path), "a folder")
  }

  /// A link that leads to itself can be looked at by nobody, whoever asks.
  @Test func whatCannotBeLookedAtIsNotMissing() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("loop"), withDestinationPath: "loop")
    let program = path.appending("loop")
    guard case .unreachable(program, _) = await failure(of: program) else {
      Issue.record("\(String(describing: await failure(of: program)))")
      return
    }
  }

  /// What starts processes would look for another name.
  @Test func aNameThatIsNoTextIsRefused() async throws {
    let program = path.appending([0x63, 0xFF])
    _ = try OutputFile.create(program)
    #expect(await failure(of: program) == .notText(program))
  }
}
