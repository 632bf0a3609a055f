package import ByteReading
import MediaFormats
import MediaModel
package import WorkerProtocol

extension MediaFile {
  /// Recognises the file by content and reads its facts.
  ///
  /// - Parameter readers: used where our own readers do not suffice.
  func probe(readers: CodecReaders?) throws -> ProbeReply {
    let source = WindowedSource(self)
    let promise = FileNameParts(name: path.lastComponent).fileExtension
    let isPromised = UniformType(fileExtension: promise)?.mediaType != nil
    if count == 0 {
      return isPromised ? .failed(ProbeFailure(.damaged, "The file is empty.")) : .other
    }
    switch try ContentType(of: source, fileExtension: promise) {
    case .media(let type): return try media(type, source, readers)
    case .sidecar(let kind):
      guard let facts = try SidecarFacts(kind, source) else { return .other }
      return .sidecar(facts, try fingerprint(source))
    case .unknown:
      guard isPromised, try !isSound(source) else { return .other }
      return .failed(try .notMedia(source, promise: promise))
    }
  }

  private func media(
    _ type: UniformType, _ source: WindowedSource, _ readers: CodecReaders?
  ) throws -> ProbeReply {
    let name = path.lastComponent
    if type.format is any MovieFormat.Type {
      let reading = try movie(type, source, readers)
      // A file with audio only does not belong in a picture library.
      guard let facts = reading.facts(type: type, name: name) else { return .other }
      return .media(facts, try fingerprint(source))
    }
    guard let reading = try PictureReading.read(type, source, readers: readers)
    else { return .other }
    return .media(reading.facts(type: type, name: name), try fingerprint(source))
  }

  /// Reads a video. Content that is recognised as a video only for lack of other evidence is reported as a
  /// damaged picture if the name has a picture's extension.
  private func movie(
    _ type: UniformType, _ source: WindowedSource, _ readers: CodecReaders?
  ) throws -> MovieReading {
    do {
      let reading = try MovieReading.read(type, source, readers: readers)
      // Only data streams remain of a damaged header.
      if !reading.movie.streams.contains(where: { $0.kind == .video || $0.kind == .audio }) {
        throw ProbeFailure(.damaged, "The video contains neither a video nor an audio track.")
      }
      return reading
    } catch let failure as ProbeFailure where failure.reason == .damaged {
      let promise = FileNameParts(name: path.lastComponent).fileExtension
      guard UniformType(fileExtension: promise)?.mediaType == .image else { throw failure }
      // The low-overhead form has a box `mini` in place of `meta` (ISO/IEC 23008-12:2025).
      if try source.boxes(in: 0..<source.count, limit: 4).contains(where: { $0.type == "mini" }) {
        throw ProbeFailure(
          .unsupported, "HEIF pictures in the low-overhead form (`mini`) cannot be read.")
      }
      throw ProbeFailure(
        .damaged, "The picture's header cannot be read: it is damaged or of a newer format.")
    }
  }

  private func fingerprint(_ source: WindowedSource) throws -> Fingerprint {
    try Fingerprint.of(source, base: self)
  }

  /// Whether it is an audio file in a container that videos use too, though its name has a video's extension.
  private func isSound(_ source: WindowedSource) throws -> Bool {
    let head = try source.bytes(at: 0, count: 12)
    return head.hasText("ftyp", at: 4)
      && ["M4A ", "M4B ", "M4P "].contains { head.hasText($0, at: 8) }
  }
}

extension ProbeFailure {
  /// A failure that names the actual content of a file with a media extension.
  package static func notMedia(_ source: any ByteSource, promise: String) throws -> ProbeFailure {
    let head = try source.bytes(at: 0, count: 1024)
    let found = contentNames.first { head.hasBytes($0.start) }?.name ?? textName(head)
    return ProbeFailure(
      .notMedia,
      found.map { "The name ends in .\(promise), but the content is \($0)." }
        ?? "The name ends in .\(promise), but the content is not a known picture or video format.")
  }

  private static let contentNames: [(start: [UInt8], name: String)] = [
    (Array("%PDF".utf8), "a PDF document"), (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
    ([0x1F, 0x8B], "a gzip archive"), (Array("Rar!".utf8), "a RAR archive"),
    (Array("SQLite format 3\0".utf8), "a database"), (Array("8BPS".utf8), "a Photoshop document"),
    ([0x7F, 0x45, 0x4C, 0x46], "a program"), (Array("ID3".utf8), "audio"),
    (Array("OggS".utf8), "Ogg media"), (Array("fLaC".utf8), "audio"),
    ([0, 0, 1, 0], "an icon"), ([0, 5, 0x16, 7], "an AppleDouble file from a Mac"),
  ]

  /// The kind of a text; nil for bytes that are not text.
  private static func textName(_ head: [UInt8]) -> String? {
    if head.allSatisfy({ $0 == 0 }) { return "only zeros" }
    let isText = head.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    guard isText, let text = String(validating: head.prefix(900), as: UTF8.self) ?? ascii(head)
    else { return nil }
    let start = text.drop { $0.isWhitespace }.prefix(64).lowercased()
    if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return "HTML" }
    if start.hasPrefix("<svg") { return "an SVG drawing" }
    if start.hasPrefix("<?xml") || start.hasPrefix("<") { return "XML" }
    if start.hasPrefix("version https://git-lfs") { return "a Git LFS pointer to the actual file" }
    return start.hasPrefix("{") || start.hasPrefix("[") ? "JSON" : "text"
  }

  private static func ascii(_ head: [UInt8]) -> String? {
    head.allSatisfy { $0 < 0x80 } ? String(decoding: head, as: UTF8.self) : nil
  }
}
