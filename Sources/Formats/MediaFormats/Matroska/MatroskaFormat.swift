import ByteReading
package import MediaModel

/// Matroska and WebM.
package enum MatroskaFormat: MediaFormat {
  package static let uniformTypes: Set<UniformType> = [.matroska, .webM]

  /// By the `DocType` element (0x4282); nil for audio.
  package static func recognize(_ head: FileHead) -> UniformType? {
    let bytes = head.bytes
    guard bytes.hasBytes([0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
    let isAudio = head.fileExtension == "mka"
    guard let element = bytes.firstIndex(of: [0x42, 0x82]), let length = bytes.u8(at: element + 2),
      length & 0x80 != 0,
      let type = bytes.bytes(at: element + 3, count: Int(length & 0x7F))
    else { return isAudio ? nil : .matroska }
    if type.text == "webm" { return .webM }
    return type.text == "matroska" && !isAudio ? .matroska : nil
  }
}
