import Crypto
import Linux
import MediaModel

/// What a record contains about the content of a result's source. By it, a later export recognizes a source whose time
/// stamp is the only thing that changed.
package enum SourceContent: Sendable, Hashable {
  /// The result is a copy of the source, byte for byte: as long as it is there, the two can be compared. Copies need
  /// no digest, because to compute one would read files whose blocks the file system shares.
  case copied
  /// 128 bits of the SHA-256 of all that the result was made from, in hexadecimal digits.
  case digest(String)

  /// The form in the record.
  var text: String {
    switch self {
    case .copied: "copied"
    case .digest(let digits): digits
    }
  }

  /// Nil for a form that no export has written.
  init?(text: String) {
    if text == "copied" {
      self = .copied
    } else if text.utf8.count == ContentDigest.length * 2 {
      self = .digest(text)
    } else {
      return nil
    }
  }
}

/// Computes a digest of the content of files. It looks at nothing in them.
struct ContentDigest {
  /// Bytes of the digest that are kept.
  static let length = 16
  /// Bytes that are read at a time.
  private static let blockSize = 1 << 20

  private var hash = SHA256()

  /// Adds a whole file, as long as it was when it was opened.
  ///
  /// - Parameter isStopped: called regularly; true ends the reading.
  /// - Returns: whether all of the file was read.
  mutating func add(
    _ file: borrowing ReadOnlyFile, isStopped: () -> Bool
  ) throws(SystemError) -> Bool {
    var position: UInt64 = 0
    while position < file.size {
      if isStopped() { return false }
      let bytes = try file.read(at: position, count: Self.blockSize)
      guard !bytes.isEmpty else { return false }
      hash.update(data: bytes)
      position += UInt64(bytes.count)
    }
    return position == file.size
  }

  /// The digest in hexadecimal digits.
  var digits: String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = hash.finalize().prefix(Self.length)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension ExportSubject {
  /// A digest of the files that a part is made from.
  ///
  /// - Parameter isStopped: called regularly; true ends the reading.
  /// - Returns: nil if the files cannot be read, or are not as they were when they were selected.
  func contentDigest(
    of part: ExportPart, _ request: ExportRequest, isStopped: () -> Bool
  ) -> String? {
    var digest = ContentDigest()
    for path in [part.path] + [appendedClip(of: part, request)?.path].compactMap(\.self) {
      do {
        let source = try ReadOnlyFile(path: path)
        let state = try SourceState(source.status, path, self)
        guard try digest.add(source, isStopped: isStopped) else { return nil }
        try state.verify(source.statusNow())
      } catch {
        return nil
      }
    }
    return digest.digits
  }

  /// What the record will contain about the content of a file's source.
  ///
  /// - Returns: nil for an XMP file, whose settings are a digest of its content; nil if the source cannot be read.
  func content(
    of file: PlannedFile, _ request: ExportRequest, isStopped: () -> Bool
  ) -> SourceContent? {
    if file.part.kind == .description { return nil }
    if file.decision.work == .copy, file.part.range == nil, file.clip == nil { return .copied }
    return contentDigest(of: file.part, request, isStopped: isStopped).map(SourceContent.digest)
  }
}
