import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

extension AVIFormat: RedactableFormat {
  static func redaction(
    _ policy: MetadataPolicy, _ type: UniformType, _ source: any ByteSource
  ) throws -> Redaction {
    try AVIRedaction.find(policy, in: source)
  }
}

/// Finds what a policy removes from an AVI. Only known chunks stay. Others become `JUNK`
/// chunks of zeros of the same size.
struct AVIRedaction {
  private static let header: Set<FourCC> = ["avih", "strh", "strf", "strn", "indx", "vprp", "dmlh"]
  private static let headerLists: Set<FourCC> = ["hdrl", "strl", "odml"]
  /// Tags of the `INFO` list that stay unless their text records a place or is a caption.
  private static let harmless: Set<FourCC> = [
    "IARL", "IART", "ICMS", "ICMT", "ICOP", "ICRD", "IENG", "IGNR", "IKEY", "IMED", "INAM", "IPRD",
    "ISBJ", "ISFT", "ISRC", "ITCH", "IDIT", "ISMP", "ILNG",
  ]

  private let source: any ByteSource
  private let policy: MetadataPolicy
  private var redaction = Redaction()

  /// Chunks that are erased.
  private static let maximumErased = 500_000
  /// Lengths in bytes of headers that have a fixed one, by the documentation of AVI and OpenDML.
  private static let lengths: [FourCC: Int] = ["avih": 56, "strh": 56, "dmlh": 248]
  private static let maximumFormat = 1 << 20

  /// The number of streams that have a header.
  private var streams = 0
  /// Streams of H.264 and HEVC by number.
  private var videos: [Int: VideoUserData] = [:]
  /// Streams of video in other codecs, each of whose frames may be a picture with metadata of its own, and whether
  /// their headers say so.
  private var pictures: [Int: Bool] = [:]
  private var unitCount = 0
  private var erased = 0

  /// - Throws: ``RedactionRefusal`` for a movie with streams of data; ``ContainerError`` for a file that is not
  ///   an AVI; what the source throws.
  static func find(_ policy: MetadataPolicy, in source: any ByteSource) throws -> Redaction {
    let head = try source.bytes(at: 0, count: 12)
    guard head.hasText("RIFF"), head.hasText("AVI ", at: 8) else {
      throw ContainerError.notThisFormat("RIFF AVI file")
    }
    var found = AVIRedaction(source: source, policy: policy)
    try found.visitAll(in: 0..<source.count) { found, part in
      if part.listType == "AVI " || part.listType == "AVIX" {
        try found.visitAll(in: part.payload) { try $0.visit($1) }
      } else {
        try found.erase(part)
      }
    }
    return found.redaction
  }

  /// Visits the chunks of a range and clears what follows the last of them.
  private mutating func visitAll(
    in range: Range<UInt64>, _ visit: (inout AVIRedaction, RIFFChunk) throws -> Void
  ) throws {
    var position = range.lowerBound
    while let (chunk, next) = try source.chunk(at: position, before: range.upperBound) {
      try visit(&self, chunk)
      // Chunks begin at even offsets.
      if next > chunk.payload.upperBound {
        redaction.fill(chunk.payload.upperBound..<min(next, range.upperBound))
      }
      position = next
    }
    if position < range.upperBound { redaction.fill(position..<range.upperBound) }
  }

  private init(source: any ByteSource, policy: MetadataPolicy) {
    self.source = source
    self.policy = policy
  }

  private mutating func visit(_ chunk: RIFFChunk) throws {
    switch chunk.listType ?? chunk.type {
    case "idx1": try redaction.blankPlaces(in: chunk.payload, of: source, policy)
    case "movi": try visit(data: chunk, depth: 0)
    case "hdrl": try visit(header: chunk, depth: 0)
    case "INFO" where policy != .appearanceOnly: try visit(information: chunk)
    case "_PMX" where policy != .appearanceOnly:
      guard let packet = try source.bytes(in: chunk.payload, limit: 64 << 20)
      else { return try erase(chunk) }
      redaction.overwrite(
        at: chunk.payload.lowerBound, with: XMPRedaction.removing(policy, from: packet))
    default: try erase(chunk)
    }
  }

  private mutating func erase(_ chunk: RIFFChunk) throws {
    erased += 1
    guard erased < Self.maximumErased else {
      throw RedactionRefusal("The movie has too many parts of unknown kinds.")
    }
    redaction.overwrite(at: chunk.start, with: Array("JUNK".utf8))
    redaction.fill((chunk.start + 8)..<chunk.payload.upperBound)
  }

  /// Visits the list of the streams' data. Only chunks and indexes of streams with a header stay.
  private mutating func visit(data list: RIFFChunk, depth: Int) throws {
    try visitAll(in: list.payload) { found, chunk in
      if chunk.listType == "rec ", depth == 0 {
        try found.visit(data: chunk, depth: 1)
      } else if let stream = found.stream(ofData: chunk.type) {
        if chunk.type.bytes.hasText("ix") {
          try found.redaction.blankPlaces(in: chunk.payload, of: found.source, found.policy)
        } else {
          try found.visit(frame: chunk.payload, ofStream: stream)
        }
      } else {
        try found.erase(chunk)
      }
    }
  }

  /// The number of the stream whose data, palette, or index a chunk contains: `00dc`, `01wb`, `ix00`.
  private func stream(ofData type: FourCC) -> Int? {
    let name = type.bytes
    let isIndex = name.hasText("ix")
    guard let number = Int(Array(name[isIndex ? 2..<4 : 0..<2]).text, radix: 16), number < streams,
      isIndex || ["db", "dc", "dd", "wb", "pc", "iv", "__"].contains(Array(name[2..<4]).text)
    else { return nil }
    return number
  }

  /// Overwrites the user data in a chunk of video, or the metadata of a picture.
  private mutating func visit(frame data: Range<UInt64>, ofStream number: Int) throws {
    if let video = videos[number] {
      try video.erase(in: data, of: source, count: &unitCount, &redaction)
    } else if let isNamed = pictures[number] {
      let frame = source.part(data.clamped(to: 0..<source.count))
      redaction.add(
        try PictureFrame.redaction(policy, of: frame, depth: 0, isNamed: isNamed),
        at: data.lowerBound)
    }
  }

  private mutating func visit(header list: RIFFChunk, depth: Int) throws {
    try visitAll(in: list.payload) { found, chunk in
      if let kind = chunk.listType, Self.headerLists.contains(kind), depth < 4 {
        try found.visit(header: chunk, depth: depth + 1)
      } else if chunk.type == "IDIT", found.policy != .appearanceOnly {
        if try found.recordsPlace(chunk) { try found.erase(chunk) }
      } else if !Self.header.contains(chunk.type) {
        try found.erase(chunk)
      } else if chunk.type == "strn" {
        // The title of a stream.
        if try found.policy.removesCaptions || found.recordsPlace(chunk) { try found.erase(chunk) }
      } else {
        try found.redaction.blankPlaces(in: chunk.payload, of: found.source, found.policy)
        if let length = Self.lengths[chunk.type] {
          found.redaction.fill(chunk.payload.dropping(length))
        }
        if chunk.type == "strh" { try found.visit(stream: chunk) }
        if chunk.type == "strf" { try found.visit(format: chunk) }
      }
    }
  }

  private mutating func visit(stream header: RIFFChunk) throws {
    let kind = try source.bytes(at: header.payload.lowerBound, count: 4).text
    guard !policy.removesLocation || ["vids", "auds", "iavs"].contains(kind) else {
      throw RedactionRefusal(
        """
        The movie has a stream of data that may record places and cannot be taken out of a \
        copy; the video preset `compatible` makes a new video without it.
        """
      )
    }
    if kind == "vids" { pictures[streams] = false }
    streams += 1
  }

  /// Finds out whether the last stream is H.264 or HEVC, and overwrites the user data in its configuration.
  private mutating func visit(format chunk: RIFFChunk) throws {
    guard let content = try source.bytes(in: chunk.payload, limit: Self.maximumFormat) else {
      throw RedactionRefusal(
        "The description of a stream is too long, so \(policy.removedText) in it cannot be found.")
    }
    if pictures[streams - 1] != nil, let type = content.fourCC(at: 16) {
      pictures[streams - 1] = PictureFrame.codecs.contains(type)
    }
    guard policy.removesLocation, let codec = VideoUserData.Codec(bitmapHeader: content)
    else { return }
    let configuration = content.bytes(from: VideoUserData.bitmapHeaderSize)
    let video = VideoUserData(codec, configuration: configuration)
    videos[streams - 1] = video
    let offset = chunk.payload.lowerBound + UInt64(VideoUserData.bitmapHeaderSize)
    video.erase(inConfiguration: configuration, at: offset, &redaction)
  }

  /// Whether a text records a place that must not stay; true for a text that is too long to check.
  private func recordsPlace(_ chunk: RIFFChunk) throws -> Bool {
    guard policy.removesLocation else { return false }
    let text = try source.bytes(in: chunk.payload, limit: 1 << 20)
    return text.map { policy.removes(text: $0) } ?? true
  }

  private mutating func visit(information list: RIFFChunk) throws {
    try visitAll(in: list.payload) { found, chunk in
      let isCaption = CaptionDetection.informationTags.contains(chunk.type)
      guard Self.harmless.contains(chunk.type), try !found.recordsPlace(chunk),
        !isCaption || !found.policy.removesCaptions
      else {
        return try found.erase(chunk)
      }
    }
  }
}
