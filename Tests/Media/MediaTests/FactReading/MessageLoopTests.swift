import CodecWorker
import Linux
import MediaModel
import MediaTools
import Testing
import WorkerProcess
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// The protocol as `shoebox` sees it: frames in, frames out.
struct MessageLoopTests {
  /// Sends the loop these pieces, then the end, and returns the payloads of its replies.
  ///
  /// - Parameter paths: the files that are sent with the first piece.
  private func converse(_ pieces: [[UInt8]], _ paths: [String] = []) throws -> [[UInt8]] {
    var rest = pieces[...]
    var files = try paths.map { try SharedFile.source(BytePath($0), below: nil) }
    var buffer = FrameBuffer()
    var frames: [[UInt8]] = []
    try MessageLoop(
      sandbox: SandboxState(landlockLevel: 6, filtersCalls: true),
      receive: {
        defer { files = [] }
        return (rest.popFirst() ?? [], files)
      },
      send: { bytes in
        buffer.append(bytes)
        // Every write is one whole frame.
        frames.append(try #require(try buffer.next()))
        #expect(try buffer.next() == nil)
      }, answer: WorkerProgram.shoeboxCodec.answer
    ).run()
    return frames
  }

  private func frame(_ request: WorkerRequest) -> [UInt8] {
    FrameBuffer.frame(request.payload)
  }

  @Test func greetsAndEnds() throws {
    let frames = try converse([])
    #expect(frames.count == 1)
    let hello = try Hello(payload: try #require(frames.first))
    #expect(hello.version == workerProtocolVersion)
    #expect(hello.sandbox == SandboxState(landlockLevel: 6, filtersCalls: true))
  }

  @Test func describesItsLibraries() throws {
    let frames = try converse([frame(.describe)])
    #expect(frames.count == 2)
    let description = try ProgramDescription(payload: try #require(frames.last))
    #expect(description.libraries.contains { $0.hasPrefix("libheif 1.") })
    #expect(description.codecs.contains("picture decoder hevc"))
  }

  @Test func answersEachFileInOrderHoweverTheRequestIsCut() throws {
    let folder = try ScratchFolder()
    try folder.write([], to: "empty.jpg")
    try folder.write(Array("<html></html>".utf8), to: "page.jpg")
    let names = ["empty.jpg", "page.jpg"]
    let request = frame(.probe(names.map { BytePath(folder.path($0)) }))
    for cut in [1, 3, 4, 5, request.count / 2] {
      let frames = try converse(
        [Array(request[..<cut]), Array(request[cut...])], names.map(folder.path))
      let replies = try frames.dropFirst().map { try ProbeReply(payload: $0) }
      #expect(
        replies == [
          .failed(ProbeFailure(.damaged, "The file is empty.")),
          .failed(ProbeFailure(.notMedia, "The name ends in .jpg, but the content is HTML.")),
        ])
    }
  }

  @Test func refusesInvalidRequests() {
    #expect(throws: WireError.self) { try converse([FrameBuffer.frame([99])]) }
    #expect(throws: WireError.self) { try converse([[0xFF, 0xFF, 0xFF, 0xFF]]) }
    let request = frame(.probe([BytePath("a.jpg")]))
    #expect(throws: WireError.missingFiles) { try converse([request]) }
  }
}
