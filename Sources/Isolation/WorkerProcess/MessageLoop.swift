import FFmpeg
import FactReading
import LibHeif
import LibraryFacts
import MediaMaking
import MediaModel
import WorkerProtocol

/// The codec process's side of the protocol: a greeting, then one reply frame for each requested file, each
/// sent at once, until the requests end.
package struct MessageLoop {
  /// Returns the next bytes of requests; empty at their end.
  private let read: () throws -> [UInt8]
  /// Sends one whole frame.
  private let write: ([UInt8]) throws -> Void

  package init(
    read: @escaping () throws -> [UInt8], write: @escaping ([UInt8]) throws -> Void
  ) {
    self.read = read
    self.write = write
  }

  /// Serves until the requests end.
  ///
  /// - Throws: ``WireError`` for an invalid request; the errors of the streams.
  package func run() throws {
    try send(Hello().payload)
    var buffer = FrameBuffer()
    while true {
      while let payload = try buffer.next() {
        try answer(CodecRequest(payload: payload))
      }
      let more = try read()
      if more.isEmpty { return }
      buffer.append(more)
    }
  }

  private func answer(_ request: CodecRequest) throws {
    switch request {
    case .probe(let paths):
      for path in paths { try send(probe(path, readers: .libraries).payload) }
    case .describe:
      try send(ProgramDescription.ofThisProcess.payload)
    case .inspect(let path):
      try send(inspect(path, readers: .libraries).payload)
    case .digest(let paths):
      for path in paths {
        let reply = digest(path) { try send(DigestReply.working.payload) }
        try send(reply.payload)
      }
    case .examine(let items):
      for item in items { try send(examine(item).payload) }
    case .render(let steps):
      for step in steps {
        let reply = render(step) { try send(RenderReply.working(position: $0).payload) }
        try send(reply.payload)
      }
    case .thumbnails(let items, let longerSide):
      for item in items { try send(thumbnail(item, longerSide: longerSide).payload) }
    }
  }

  private func send(_ payload: [UInt8]) throws {
    try write(FrameBuffer.frame(payload))
  }
}

extension ProgramDescription {
  /// The libraries and codecs of this build. libheif loads its plugins for it.
  static var ofThisProcess: ProgramDescription {
    ProgramDescription(
      libraries: ["libheif " + HeifLibrary.version, "FFmpeg " + AudioVideoLibrary.version],
      codecs: HeifLibrary.decoders.map { "picture decoder " + $0 }
        + AudioVideoLibrary.decoders.map { "video decoder " + $0 }
        + AudioVideoLibrary.encoders.map { "video encoder " + $0 }
        + AudioVideoLibrary.filters.map { "filter " + $0 })
  }
}
