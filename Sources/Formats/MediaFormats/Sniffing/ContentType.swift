package import ByteReading
package import MediaModel

/// What a file is by its content.
package enum ContentType: Sendable, Hashable {
  case media(UniformType)
  case sidecar(SidecarKind)
  /// Neither: text, sound, programs, damage.
  case unknown

  /// Bytes of a file's head that are looked at; more only to find a TIFF's first directory.
  package static let headSize = 4096
  /// Bytes that are searched in JSON and binary property lists.
  private static let textHeadSize = 64 << 10

  /// Recognises a file by its first bytes.
  ///
  /// - Parameter fileExtension: in lower case; it decides only between types whose content looks the
  ///   same, as RAW formats that are TIFF, or Matroska with sound alone.
  /// - Throws: what the source throws.
  package init(of source: any ByteSource, fileExtension: String = "") throws {
    let head = try source.bytes(at: 0, count: Self.headSize)
    if let type = imageType(head) ?? rawType(head) ?? videoType(head, fileExtension) {
      self = .media(type)
    } else if head.hasText("II") || head.hasText("MM"), let tiff = try? TIFFFile(source) {
      self = .media(try tiffType(tiff, fileExtension: fileExtension))
    } else if let content = isoType(head, fileSize: source.count) {
      self = content
    } else {
      // What tells a sidecar may stand behind a long description.
      let isText = head.first.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "b") } ?? false
      let text = isText ? try source.bytes(at: 0, count: Self.textHeadSize) : head
      self = sidecarKind(text, fileExtension).map(ContentType.sidecar) ?? .unknown
    }
  }
}

/// Pictures with a magic number of their own.
private func imageType(_ head: [UInt8]) -> UniformType? {
  if head.hasBytes([0xFF, 0xD8, 0xFF]) { return .jpeg }
  if head.hasBytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
  if head.hasText("GIF87a") || head.hasText("GIF89a") { return .gif }
  if head.hasText("RIFF"), head.hasText("WEBP", at: 8) { return .webP }
  let signatureEnd: [UInt8] = [0x0D, 0x0A, 0x87, 0x0A]
  if head.hasText("JXL ", at: 4), head.hasBytes(signatureEnd, at: 8) { return .jpegXL }
  if head.hasText("jP  ", at: 4), head.hasBytes(signatureEnd, at: 8) { return .jpeg2000 }
  if head.hasBytes([0xFF, 0x4F, 0xFF, 0x51]) { return .jpeg2000 }
  if head.hasBytes([0xFF, 0x0A]) {
    // Two bytes prove little: a size must follow.
    var bits = BitReader(head.bytes(at: 2, count: min(32, head.count - 2)) ?? [])
    return bits.jpegXLSize() == nil ? nil : .jpegXL
  }
  if head.hasText("BM"), let headerSize = head.u32(at: 14, .little),
    BMPFile.headerSizes.contains(headerSize), head.u32(at: 6, .little) == 0
  {
    return .bmp
  }
  return nil
}

/// RAW files with a magic number of their own.
private func rawType(_ head: [UInt8]) -> UniformType? {
  if head.hasText("FUJIFILMCCD-RAW") { return .fujiRAF }
  if head.hasText("\0MRM") { return .minoltaMRW }
  if head.hasText("FOVb") { return .sigmaX3F }
  if head.hasText("II"), head.hasText("HEAPCCDR", at: 6) { return .canonCRW }
  if head.hasText("IIU\0") { return .panasonicRW2 }
  if ["IIRO", "IIRS", "MMOR"].contains(where: { head.hasText($0) }) { return .olympusORF }
  if head.hasBytes([0x49, 0x49, 0x2A, 0]), head.hasText("CR", at: 8) { return .canonCR2 }
  let hasTIFF = head.hasBytes([0x49, 0x49, 0x2A, 0]) || head.hasBytes([0x4D, 0x4D, 0, 0x2A])
  if hasTIFF, head.hasText("IIII", at: 8) || head.hasText("MMMM", at: 8) { return .phaseOneIIQ }
  return nil
}

/// What a TIFF is: a RAW format if its first directory says so, or its maker and name do.
private func tiffType(_ tiff: TIFFFile, fileExtension: String) throws -> UniformType {
  guard let first = try tiff.directory(at: tiff.firstDirectoryOffset), !tiff.isBig
  else { return .tiff }
  let dngVersion: UInt16 = 0xC612
  if first[dngVersion] != nil { return .dng }
  let make = try tiff.text(0x010F, in: first)?.uppercased() ?? ""
  // A camera's RAW begins with a thumbnail; a picture developed from it does not.
  let isReduced = try (tiff.unsigned(0x00FE, in: first) ?? 0) & 1 == 1
  let promised = UniformType(fileExtension: fileExtension)
  let own = rawTypesByMaker.filter { make.hasPrefix($0.prefix) }.map(\.type)
  // Pentax keeps the sensor's image in the first directory, so only the name tells.
  if let promised, own.contains(promised) { return promised }
  let isUnmistakable = isReduced && first[0x014A] != nil
  return own.first { isUnmistakable && [.nikonNEF, .sonyARW].contains($0) } ?? .tiff
}

/// RAW formats that only the maker and the name tell from a TIFF, by how the maker's name begins.
private let rawTypesByMaker: [(prefix: String, type: UniformType)] = [
  ("NIKON", .nikonNEF), ("SONY", .sonyARW), ("SONY", .sonySR2), ("PENTAX", .pentaxPEF),
  ("RICOH", .pentaxPEF), ("OLYMPUS", .olympusORF), ("PHASE ONE", .phaseOneIIQ),
  ("LEAF", .phaseOneIIQ), ("LEAF", .leafMOS), ("SAMSUNG", .samsungSRW),
  ("HASSELBLAD", .hasselblad3FR), ("HASSELBLAD", .hasselbladFFF), ("IMACON", .hasselbladFFF),
  ("KODAK", .kodakDCR), ("EASTMAN KODAK", .kodakDCR), ("EPSON", .epsonERF),
  ("SEIKO EPSON", .epsonERF), ("MAMIYA", .mamiyaMEF),
]

/// An XML or JSON file, or property list, that belongs to a picture.
private func sidecarKind(_ head: [UInt8], _ fileExtension: String) -> SidecarKind? {
  if head.hasText("bplist0") {
    return head.firstIndex(of: "adjustmentFormatIdentifier") == nil ? nil : .adjustmentData
  }
  let text = sidecarText(head)
  if text.first == UInt8(ascii: "{") {
    let isTakeout = ["\"photoTakenTime\"", "\"photoLastModifiedTime\""]
      .contains { text.firstIndex(of: $0) != nil }
    return isTakeout ? .takeoutJSON : nil
  }
  guard let root = xmlRootName(text) else { return nil }
  let local = root.split(separator: ":").last.map(String.init) ?? root
  switch local {
  case "plist":
    let isAdjustment = ["adjustmentFormatIdentifier", "adjustmentData"]
      .contains { text.firstIndex(of: $0) != nil }
    return isAdjustment ? .adjustmentData : nil
  case "xmpmeta", "xapmeta": return .xmp
  case "RDF":
    // RDF says much else; Adobe's schemas or the name make it XMP.
    return fileExtension == "xmp" || text.firstIndex(of: "ns.adobe.com") != nil ? .xmp : nil
  default: return nil
  }
}

/// The head as UTF-8 without byte order mark and leading white space.
private func sidecarText(_ head: [UInt8]) -> [UInt8] {
  var text = head
  if head.hasBytes([0xFE, 0xFF]) || head.hasBytes([0, 0x3C]) {
    text = Array(utf16Text(head, .big).utf8)
  } else if head.hasBytes([0xFF, 0xFE]) || head.hasBytes([0x3C, 0]) {
    text = Array(utf16Text(head, .little).utf8)
  } else if head.hasBytes([0xEF, 0xBB, 0xBF]) {
    text = head.bytes(from: 3)
  }
  return Array(text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) })
}

/// The name of an XML document's first element, with its prefix.
private func xmlRootName(_ text: [UInt8]) -> String? {
  guard text.first == UInt8(ascii: "<") else { return nil }
  var position = 0
  for _ in 0..<64 {
    guard let start = text.firstIndex(of: "<", from: position), let next = text.u8(at: start + 1)
    else { return nil }
    if next == UInt8(ascii: "?") || next == UInt8(ascii: "!") {
      let close = text.hasText("<!--", at: start) ? "-->" : ">"
      guard let end = text.firstIndex(of: close, from: start) else { return nil }
      position = end + 1
    } else {
      let name = text[(start + 1)...].prefix { $0 > 0x20 && $0 != 0x3E && $0 != 0x2F }
      return String(validating: name, as: UTF8.self)
    }
  }
  return nil
}
