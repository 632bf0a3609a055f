package import ByteReading
package import MediaModel

/// A file's type by its content.
package enum ContentType: Sendable, Hashable {
  case media(UniformType)
  case sidecar(SidecarKind)
  /// Any other content: text, audio, programs, damaged files.
  case unknown

  /// Bytes that are read from a file's beginning. More are read only to find a TIFF's first directory, and
  /// of JSON and binary property lists.
  package static let headSize = 4096
  /// The largest sidecar in bytes; darktable's history and Lightroom's masks can have several MiB.
  package static let maximumSidecar: UInt64 = 16 << 20
  /// Bytes that are searched in JSON, without long texts, and in binary property lists.
  private static let textHeadSize = 64 << 10

  /// Recognises a file by its first bytes.
  ///
  /// - Parameter fileExtension: in lower case; it decides only between types whose content looks the
  ///   same, as RAW formats that are TIFF, or Matroska with sound alone.
  /// - Throws: what the source throws.
  package init(of source: any ByteSource, fileExtension: String = "") throws {
    let head = FileHead(
      bytes: try source.bytes(at: 0, count: Self.headSize), fileExtension: fileExtension,
      source: source)
    for format in mediaFormats {
      if let type = try format.recognize(head) {
        self = .media(type)
        return
      }
    }
    // A sidecar's characteristic keys may follow a long description.
    let text =
      switch head.bytes.first {
      case UInt8(ascii: "{"):
        try JSONHead.read(source, size: Self.textHeadSize, limit: Self.maximumSidecar)
      case UInt8(ascii: "b"): try source.bytes(at: 0, count: Self.textHeadSize)
      default: head.bytes
      }
    self = sidecarKind(text, fileExtension).map(ContentType.sidecar) ?? .unknown
  }
}

/// An XML or JSON file, or property list, that belongs to a picture.
private func sidecarKind(_ head: [UInt8], _ fileExtension: String) -> SidecarKind? {
  if head.hasText("bplist0") {
    return head.firstIndex(of: "adjustmentFormatIdentifier") == nil ? nil : .adjustmentData
  }
  let text = sidecarText(head)
  if text.first == UInt8(ascii: "{") {
    func has(_ keys: String...) -> Bool {
      keys.allSatisfy { text.firstIndex(of: "\"\($0)\"") != nil }
    }
    // Ente leaves Takeout's own keys out.
    let isAboutPicture =
      has("photoTakenTime") || has("photoLastModifiedTime")
      || has("title", "creationTime", "modificationTime")
    if isAboutPicture { return .takeoutJSON }
    // Takeouts before 2020 have the album's values in an object of its own.
    return has("albumData", "title") || has("title", "access", "date") ? .albumJSON : nil
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
