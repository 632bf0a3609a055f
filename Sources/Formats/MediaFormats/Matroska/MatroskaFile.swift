package import ByteReading

/// The description of a Matroska or WebM movie (RFC 9559): information, tracks, tags and attached files.
///
/// Clusters are not read. Elements after the clusters are found by the seek index.
package struct MatroskaFile {
  /// The duration in seconds; nil if it is not recorded.
  private(set) var duration: Double?
  /// Nanoseconds since 2001-01-01 UTC.
  private(set) var date: Int64?
  private(set) var title: String?
  private(set) var writingLibrary: String?
  private(set) var tracks: [MatroskaTrack] = []
  private(set) var tags: [MatroskaTag] = []
  private(set) var attachments: [MatroskaAttachment] = []

  private let source: any ByteSource

  enum ID {
    static let header: UInt64 = 0x1A45_DFA3
    static let segment: UInt64 = 0x1853_8067
    static let seekHead: UInt64 = 0x114D_9B74
    static let information: UInt64 = 0x1549_A966
    static let tracks: UInt64 = 0x1654_AE6B
    static let tags: UInt64 = 0x1254_C367
    static let attachments: UInt64 = 0x1941_A469
    static let cluster: UInt64 = 0x1F43_B675
  }

  /// Elements before the first cluster.
  private static let maximumTopElements = 128
  /// Elements inside one element.
  private static let maximumElements = 4096
  /// Longer information, tracks and tags, in bytes, are not read: they would take long.
  private static let maximumDescription = 1 << 20
  private static let maximumTracks = 256
  /// Bytes of an element's identifier and size.
  private static let maximumHeader: UInt64 = 12
  private static let maximumTags = 1000
  /// Tags in tags.
  private static let maximumDepth = 4

  /// - Throws: ``ContainerError`` if there is no segment with tracks; the errors of the source.
  package init(_ source: any ByteSource) throws {
    self.source = source
    let (elements, end) = try Self.descriptions(in: source)
    for element in elements { try read(element) }
    guard !tracks.isEmpty else { throw Self.failure(at: end, source) }
  }

  /// Whether the movie lists more tracks than a number. FFmpeg reads all of them before it refuses them.
  ///
  /// - Throws: ``ContainerError`` if there is no segment; the errors of the source.
  package static func hasMoreTracks(than maximum: Int, _ source: any ByteSource) throws -> Bool {
    var count = 0
    for element in try descriptions(in: source).elements where element.id == ID.tracks {
      // All elements in it are tracks, but for padding and checksums.
      count += try source.ebmlElements(in: element, limit: maximum + 1).count
      if count > maximum { return true }
    }
    return false
  }

  /// The elements before the first cluster, those at other places by the seek index, and the end of the former.
  private static func descriptions(
    in source: any ByteSource
  ) throws -> (elements: [EBMLElement], end: UInt64) {
    guard let header = try source.ebmlElement(at: 0, before: source.count), header.id == ID.header
    else { throw ContainerError.notThisFormat("Matroska file") }
    guard let segment = try source.ebmlElement(at: header.payload.upperBound, before: source.count)
    else { throw failure(at: header.payload.upperBound, source) }
    guard segment.id == ID.segment else { throw ContainerError.notThisFormat("Matroska file") }
    var found: [EBMLElement] = []
    var places: [UInt64: UInt64] = [:]
    var position = segment.payload.lowerBound
    for _ in 0..<maximumTopElements {
      guard let element = try source.ebmlElement(at: position, before: segment.payload.upperBound),
        element.id != ID.cluster
      else { break }
      if element.id == ID.seekHead { try read(seekHead: element, source, &places) }
      found.append(element)
      position = element.payload.upperBound
    }
    let seen = Set(found.map(\.id))
    for id in [ID.information, ID.tracks, ID.tags, ID.attachments] where !seen.contains(id) {
      guard let offset = places[id], let start = segment.payload.lowerBound.adding(offset),
        let element = try source.ebmlElement(at: start, before: segment.payload.upperBound),
        element.id == id
      else { continue }
      found.append(element)
    }
    return (found, position)
  }

  /// The failure of a file without tracks whose elements end at an offset: it is truncated if no other element would
  /// fit.
  private static func failure(at position: UInt64, _ source: any ByteSource) -> ContainerError {
    source.count - min(source.count, position) < maximumHeader
      ? .truncatedHeader : .damaged("has no tracks")
  }

  private func children(of element: EBMLElement) throws -> [EBMLElement] {
    try source.ebmlElements(in: element, limit: Self.maximumElements)
  }

  private mutating func read(_ element: EBMLElement) throws {
    guard element.payload.count <= Self.maximumDescription || element.id == ID.attachments
    else { return }
    switch element.id {
    case ID.information: try read(information: element)
    case ID.tracks:
      for entry in try children(of: element) where entry.id == 0xAE {
        guard tracks.count < Self.maximumTracks else { return }
        tracks.append(try MatroskaTrack(entry, source))
      }
    case ID.tags:
      for tag in try children(of: element) where tag.id == 0x7373 { try read(tag: tag) }
    case ID.attachments:
      let files = try source.ebmlElements(in: element, limit: Self.maximumTracks)
      for file in files where file.id == 0x61A7 {
        attachments.append(try MatroskaAttachment(file, source))
      }
    default: break
    }
  }

  /// Reads a seek index (§5.1.1): the offsets of elements from the start of the segment's content.
  private static func read(
    seekHead: EBMLElement, _ source: any ByteSource, _ places: inout [UInt64: UInt64]
  ) throws {
    for seek in try source.ebmlElements(in: seekHead, limit: 64) where seek.id == 0x4DBB {
      let parts = try source.ebmlElements(in: seek, limit: 8)
      guard let id = try parts.first(where: { $0.id == 0x53AB }).flatMap(source.ebmlUnsigned),
        let place = try parts.first(where: { $0.id == 0x53AC }).flatMap(source.ebmlUnsigned)
      else { continue }
      places[id] = places[id] ?? place
    }
  }

  private mutating func read(information: EBMLElement) throws {
    var scale: UInt64 = 1_000_000
    var length: Double?
    for element in try children(of: information) {
      switch element.id {
      case 0x2A_D7B1: scale = try source.ebmlUnsigned(element) ?? scale
      case 0x4489: length = try source.ebmlFloat(element)
      case 0x4461: date = try source.ebmlSigned(element)
      case 0x7BA9: title = try source.ebmlText(element)
      case 0x4D80: writingLibrary = try source.ebmlText(element)
      default: break
      }
    }
    // Whole microseconds, as in FFmpeg.
    let micro = length.map { $0 * Double(scale == 0 ? 1_000_000 : scale) / 1000 }
    duration = micro.flatMap { $0 >= 1 && $0 < 1e18 ? $0.rounded(.down) / 1_000_000 : nil }
  }

  /// Reads texts and the track that they describe (§5.1.8.1).
  private mutating func read(tag: EBMLElement) throws {
    var track: UInt64?
    var prefix: String?
    var isElsewhere = false
    let parts = try children(of: tag)
    for target in parts where target.id == 0x63C0 {
      for element in try children(of: target) {
        let number =
          [0x63C5, 0x63C9, 0x63C4, 0x63C6].contains(element.id)
          ? try source.ebmlUnsigned(element) ?? 0 : 0
        switch element.id {
        case 0x63CA: prefix = try source.ebmlText(element)
        case 0x63C5 where number != 0: track = number
        // A chapter, an edition, an attached file.
        case 0x63C9, 0x63C4, 0x63C6: isElsewhere = isElsewhere || number != 0
        default: break
        }
      }
    }
    guard !isElsewhere else { return }
    for text in parts where text.id == 0x67C8 { try read(text: text, track, prefix, depth: 0) }
  }

  private mutating func read(
    text element: EBMLElement, _ track: UInt64?, _ prefix: String?, depth: Int
  ) throws {
    guard tags.count < Self.maximumTags, depth < Self.maximumDepth else { return }
    let parts = try children(of: element)
    guard let name = try parts.first(where: { $0.id == 0x45A3 }).flatMap(source.ebmlText)
    else { return }
    let key = prefix.map { $0 + "/" + name } ?? name
    if let value = try parts.first(where: { $0.id == 0x4487 }).flatMap(source.ebmlText) {
      tags.append(MatroskaTag(track: track, key: key, value: value))
    }
    for part in parts where part.id == 0x67C8 { try read(text: part, track, key, depth: depth + 1) }
  }
}

/// A text that describes the movie or a track.
struct MatroskaTag: Sendable, Hashable {
  /// The track's UID; nil for the movie.
  var track: UInt64?
  /// The name, preceded by the target's type and the names of outer tags: `MOVIE/TITLE`.
  var key: String
  var value: String
}

/// A file inside the movie, such as a cover or a font.
struct MatroskaAttachment: Sendable, Hashable {
  var name: String?
  var mediaType: String?

  fileprivate init(_ element: EBMLElement, _ source: any ByteSource) throws {
    for part in try source.ebmlElements(in: element, limit: 16) {
      switch part.id {
      case 0x466E: name = try source.ebmlText(part)
      case 0x4660: mediaType = try source.ebmlText(part)
      default: break
      }
    }
  }
}
