package import Linux
import MediaModel
package import WorkerProtocol

/// The worker's side of the protocol: a greeting, then one reply frame for each requested file, each
/// sent at once, until the requests end.
package struct MessageLoop {
  /// Answers a request. It takes the request's files, in their order, and sends each reply at once.
  package typealias Answer = (
    _ request: WorkerRequest, _ files: [SharedFile], _ send: (any WireMessage) throws -> Void
  ) throws -> Void

  private let sandbox: SandboxState
  /// Returns the next bytes of requests, with the files that were sent with them; no bytes at their end.
  private let receive: () throws -> (bytes: [UInt8], files: [SharedFile])
  /// Sends one whole frame.
  private let send: ([UInt8]) throws -> Void
  private let answer: Answer

  package init(
    sandbox: SandboxState,
    receive: @escaping () throws -> (bytes: [UInt8], files: [SharedFile]),
    send: @escaping ([UInt8]) throws -> Void,
    answer: @escaping Answer
  ) {
    self.sandbox = sandbox
    self.receive = receive
    self.send = send
    self.answer = answer
  }

  /// Serves until the requests end.
  ///
  /// - Throws: ``WireError`` for an invalid request; the errors of the streams.
  package func run() throws {
    try reply(Hello(sandbox: sandbox))
    var buffer = FrameBuffer()
    var files: [SharedFile] = []
    while true {
      while let payload = try buffer.next() {
        let request = try WorkerRequest(payload: payload)
        // The files of a request arrive with its first byte.
        guard files.count >= request.fileCount else { throw WireError.missingFiles }
        let own = Array(files.prefix(request.fileCount))
        files.removeFirst(request.fileCount)
        try respond(to: request, own)
      }
      let more = try receive()
      if more.bytes.isEmpty { return }
      buffer.append(more.bytes)
      files += more.files
    }
  }

  private func respond(to request: WorkerRequest, _ files: [SharedFile]) throws {
    guard request == .selfTest else { return try answer(request, files, reply) }
    let acts = Dictionary(grouping: ForbiddenAct.allCases, by: \.isRefused)
    try reply(
      SelfTestReply(
        refused: (acts[true] ?? []).map(\.rawValue), permitted: (acts[false] ?? []).map(\.rawValue))
    )
  }

  private func reply(_ message: any WireMessage) throws {
    try send(FrameBuffer.frame(message.payload))
  }
}
