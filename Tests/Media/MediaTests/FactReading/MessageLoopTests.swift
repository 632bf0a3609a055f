import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking
@testable import WorkerProcess

/// The protocol as `shoebox` sees it: frames in, frames out.
struct MessageLoopTests {
  /// Sends the loop these pieces, then the end, and returns the payloads of its replies.
  private func converse(_ pieces: [[UInt8]]) throws -> [[UInt8]] {
    var rest = pieces[...]
    var buffer = FrameBuffer()
    var frames: [[UInt8]] = []
    try MessageLoop(
      read: { rest.popFirst() ?? [] },
      write: { bytes in
        buffer.append(bytes)
        // Every write is one whole frame.
        frames.append(try #require(try buffer.next()))
        #expect(try buffer.next() == nil)
      }
    ).run()
    return frames
  }

  private func frame(_ request: CodecRequest) -> [UInt8] {
    FrameBuffer.frame(request.payload)
  }

  @Test func greetsAndEnds() throws {
    let frames = try converse([])
    #expect(frames.count == 1)
    let hello = try Hello(payload: try #require(frames.first))
    #expect(hello.version == codecProtocolVersion)
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
    let names = ["empty.jpg", "page.jpg", "nothing.jpg"]
    let request = frame(.probe(names.map { BytePath(folder.path($0)) }))
    for cut in [1, 3, 4, 5, request.count / 2] {
      let frames = try converse([Array(request[..<cut]), Array(request[cut...])])
      let replies = try frames.dropFirst().map { try ProbeReply(payload: $0) }
      #expect(
        replies == [
          .failed(ProbeFailure(.damaged, "The file is empty.")),
          .failed(ProbeFailure(.notMedia, "The name ends in .jpg, but the content is HTML.")),
          .failed(
            ProbeFailure(.inaccessible, "The file cannot be read: no such file or directory.")),
        ])
    }
  }

  @Test func refusesInvalidRequests() {
    #expect(throws: WireError.self) { try converse([FrameBuffer.frame([99])]) }
    #expect(throws: WireError.self) { try converse([[0xFF, 0xFF, 0xFF, 0xFF]]) }
  }
}
