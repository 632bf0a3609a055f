package import ByteReading
package import MediaModel

/// The description of an ASF file: its header, and a few of its packets (Advanced Systems Format Specification, revision
/// 01.20.05).
package struct ASFFile {
  private(set) var streams: [ASFStream] = []
  private var attributes: [ASFAttribute] = []
  private var tags: [MetadataEntry] = []
  private var properties: ASFFileProperties?
  /// Values of streams by their number, which may precede the streams.
  private var rates: [Int: Double] = [:]
  private let source: any ByteSource

  private static let maximumObjects = 256
  private static let maximumStreams = 128
  /// Bytes of objects in the header that may still be read. Covers are among them.
  private var readable = 16 << 20
  private static let maximumTags = 1000

  /// - Throws: ``ContainerError`` for a file without streams in its header; the errors of the source.
  package init(_ source: any ByteSource) throws {
    self.source = source
    guard let header = try source.asfObject(at: 0, before: source.count),
      header.identifier == .header
    else { throw ContainerError.notThisFormat("Windows Media file") }
    // A number of objects and two reserved bytes precede them.
    let end = try readObjects(in: header.content.dropping(6))
    guard !streams.isEmpty else {
      throw header.next > source.count
        ? ContainerError.truncatedHeader : .damaged("has no streams in its header")
    }
    // The streams of video may be in the part that cannot be read.
    if end != header.next, !streams.contains(where: { $0.kind == .video }) {
      throw header.next > source.count
        ? ContainerError.truncatedHeader : .damaged("has a damaged header")
    }
    describeStreams()
    try readPackets(from: header.next)
  }

  /// Returns the offset after the last object.
  private mutating func readObjects(in range: Range<UInt64>) throws -> UInt64 {
    let objects = try source.asfObjects(in: range, limit: Self.maximumObjects)
    for object in objects {
      if object.identifier == .headerExtension {
        // A reserved identifier and number, and the length of the objects.
        try readObjects(inExtension: object.content.dropping(22))
      } else {
        try read(object)
      }
    }
    return objects.last?.next ?? range.lowerBound
  }

  private mutating func readObjects(inExtension range: Range<UInt64>) throws {
    for object in try source.asfObjects(in: range, limit: Self.maximumObjects) { try read(object) }
  }

  private mutating func read(_ object: ASFObject) throws {
    let isUsed: Set<ASFIdentifier> = [
      .fileProperties, .streamProperties, .extendedStream, .content, .extendedContent, .metadata,
      .metadataLibrary,
    ]
    guard isUsed.contains(object.identifier),
      let content = try source.bytes(in: object.content, limit: readable)
    else { return }
    readable -= content.count
    switch object.identifier {
    case .fileProperties: properties = ASFFileProperties(content) ?? properties
    case .streamProperties: add(ASFStream(content))
    case .extendedStream: read(extendedStream: content)
    case .content: read(description: content)
    case .extendedContent: add(ASFAttribute.extendedContent(content))
    default: add(ASFAttribute.metadata(content))
    }
  }

  private mutating func add(_ stream: ASFStream?) {
    guard let stream, streams.count < Self.maximumStreams,
      !streams.contains(where: { $0.number == stream.number })
    else { return }
    streams.append(stream)
  }

  private mutating func add(_ found: [ASFAttribute]) {
    attributes += found.prefix(Self.maximumTags - min(Self.maximumTags, attributes.count))
  }

  /// Reads an Extended Stream Properties Object (§4.1): the average time of a frame in units of 100 ns, and the stream's
  /// own object if it is hidden in it.
  private mutating func read(extendedStream content: [UInt8]) {
    guard let number = content.u16(at: 48, .little), let frame = content.u64(at: 52, .little),
      let names = content.u16(at: 60, .little), let systems = content.u16(at: 62, .little)
    else { return }
    if frame > 0, frame < 1 << 40 { rates[Int(number & 0x7F)] = 10_000_000 / Double(frame) }
    var position = 64
    for _ in 0..<names {
      guard let length = content.u16(at: position + 2, .little) else { return }
      position += 4 + Int(length)
    }
    for _ in 0..<systems {
      guard let length = content.u32(at: position + 18, .little) else { return }
      position += 22 + Int(length)
    }
    guard ASFIdentifier(content, at: position) == .streamProperties else { return }
    add(ASFStream(content.bytes(from: position + 24)))
  }

  /// Reads a Content Description Object (§3.10): the lengths of five texts, and the texts.
  private mutating func read(description content: [UInt8]) {
    var position = 10
    for (index, key) in ["title", "artist", "copyright", "comment"].enumerated() {
      guard let length = content.u16(at: index * 2, .little),
        let bytes = content.bytes(at: position, count: Int(length))
      else { return }
      position += Int(length)
      let text = utf16Text(bytes, .little)
      if !text.isEmpty { tags.append(MetadataEntry(key: key, value: text)) }
    }
  }

  /// Adds the values in other objects to the streams.
  private mutating func describeStreams() {
    for index in streams.indices where streams[index].kind == .video {
      streams[index].frameRate = rates[streams[index].number].map(usualFrameRate(near:))
      // The number 0 describes all streams.
      for number in [streams[index].number, 0] {
        guard let x = positiveNumber(of: "AspectRatioX", stream: number),
          let y = positiveNumber(of: "AspectRatioY", stream: number)
        else { continue }
        streams[index].pixelAspect = Double(x) / Double(y)
        break
      }
    }
  }

  /// An attribute of a stream; nil for 0 and for a text.
  private func positiveNumber(of name: String, stream: Int) -> UInt64? {
    let found = attributes.first { $0.stream == stream && $0.name == name }
    guard case .number(let value)? = found?.value, value > 0 else { return nil }
    return value
  }
}

extension ASFFile {
  /// Packets at the beginning that are read to measure the rate of frames.
  private static let maximumPackets = 256
  private static let measuredFrames = 24
  private static let packetSizes: ClosedRange<UInt64> = 32...64 << 10

  /// Measures what the header does not record: the rate of frames, and the duration of a file that is cut off or was
  /// never finished.
  private mutating func readPackets(from position: UInt64) throws {
    guard let properties, Self.packetSizes.contains(properties.packetSize),
      let data = try source.asfObject(at: position, before: source.count), data.identifier == .data
    else { return }
    // The file's identifier, the number of packets, and two reserved bytes.
    let start = data.content.dropping(26).lowerBound
    let size = properties.packetSize
    let whole = (source.count - min(source.count, start)) / size
    let video = streams.firstIndex { $0.kind == .video }
    if let video, streams[video].frameRate == nil {
      var times: Set<UInt32> = []
      // The last packet of a truncated file begins like the others.
      for index in 0..<min(whole + 1, UInt64(Self.maximumPackets)) {
        guard times.count < Self.measuredFrames else { break }
        let bytes = try source.bytes(at: start + index * size, count: Int(size))
        guard let packet = ASFPacket(bytes) else { break }
        times.formUnion(
          packet.starts.filter { $0.stream == streams[video].number }.map(\.time))
      }
      if let first = times.min(), let last = times.max(), last > first {
        streams[video].frameRate = usualFrameRate(
          near: Double(times.count - 1) * 1000 / Double(last - first))
      }
    }
    guard properties.duration(fileSize: source.count) == nil, whole > 0 else { return }
    let last = try source.bytes(at: start + (whole - 1) * size, count: Int(size))
    self.properties?.lastTime = ASFPacket(last).map { $0.starts.map(\.time).max() ?? $0.sendTime }
  }

  /// The streams and tags as FFmpeg's demuxer reports them, with FFmpeg's names.
  package var movie: Movie {
    let seconds = properties?.duration(fileSize: source.count) ?? properties?.measuredDuration
    var metadata = tags + attributes.filter { $0.stream == 0 }.compactMap(\.tag)
    if let date = properties?.creationDate {
      metadata.append(MetadataEntry(key: "creation_time", value: date))
    }
    return Movie(
      duration: seconds, streams: streams.map { $0.stream(duration: seconds) }, metadata: metadata)
  }
}

/// The File Properties Object (§3.2).
struct ASFFileProperties {
  private let fileSize: UInt64
  /// Units of 100 ns since 1601-01-01 UTC.
  private let creationTime: UInt64
  /// In units of 100 ns, with the preroll.
  private let playDuration: UInt64
  /// Milliseconds by which all times are later.
  private let preroll: UInt64
  /// Whether the file was never finished, so that the other numbers are not valid.
  private let isBroadcast: Bool
  let packetSize: UInt64
  /// Milliseconds at which the last packet is shown, with the preroll.
  fileprivate(set) var lastTime: UInt32?

  init?(_ content: [UInt8]) {
    guard let fileSize = content.u64(at: 16, .little),
      let creationTime = content.u64(at: 24, .little),
      let playDuration = content.u64(at: 40, .little), let preroll = content.u64(at: 56, .little),
      let flags = content.u32(at: 64, .little), let packetSize = content.u32(at: 68, .little)
    else { return nil }
    (self.fileSize, self.creationTime) = (fileSize, creationTime)
    (self.playDuration, self.preroll) = (playDuration, preroll)
    (isBroadcast, self.packetSize) = (flags & 1 != 0, UInt64(packetSize))
  }

  /// Seconds by the header; nil if the file was never finished, or if its size differs by 5% or more from the
  /// recorded one, as FFmpeg decides.
  func duration(fileSize actual: UInt64) -> Double? {
    guard !isBroadcast else { return nil }
    if fileSize > 0, actual > 0 {
      let difference = max(actual, fileSize) - min(actual, fileSize)
      guard Double(difference) / Double(min(actual, fileSize)) < 0.05 else { return nil }
    }
    let milliseconds = playDuration / 10_000
    return milliseconds > preroll ? Double(milliseconds - preroll) / 1000 : nil
  }

  /// Seconds up to the last packet; nil if it was not read.
  var measuredDuration: Double? {
    lastTime.flatMap { UInt64($0) > preroll ? Double(UInt64($0) - preroll) / 1000 : nil }
  }

  /// Seconds from 1601 to 1970.
  private static let windowsEpoch: Int64 = 11_644_473_600

  /// The creation date in ISO 8601, UTC; nil for 0 and for a date before 1970, long before the format.
  var creationDate: String? {
    guard let seconds = Int64(exactly: creationTime / 10_000_000), seconds > Self.windowsEpoch
    else { return nil }
    return CivilTime(secondsSince1970: seconds - Self.windowsEpoch).iso8601 + "Z"
  }
}
