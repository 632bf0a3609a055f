/// Finds what tells a place, or all metadata, in a Matroska or WebM movie (RFC 9559). Elements that are
/// to go become `Void` elements of the same size.
struct MatroskaRedaction {
  enum ID {
    static let header: UInt64 = 0x1A45_DFA3
    static let segment: UInt64 = 0x1853_8067
    static let information: UInt64 = 0x1549_A966
    static let title: UInt64 = 0x7BA9
    static let date: UInt64 = 0x4461
    static let tracks: UInt64 = 0x1654_AE6B
    static let track: UInt64 = 0xAE
    static let trackType: UInt64 = 0x83
    static let trackNumber: UInt64 = 0xD7
    static let encodings: UInt64 = 0x6D80
    static let simpleBlock: UInt64 = 0xA3
    static let blockGroup: UInt64 = 0xA0
    static let block: UInt64 = 0xA1
    static let cluster: UInt64 = 0x1F43_B675
    static let chapters: UInt64 = 0x1043_A770
    static let tags: UInt64 = 0x1254_C367
    static let tag: UInt64 = 0x7373
    static let simpleTag: UInt64 = 0x67C8
    static let tagName: UInt64 = 0x45A3
    static let tagString: UInt64 = 0x4487
    static let attachments: UInt64 = 0x1941_A469
    static let attachedFile: UInt64 = 0x61A7
    static let mediaType: UInt64 = 0x4660
    static let void: UInt64 = 0xEC
    static let checksum: UInt64 = 0xBF
  }

  struct Element {
    var id: UInt64
    var start: UInt64
    var payload: Range<UInt64>
    /// Whether it tells no size, as in a live stream, and goes on to where another one begins.
    var isOpen: Bool
  }

  private static let maximumElements = 200_000
  /// Where every block has to be looked at: some days of pictures and sound.
  private static let maximumBlocks = 5_000_000

  let source: any ByteSource
  private let aim: ISORedaction.Aim
  private var redaction = Redaction()
  private var count = 0
  private(set) var subtitles: [MatroskaSubtitles] = []

  /// - Throws: ``RedactionRefusal`` for a movie with a track of metadata; ``ContainerError`` for what is
  ///   no Matroska; what the source throws.
  static func find(_ aim: ISORedaction.Aim, in source: any ByteSource) throws -> Redaction {
    var found = MatroskaRedaction(source: source, aim: aim)
    guard let header = try found.element(at: 0, before: source.count), header.id == ID.header else {
      throw ContainerError.notThisFormat("Matroska file")
    }
    var position = header.payload.upperBound
    while let element = try found.element(at: position, before: source.count) {
      if element.id == ID.segment { try found.visit(segment: element) }
      position = element.payload.upperBound
    }
    return found.redaction
  }

  private init(source: any ByteSource, aim: ISORedaction.Aim) {
    self.source = source
    self.aim = aim
  }

  /// The element at an offset; nil where none can be.
  mutating func element(at start: UInt64, before end: UInt64) throws -> Element? {
    count += 1
    guard start < end else { return nil }
    guard count < (subtitles.isEmpty ? Self.maximumElements : Self.maximumBlocks) else {
      throw RedactionRefusal("The movie has too many parts to be looked through.")
    }
    let head = try source.bytes(at: start, count: 12)
    guard let first = head.first, first != 0 else { return nil }
    let idWidth = first.leadingZeroBitCount + 1
    guard idWidth <= 4, let id = head.unsigned(at: 0, width: idWidth),
      let lead = head.u8(at: idWidth), lead != 0,
      case let width = lead.leadingZeroBitCount + 1,
      let coded = head.unsigned(at: idWidth, width: width)
    else { return nil }
    let mask = UInt64.max >> UInt64(64 - 7 * width)
    let size = coded & mask
    let begin = start + UInt64(idWidth + width)
    guard begin <= end else { return nil }
    let isOpen = size == mask
    let length = isOpen ? end - begin : min(size, end - begin)
    return Element(id: id, start: start, payload: begin..<(begin + length), isOpen: isOpen)
  }

  mutating func children(of parent: Element) throws -> [Element] {
    var found: [Element] = []
    var position = parent.payload.lowerBound
    while let child = try element(at: position, before: parent.payload.upperBound) {
      found.append(child)
      position = child.payload.upperBound
    }
    return found
  }

  private mutating func visit(segment: Element) throws {
    var position = segment.payload.lowerBound
    while let child = try element(at: position, before: segment.payload.upperBound) {
      // The elements of an open cluster are passed one by one.
      position = child.isOpen ? child.payload.lowerBound : child.payload.upperBound
      switch child.id {
      case ID.void: redaction.fill(child.payload)
      case ID.tracks: try visit(tracks: child)
      case ID.cluster where !child.isOpen && !subtitles.isEmpty: try visit(cluster: child)
      case ID.simpleBlock, ID.blockGroup: try visit(clusterItem: child)
      case ID.information where aim == .everything:
        for item in try children(of: child) where item.id == ID.title || item.id == ID.date {
          erase(item)
        }
      case ID.chapters:
        let names = aim == .location ? try source.bytes(in: child.payload, limit: 4 << 20) : nil
        if names.map({ LocationNames.isTold(in: $0) }) ?? true { erase(child) }
      case ID.tags, ID.attachments:
        guard aim == .location else {
          erase(child)
          continue
        }
        try visit(list: child)
      default: continue
      }
    }
  }

  private mutating func visit(tracks: Element) throws {
    for track in try children(of: tracks) where track.id == ID.track {
      let items = try children(of: track)
      if aim == .location, let found = try MatroskaSubtitles(items, source) {
        subtitles.append(found)
      }
      for item in items where item.id == ID.trackType {
        // 33 is metadata.
        guard try source.bytes(at: item.payload.lowerBound, count: 1) != [33] else {
          throw RedactionRefusal(
            """
            The movie has a track of metadata that may record places and cannot be taken out of a \
            copy; the video preset `compatible` makes a new video without it.
            """
          )
        }
      }
    }
  }

  /// Tags, or attached files: pictures among those have metadata of their own.
  private mutating func visit(list: Element) throws {
    for item in try children(of: list) {
      switch item.id {
      case ID.checksum: erase(item)
      case ID.tag:
        for simple in try children(of: item) where simple.id == ID.simpleTag {
          if try tellsPlace(simple, depth: 0) { erase(simple) }
        }
      case ID.attachedFile:
        for field in try children(of: item) where field.id == ID.mediaType {
          if try source.bytes(at: field.payload.lowerBound, count: 5).hasText("image") {
            erase(item)
          }
        }
      default: continue
      }
    }
  }

  private mutating func tellsPlace(_ tag: Element, depth: Int) throws -> Bool {
    guard depth < 8 else { return true }
    for field in try children(of: tag) {
      let text = try source.bytes(in: field.payload, limit: 1 << 16)
      switch field.id {
      case ID.tagName:
        if text.map({ LocationNames.contains(key: $0.text) }) ?? true { return true }
      case ID.simpleTag:
        if try tellsPlace(field, depth: depth + 1) { return true }
      case ID.tagString:
        if text.map({ LocationNames.isTold(in: $0) }) ?? true { return true }
      default: continue
      }
    }
    return false
  }

  /// Makes a `Void` element of it.
  private mutating func erase(_ element: Element) {
    let length = element.payload.upperBound - element.start
    guard length >= 2 else { return }
    redaction.fill(element.start..<element.payload.upperBound)
    let size: [UInt8] =
      length < 128
      ? [0x80 | UInt8(length - 2)] : [0x01] + encoded(length - 9, width: 7)
    redaction.overwrite(at: element.start, with: [UInt8(ID.void)] + size)
  }
}
