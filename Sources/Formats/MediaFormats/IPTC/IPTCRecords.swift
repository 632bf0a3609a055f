import ByteReading

/// The IPTC-IIM datasets of a picture (IIM 4.2), as Photoshop and news agencies write them.
package struct IPTCRecords: Sendable, Hashable {
  /// One dataset: its record and number, such as 2 and 120 for the caption.
  package struct Dataset: Sendable, Hashable {
    package var record: UInt8
    package var number: UInt8
    package var bytes: [UInt8]
  }

  private static let maximumDatasets = 4096
  /// The byte with which each dataset begins.
  package static let marker: UInt8 = 0x1C

  /// The datasets in the order of the file.
  package private(set) var datasets: [Dataset] = []
  /// Whether dataset 1:90 declares UTF-8 (escape sequence ESC % G).
  package private(set) var isUTF8 = false

  /// Nil if no dataset is found.
  package init?(_ bytes: [UInt8]) {
    var position = 0
    while datasets.count < Self.maximumDatasets, bytes.u8(at: position) == Self.marker,
      let record = bytes.u8(at: position + 1), let number = bytes.u8(at: position + 2),
      let field = bytes.u16(at: position + 3)
    {
      var start = position + 5
      var length = Int(field)
      if field & 0x8000 != 0 {
        // An extended dataset: the field is the number of bytes of the length that follows.
        let width = Int(field & 0x7FFF)
        guard (1...4).contains(width), let long = bytes.unsigned(at: start, width: width)
        else { break }
        start += width
        length = Int(long)
      }
      guard let value = bytes.bytes(at: start, count: length) else { break }
      datasets.append(Dataset(record: record, number: number, bytes: value))
      position = start + length
    }
    guard !datasets.isEmpty else { return nil }
    isUTF8 = datasets.contains {
      $0.record == 1 && $0.number == 90 && $0.bytes == [0x1B, 0x25, 0x47]
    }
  }

  /// All texts of a dataset of record 2: UTF-8 if it is declared or valid, otherwise Windows-1252.
  package func texts(_ number: UInt8) -> [String] {
    datasets.filter { $0.record == 2 && $0.number == number }.compactMap { dataset in
      isUTF8 ? String(decoding: dataset.bytes, as: UTF8.self).nonEmpty : dataset.bytes.trimmedText
    }
  }

  /// 2:05 Object Name.
  package var title: String? { texts(5).first }
  /// 2:120 Caption/Abstract.
  package var caption: String? { texts(120).first }
  /// 2:25 Keywords.
  package var keywords: [String] { texts(25) }
}
