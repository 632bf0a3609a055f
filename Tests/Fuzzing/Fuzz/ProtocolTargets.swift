import MediaEdits
import MediaModel
import WorkerProtocol

// The worker protocol from both sides.

let emptyFingerprint = Fingerprint(bytes: [UInt8](repeating: 0, count: Fingerprint.length))

/// The worker's side of the protocol.
func readRequests(_ bytes: [UInt8]) {
  checkCoding(WorkerRequest.self, bytes)
  var buffer = FrameBuffer()
  for byte in bytes {
    buffer.append([byte])
    guard (try? buffer.next()) != nil else { return }
  }
}

/// The side of `shoebox`, which a worker that was taken over attacks.
func readReplies(_ bytes: [UInt8]) {
  checkCoding(ProbeReply.self, bytes)
  checkCoding(InspectReply.self, bytes)
  checkCoding(DigestReply.self, bytes)
  checkCoding(ExamineReply.self, bytes)
  checkCoding(RenderReply.self, bytes)
  checkCoding(ThumbnailReply.self, bytes)
  checkCoding(Hello.self, bytes)
  checkCoding(ProgramDescription.self, bytes)
  checkCoding(SelfTestReply.self, bytes)
}

/// Checks that bytes are refused, or are a message that is equal after it is sent again.
private func checkCoding<Message: WireMessage>(_ type: Message.Type, _ bytes: [UInt8]) {
  guard let message = try? Message(payload: bytes) else { return }
  let payload = message.payload
  precondition((try? Message(payload: payload))?.payload == payload, "\(message)")
}

/// Checks that facts that a reader has found arrive as they were sent, apart from values that the protocol corrects.
func checkCoding(of reply: ProbeReply) {
  checkCoding(ProbeReply.self, reply.payload)
  precondition((try? ProbeReply(payload: reply.payload)) != nil, "\(reply)")
}
