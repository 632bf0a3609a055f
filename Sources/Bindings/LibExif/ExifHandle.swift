import ByteReading
import CExif

/// A block parsed by libexif, freed with this value.
@safe struct ExifHandle: ~Copyable {
  private let data: UnsafeMutablePointer<ExifData>

  /// libexif reads up to 0xFFFE bytes, six of which are the prefix.
  private static let maximumLength = 0xFFFE - 6

  init?(tiff: [UInt8]) {
    guard tiff.count >= 8, let data = unsafe exif_data_new() else { return nil }
    unsafe self.data = data
    // By default libexif adds tags that the specification requires and drops those it does not know.
    unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
    // Without its JPEG prefix libexif takes a block for a JPEG file and finds nothing.
    let block =
      Array("Exif\0\0".utf8) + UTF8Types.replaced(in: Array(tiff.prefix(Self.maximumLength)))
    unsafe block.withUnsafeBufferPointer {
      unsafe exif_data_load_data(data, $0.baseAddress, UInt32($0.count))
    }
  }

  deinit {
    unsafe exif_data_unref(data)
  }

  var byteOrder: ByteOrder {
    unsafe exif_data_get_byte_order(data) == EXIF_BYTE_ORDER_MOTOROLA ? .big : .little
  }

  /// The entries of the directories that describe the picture; the first one of a repeated tag.
  func entries() -> [UInt32: ExifEntryValue] {
    // Most pictures have some 40 entries.
    var entries = [UInt32: ExifEntryValue](minimumCapacity: 48)
    for directory in ExifBlock.Directory.allCases {
      unsafe forEachEntry(in: directory.rawValue) { entry in
        let tag = UInt16(truncatingIfNeeded: unsafe entry.pointee.tag.rawValue)
        let key = ExifEntryValue.key(directory, tag)
        if entries[key] == nil { entries[key] = unsafe Self.value(of: entry) }
      }
    }
    return entries
  }

  private func forEachEntry(
    in directory: UInt32, _ body: (UnsafeMutablePointer<ExifEntry>) -> Void
  ) {
    guard let content = unsafe shoebox_exif_directory(data, directory) else { return }
    for index in 0..<Int(unsafe content.pointee.count) {
      if let entry = unsafe content.pointee.entries?[index] { unsafe body(entry) }
    }
  }

  private static func value(of entry: UnsafeMutablePointer<ExifEntry>) -> ExifEntryValue? {
    guard let format = ExifEntryValue.Format(rawValue: unsafe entry.pointee.format.rawValue),
      let start = unsafe entry.pointee.data
    else { return nil }
    let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(entry.pointee.size))
    return ExifEntryValue(format: format, bytes: unsafe Array(bytes))
  }

  // MARK: For people

  private static let groups = ["IFD0", "IFD1", "ExifIFD", "GPS", "InteropIFD"]
  /// A block with more tags than this is an attack.
  private static let maximumTags = 2000

  /// All tags with libexif's names and texts, those of the maker note last.
  func namedTags() -> [NamedTag] {
    var tags: [NamedTag] = []
    for (directory, group) in Self.groups.enumerated() {
      let ifd = ExifIfd(rawValue: UInt32(directory))
      unsafe forEachEntry(in: UInt32(directory)) { entry in
        guard tags.count < Self.maximumTags else { return }
        let tag = unsafe entry.pointee.tag
        let name = unsafe exif_tag_get_name_in_ifd(tag, ifd).map { unsafe String(cString: $0) }
        tags.append(
          NamedTag(
            group: group, name: name ?? "0x" + String(tag.rawValue, radix: 16),
            value: unsafe text(of: entry)))
      }
    }
    return tags + makerNoteTags()
  }

  /// libexif's text of one entry; a UserComment is decoded here, because libexif cannot.
  private func text(of entry: UnsafeMutablePointer<ExifEntry>) -> String {
    if unsafe entry.pointee.tag == EXIF_TAG_USER_COMMENT {
      return unsafe Self.value(of: entry).flatMap {
        ExifText.userComment($0.bytes, byteOrder)
      } ?? ""
    }
    return unsafe Self.printed { buffer, length in
      _ = unsafe exif_entry_get_value(entry, buffer, length)
    }
  }

  /// The maker note's tags, if libexif knows the maker's format.
  private func makerNoteTags() -> [NamedTag] {
    guard let note = unsafe exif_data_get_mnote_data(data) else { return [] }
    let count = min(unsafe exif_mnote_data_count(note), UInt32(Self.maximumTags))
    return (0..<count).map { index in
      let name = unsafe exif_mnote_data_get_name(note, index).map { unsafe String(cString: $0) }
      let number = unsafe exif_mnote_data_get_id(note, index)
      let value = unsafe Self.printed { buffer, length in
        _ = unsafe exif_mnote_data_get_value(note, index, buffer, length)
      }
      return NamedTag(
        group: "MakerNote", name: name ?? "0x" + String(number, radix: 16), value: value)
    }
  }

  /// The text that a function of libexif writes into a buffer.
  private static func printed(
    _ print: (UnsafeMutablePointer<CChar>?, UInt32) -> Void
  ) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
      unsafe buffer.initialize(repeating: 0)
      unsafe print(buffer.baseAddress, UInt32(buffer.count))
      return ExifText.trimmed(unsafe buffer.map { UInt8(bitPattern: $0) }) ?? ""
    }
  }
}
