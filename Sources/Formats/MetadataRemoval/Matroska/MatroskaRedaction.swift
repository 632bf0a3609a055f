import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

extension MatroskaFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try MatroskaRedaction.find(policy, in: source)
  }
}

/// Finds what a policy removes from a Matroska or WebM movie (RFC 9559).
///
/// Only known elements stay. Others become `Void` elements of the same size, and the content of `Void`
/// elements is cleared, at every level. Checksums become `Void` too, since the bytes that they cover change.
struct MatroskaRedaction {
  enum ID {
    static let header: UInt64 = 0x1A45_DFA3
    static let segment: UInt64 = 0x1853_8067
    static let information: UInt64 = 0x1549_A966
    static let title: UInt64 = 0x7BA9
    static let date: UInt64 = 0x4461
    static let muxingApp: UInt64 = 0x4D80
    static let writingApp: UInt64 = 0x5741
    static let tracks: UInt64 = 0x1654_AE6B
    static let track: UInt64 = 0xAE
    static let trackType: UInt64 = 0x83
    static let trackName: UInt64 = 0x536E
    static let trackNumber: UInt64 = 0xD7
    static let codecPrivate: UInt64 = 0x63A2
    static let codec: UInt64 = 0x86
    static let encodings: UInt64 = 0x6D80
    static let encoding: UInt64 = 0x6240
    static let encodingScope: UInt64 = 0x5032
    static let encodingType: UInt64 = 0x5033
    static let compression: UInt64 = 0x5034
    static let compressionKind: UInt64 = 0x4254
    static let compressionSettings: UInt64 = 0x4255
    static let simpleBlock: UInt64 = 0xA3
    static let blockGroup: UInt64 = 0xA0
    static let block: UInt64 = 0xA1
    static let blockAdditions: UInt64 = 0x75A1
    static let blockMore: UInt64 = 0xA6
    static let blockAdditional: UInt64 = 0xA5
    static let blockAddID: UInt64 = 0xEE
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
    static let fileDescription: UInt64 = 0x467E
    static let void: UInt64 = 0xEC
    static let checksum: UInt64 = 0xBF
  }

  /// The most elements that are visited: those of some days of video and audio.
  private static let maximumElements = 20_000_000
  /// Elements that are erased.
  private static let maximumErased = 500_000
  private static let maximumText = 1 << 16
  private static let maximumHeaders = 64 << 20
  private static let maximumDepth = 16

  let source: any ByteSource
  let policy: MetadataPolicy
  var redaction = Redaction()
  private var count = 0
  private var erased = 0
  /// Tracks of subtitles by their numbers.
  private(set) var subtitles: [UInt64: MatroskaSubtitles] = [:]
  /// The numbers of all tracks; blocks of others are erased.
  private(set) var trackNumbers: Set<UInt64> = []
  /// Tracks of H.264 and HEVC by their numbers, in whose blocks user data is overwritten.
  var videos: [UInt64: Video] = [:]
  /// Tracks of video by their numbers, each of whose frames may be a picture with metadata of its own.
  var pictures: [UInt64: PictureTrack] = [:]
  /// The units of video that were visited.
  var unitCount = 0
  /// Whether a block was visited.
  var hasBlocks = false

  /// - Throws: ``RedactionRefusal`` for a movie with a track of metadata; ``ContainerError`` for what is
  ///   not Matroska; what the source throws.
  static func find(_ policy: MetadataPolicy, in source: any ByteSource) throws -> Redaction {
    var found = MatroskaRedaction(source: source, policy: policy)
    guard let header = try found.element(at: 0, before: source.count), header.id == ID.header else {
      throw ContainerError.notThisFormat("Matroska file")
    }
    try found.clean(header, depth: 0)
    var position = header.payload.upperBound
    while let element = try found.element(at: position, before: source.count) {
      if element.id == ID.segment {
        try found.visit(segment: element)
      } else {
        try found.erase(element)
      }
      position = element.payload.upperBound
    }
    if position < source.count {
      found.redaction.addNote("Data of unknown kind after the movie was left out.")
      found.redaction.fill(position..<source.count)
    }
    return found.redaction
  }

  private init(source: any ByteSource, policy: MetadataPolicy) {
    self.source = source
    self.policy = policy
  }

  /// The element at an offset; nil if the bytes there are not an element.
  mutating func element(at start: UInt64, before end: UInt64) throws -> EBMLElement? {
    count += 1
    guard count < Self.maximumElements else {
      throw RedactionRefusal("The movie has too many parts to check.")
    }
    return try source.ebmlElement(at: start, before: end)
  }

  mutating func children(of parent: EBMLElement) throws -> [EBMLElement] {
    var found: [EBMLElement] = []
    var position = parent.payload.lowerBound
    while let child = try element(at: position, before: parent.payload.upperBound) {
      found.append(child)
      position = child.payload.upperBound
    }
    return found
  }

  private mutating func visit(segment: EBMLElement) throws {
    var position = segment.payload.lowerBound
    while position < segment.payload.upperBound {
      guard let child = try element(at: position, before: segment.payload.upperBound) else {
        position = try skipUnknown(from: position, before: segment.payload.upperBound)
        continue
      }
      // The elements of an open cluster are visited one by one.
      position = child.isOpen ? child.payload.lowerBound : child.payload.upperBound
      switch child.id {
      case ID.tracks:
        try visit(tracks: child)
        try clean(child, depth: 0)
      case ID.cluster:
        if !child.isOpen { try visit(cluster: child) }
      case ID.chapters:
        let names =
          policy != .appearanceOnly ? try source.bytes(in: child.payload, limit: 4 << 20) : nil
        if names.map({ policy.removes(text: $0) }) ?? true {
          try erase(child)
        } else {
          try clean(child, depth: 0)
        }
      case ID.tags, ID.attachments:
        if policy != .appearanceOnly { try visit(list: child) } else { try erase(child) }
      case ID.information: try clean(child, depth: 0)
      case let id where Self.levels[id] != nil: try erase(child)
      case let id where MatroskaElements.parents.contains(id): try clean(child, depth: 0)
      default: try visit(clusterItem: child)
      }
    }
  }

  /// Clears bytes that are not an element, up to the next cluster, where a damaged movie continues.
  ///
  /// - Returns: the offset of the cluster, or `end`.
  private mutating func skipUnknown(from start: UInt64, before end: UInt64) throws -> UInt64 {
    let identifier = encoded(ID.cluster, width: 4)
    // A cluster at `start` itself is damaged.
    var position = start + 1
    var next = end
    while position < end {
      let piece = try source.bytes(at: position, count: Int(min(1 << 16, end - position)))
      guard !piece.isEmpty else { break }
      if let found = piece.firstIndex(of: identifier) {
        next = position + UInt64(found)
        break
      }
      // The identifier may begin in the last three bytes.
      position += UInt64(max(1, piece.count - 3))
    }
    redaction.fill(start..<next)
    redaction.addNote("Data of unknown kind inside the movie was left out.")
    return next
  }

  private mutating func visit(tracks: EBMLElement) throws {
    for track in try children(of: tracks) where track.id == ID.track {
      let items = try children(of: track)
      for item in items where item.id == ID.trackNumber {
        trackNumbers.insert(try number(item) ?? 0)
      }
      if policy.removesLocation { try check(track: items) }
      try visit(pictureTrack: items)
      let isTagged = try visit(taggedTrack: items)
      let isVideo = policy.removesLocation ? try visit(videoTrack: items) : false
      if !isTagged, !isVideo {
        for item in items where item.id == ID.codecPrivate {
          try redaction.blankPlaces(in: item.payload, of: source, policy)
        }
      }
      if policy.removesLocation, let found = try MatroskaSubtitles(items, source) {
        subtitles[found.number] = subtitles[found.number] ?? found
        // The header of styled subtitles is text.
        for item in items where item.id == ID.codecPrivate {
          if try recordsPlace(item) { try erase(item) }
        }
      }
    }
  }

  /// Video, audio, both, and subtitles (RFC 9559 §5.1.4.1.3).
  private static let mediaTypes: Set<UInt64> = [1, 2, 3, 17]
  /// Elements that readers find the first or the last of.
  private static let singles = [ID.trackNumber, ID.trackType, ID.codec, ID.codecPrivate]

  /// - Throws: ``RedactionRefusal`` for a track whose blocks are of a kind that is not searched, and for one that states its
  ///   kind or its codec several times.
  private func check(track items: [EBMLElement]) throws {
    for id in Self.singles where items.count(where: { $0.id == id }) > 1 {
      throw RedactionRefusal(
        "A track of the movie states its kind several times, so places in it cannot be found.")
    }
    for item in items where item.id == ID.trackType {
      guard let type = try number(item), Self.mediaTypes.contains(type) else {
        throw RedactionRefusal(
          """
          The movie has a track of metadata that may record places and cannot be taken out of a \
          copy; the video preset `compatible` makes a new video without it.
          """
        )
      }
    }
  }

  /// Visits the headers of a codec that contain tags.
  ///
  /// - Returns: whether the codec has such headers, and they are short enough to be searched.
  private mutating func visit(taggedTrack items: [EBMLElement]) throws -> Bool {
    guard let codec = items.first(where: { $0.id == ID.codec }),
      let headers = items.first(where: { $0.id == ID.codecPrivate }),
      let content = try source.bytes(in: headers.payload, limit: Self.maximumHeaders)
    else { return false }
    let name = try source.bytes(at: codec.payload.lowerBound, count: min(codec.payload.count, 64))
    let found: Redaction
    switch name.text {
    case "A_VORBIS", "V_THEORA": found = AudioComments.find(policy, inXiphHeaders: content)
    case "A_FLAC":
      found = AudioComments.find(policy, inFLAC: content, from: content.hasText("fLaC") ? 4 : 0)
    default: return false
    }
    redaction.add(found, at: headers.payload.lowerBound)
    return true
  }

  func number(_ item: EBMLElement) throws -> UInt64? {
    let bytes = try source.bytes(at: item.payload.lowerBound, count: min(item.payload.count, 8))
    return bytes.unsigned(at: 0, width: bytes.count)
  }

  /// Whether a text records a place that must not stay; true for a text that is too long to check.
  private func recordsPlace(_ item: EBMLElement) throws -> Bool {
    guard policy.removesLocation else { return false }
    let text = try source.bytes(in: item.payload, limit: Self.maximumText)
    return text.map { LocationDetection.recordsPlace($0) } ?? true
  }

  /// Elements that are visited by rules of their own, and those that may contain them; none for those that only a segment
  /// or the file itself contains (RFC 9559 §5.1).
  private static let levels: [UInt64: Set<UInt64>] = [
    ID.header: [], ID.segment: [], ID.information: [], ID.tracks: [], ID.cluster: [],
    ID.chapters: [], ID.tags: [], ID.attachments: [],
    ID.track: [ID.tracks], ID.tag: [ID.tags], ID.simpleTag: [ID.tag, ID.simpleTag],
    ID.attachedFile: [ID.attachments],
  ]

  /// Erases unknown elements inside of another one, captions, and texts that record a place.
  private mutating func clean(_ parent: EBMLElement, depth: Int) throws {
    guard depth < Self.maximumDepth else { return try erase(parent) }
    var position = parent.payload.lowerBound
    while let item = try element(at: position, before: parent.payload.upperBound) {
      position = item.payload.upperBound
      switch item.id {
      case ID.date, ID.title:
        if policy == .appearanceOnly || item.id == ID.title && policy.removesCaptions {
          try erase(item)
        } else if item.id == ID.title, policy.removesLocation {
          // One that is too long to be searched may contain anything.
          let text = try source.bytes(in: item.payload, limit: Self.maximumText)
          if text.map({ policy.removes(title: $0) }) ?? true { try erase(item) }
        } else if item.id == ID.date {
          try redaction.blankPlaces(in: item.payload, of: source, policy)
        }
      case let id where Self.levels[id].map({ !$0.contains(parent.id) }) ?? false:
        // Its names and texts have been judged only at its own place.
        try erase(item)
      case let id where MatroskaElements.parents.contains(id): try clean(item, depth: depth + 1)
      case let id where MatroskaElements.values.contains(id):
        // The headers of codecs have been visited with their tracks.
        if id != ID.codecPrivate {
          try redaction.blankPlaces(in: item.payload, of: source, policy)
        }
      case let id
      where policy.removesCaptions && [ID.trackName, ID.fileDescription].contains(id):
        try erase(item)
      case ID.muxingApp, ID.writingApp:
        let isUnwanted = try policy == .appearanceOnly ? !isLibavformat(item) : recordsPlace(item)
        // Both are mandatory (RFC 9559 §5.1.2). Zeros end a text (RFC 8794 §7.4), so it is empty.
        if isUnwanted { redaction.fill(item.payload) }
      case let id where MatroskaElements.texts.contains(id):
        if try policy == .appearanceOnly || recordsPlace(item) { try erase(item) }
      default: try erase(item)
      }
    }
    clearTail(of: parent, from: position)
  }

  /// Whether a muxer is a version of libavformat. Readers reverse the order of the fields of its early versions
  /// (FFmpeg's matroskadec.c).
  private func isLibavformat(_ item: EBMLElement) throws -> Bool {
    guard item.id == ID.muxingApp, let name = try source.bytes(in: item.payload, limit: 16),
      name.hasText("Lavf")
    else { return false }
    return name[4...].allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
  }

  /// Visits tags or attached files. Among attached files only fonts stay, since they do not record a place.
  private mutating func visit(list: EBMLElement) throws {
    for item in try children(of: list) {
      switch item.id {
      case ID.tag:
        for simple in try children(of: item) where simple.id == ID.simpleTag {
          if try isUnwanted(simple, depth: 0) { try erase(simple) }
        }
      case ID.attachedFile:
        let type = try children(of: item).first { $0.id == ID.mediaType }
        let name = try type.map { try source.bytes(at: $0.payload.lowerBound, count: 64) } ?? []
        if name.firstIndex(of: "font") == nil, name.firstIndex(of: "opentype") == nil {
          try erase(item)
        }
      default: continue
      }
    }
    try clean(list, depth: 0)
  }

  /// Whether a tag, or one inside of it, is a caption or records a place that must not stay.
  private mutating func isUnwanted(_ tag: EBMLElement, depth: Int) throws -> Bool {
    guard depth < 8 else { return true }
    for field in try children(of: tag) {
      let text = try source.bytes(in: field.payload, limit: 1 << 16)
      switch field.id {
      case ID.tagName:
        if text.map({ policy.removes(key: $0.text) || policy.removes(title: $0) }) ?? true {
          return true
        }
      case ID.simpleTag:
        if try isUnwanted(field, depth: depth + 1) { return true }
      case ID.tagString:
        if text.map({ policy.removes(text: $0) }) ?? policy.removesLocation { return true }
      default: continue
      }
    }
    return false
  }

  /// Turns an element into a `Void` element with zeros.
  mutating func erase(_ element: EBMLElement) throws {
    let length = element.payload.upperBound - element.start
    guard length >= 2 else { return redaction.fill(element.start..<element.payload.upperBound) }
    erased += 1
    guard erased < Self.maximumErased else {
      throw RedactionRefusal("The movie has too many parts of unknown kinds.")
    }
    redaction.fill(element.start..<element.payload.upperBound)
    let size: [UInt8] =
      length < 128
      ? [0x80 | UInt8(length - 2)] : [0x01] + encoded(length - 9, width: 7)
    redaction.overwrite(at: element.start, with: [UInt8(ID.void)] + size)
  }

  /// Clears the end of an element that does not consist of elements.
  mutating func clearTail(of parent: EBMLElement, from position: UInt64) {
    let start = min(position, parent.payload.upperBound)
    redaction.fill(start..<parent.payload.upperBound)
  }
}
