import Crypto
import Foundation
import Linux
import MediaModel

// The lines of an export's record as they are in the file. Users other than the one who exports may be able to
// write into a target, so a line is read strictly: its members in the order in which Shoebox writes them,
// nothing between them, or it is not one.

/// The fields of a line about a file, as ranges of its bytes. Most lines of a long record do not matter to an export,
/// and only these ranges are read of them.
struct RecordLine {
  private(set) var identifier = 0..<0
  private var resource = 0..<0
  private var variant = 0..<0
  private var sourceSize = 0..<0
  private var sourceModified = 0..<0
  private var content = 0..<0
  private var settings = 0..<0
  private var naming = 0..<0
  private(set) var target = 0..<0
  private var size = 0..<0
  private var modified = 0..<0
  private var inode = 0..<0
  private(set) var proof: Range<Int>?
  /// Whether the line itself says that the file has got its name.
  private(set) var isDone = false

  private static let opening = Array(#"{"id":""#.utf8)
  private static let beforeResource = Array(#"","resource":""#.utf8)
  private static let beforeVariant = Array(#"","variant":""#.utf8)
  private static let beforeSourceSize = Array(#"","sourceSize":"#.utf8)
  private static let beforeSourceModified = Array(#","sourceModified":""#.utf8)
  private static let beforeContent = Array(#"","content":""#.utf8)
  private static let beforeSettings = Array(#"","settings":""#.utf8)
  private static let beforeNaming = Array(#"","naming":""#.utf8)
  private static let beforeTarget = Array(#"","target":""#.utf8)
  private static let beforeSize = Array(#"","size":"#.utf8)
  private static let beforeModified = Array(#","modified":""#.utf8)
  private static let beforeInode = Array(#"","inode":""#.utf8)
  private static let quote = Array(#"""#.utf8)
  private static let beforeProof = Array(#","proof":""#.utf8)
  static let doneMark = Array(#","done":true"#.utf8)
  private static let closing = Array("}".utf8)

  /// Nil for what is not a line about a file.
  init?(_ line: Span<UInt8>) {
    var at = 0
    guard line.skip(Self.opening, &at) else { return nil }
    identifier = line.text(&at)
    guard line.skip(Self.beforeResource, &at) else { return nil }
    resource = line.text(&at)
    if line.skip(Self.beforeVariant, &at) { variant = line.text(&at) }
    guard line.skip(Self.beforeSourceSize, &at) else { return nil }
    sourceSize = line.number(&at)
    guard line.skip(Self.beforeSourceModified, &at) else { return nil }
    sourceModified = line.number(&at)
    if line.skip(Self.beforeContent, &at) { content = line.text(&at) }
    guard line.skip(Self.beforeSettings, &at) else { return nil }
    settings = line.text(&at)
    guard line.skip(Self.beforeNaming, &at) else { return nil }
    naming = line.text(&at)
    guard line.skip(Self.beforeTarget, &at) else { return nil }
    target = line.text(&at)
    guard line.skip(Self.beforeSize, &at) else { return nil }
    size = line.number(&at)
    guard line.skip(Self.beforeModified, &at) else { return nil }
    modified = line.number(&at)
    guard line.skip(Self.beforeInode, &at) else { return nil }
    inode = line.number(&at)
    guard line.skip(Self.quote, &at) else { return nil }
    if line.skip(Self.beforeProof, &at) {
      proof = line.text(&at)
      guard line.skip(Self.quote, &at) else { return nil }
    }
    isDone = line.skip(Self.doneMark, &at)
    guard line.skip(Self.closing, &at), at == line.count else { return nil }
  }

  /// Which part of which asset the line is about; nil for what no export has written.
  func key(_ line: Span<UInt8>) -> ExportRecord.Key? {
    guard let identifier = line.string(identifier), let variant = line.string(variant),
      let name = line.string(resource), let resource = ResourceType(rawValue: name)
    else { return nil }
    return ExportRecord.Key(identifier: identifier, resource: resource, variant: variant)
  }

  /// A hash of ``key(_:)`` that costs no text; nil if the resource is unknown.
  func partHash(_ line: Span<UInt8>) -> Int? {
    guard let name = line.string(resource), ResourceType(rawValue: name) != nil else { return nil }
    var hasher = Hasher()
    for part in [identifier, resource, variant] {
      hasher.combine(part.count)
      for index in part { hasher.combine(line[index]) }
    }
    return hasher.finalize()
  }

  /// What the line says; nil for what no export has written, as a path that leads out of the target.
  ///
  /// - Parameter key: the catalog's, by which its own lines are known.
  func entry(_ line: Span<UInt8>, key: [UInt8]?) -> ExportRecord.Entry? {
    guard let target = line.string(target), target.isBelow,
      let settings = line.string(settings), let naming = line.string(naming),
      let sourceSize = line.integer(sourceSize), let size = line.integer(size),
      let sourceModified = line.integer(sourceModified), let modified = line.integer(modified),
      let inode = inodeNumber(line)
    else { return nil }
    return ExportRecord.Entry(
      source: ExportRecord.Version(size: sourceSize, modified: sourceModified),
      content: line.string(content).flatMap(SourceContent.init(text:)), settings: settings,
      naming: naming, target: target,
      made: ExportRecord.Version(size: size, modified: modified), inode: inode, isDone: isDone,
      isOwn: isProven(line, key))
  }

  /// The inode of the file that was made.
  func inodeNumber(_ line: Span<UInt8>) -> UInt64? {
    line.string(inode).flatMap(UInt64.init)
  }

  /// Whether the catalog with this key has written the line.
  private func isProven(_ line: Span<UInt8>, _ key: [UInt8]?) -> Bool {
    guard let key, let proof else { return false }
    let message = line.bytes(0..<proof.lowerBound - Self.beforeProof.count)
    return line.bytes(proof) == Self.code(of: message, key)
  }

  /// 128 bits of the message's HMAC-SHA256 (RFC 2104), in hexadecimal digits: only who has the key can
  /// compute it.
  private static func code(of message: [UInt8], _ key: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)).prefix(16)
      .flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  /// Finishes a line about a file: adds the proof of who wrote it.
  ///
  /// - Parameters:
  ///   - object: the line without proof, a whole object.
  ///   - isDone: whether the file has its name.
  static func proving(_ object: [UInt8], key: [UInt8]?, isDone: Bool) -> [UInt8] {
    let message = Array(object.dropLast())
    let proof = key.map { beforeProof + code(of: message, $0) + quote } ?? []
    return message + proof + (isDone ? doneMark : []) + closing + [UInt8(ascii: "\n")]
  }
}

extension Span<UInt8> {
  /// Moves an index past expected bytes; false if other bytes follow.
  fileprivate func skip(_ literal: [UInt8], _ at: inout Int) -> Bool {
    guard count - at >= literal.count else { return false }
    for index in literal.indices where self[at + index] != literal[index] { return false }
    at += literal.count
    return true
  }

  /// The range of a text up to its closing quote, or to the line's end.
  fileprivate func text(_ at: inout Int) -> Range<Int> {
    let start = at
    while at < count, self[at] != UInt8(ascii: "\"") {
      at += self[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    at = Swift.min(at, count)
    return start..<at
  }

  /// The range of a whole number.
  fileprivate func number(_ at: inout Int) -> Range<Int> {
    let start = at
    while at < count, (0x30...0x39).contains(self[at]) || self[at] == UInt8(ascii: "-") { at += 1 }
    return start..<at
  }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for index in range { bytes.append(self[index]) }
    return bytes
  }

  /// The text that JSON has in a range between quotes; nil if that is not UTF-8.
  func string(_ range: Range<Int>) -> String? {
    let bytes = bytes(range)
    if !bytes.contains(UInt8(ascii: "\\")) { return String(validating: bytes, as: UTF8.self) }
    let quote = UInt8(ascii: "\"")
    return try? JSONDecoder().decode(String.self, from: Data([quote] + bytes + [quote]))
  }

  fileprivate func integer(_ range: Range<Int>) -> Int64? {
    string(range).flatMap(Int64.init)
  }
}

extension String {
  /// Whether a path stays in the target's folder, whatever wrote it.
  var isBelow: Bool {
    let components = split(separator: "/", omittingEmptySubsequences: false)
    return components.allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0")
    }
  }

  /// The folder of a path below the target's; empty for the target's own.
  var folder: String {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[..<$0]) } ?? ""
  }
}
