package import ByteReading
package import MediaModel

/// The description of an AVI (Microsoft, "AVI RIFF File Reference"; OpenDML AVI File Format Extensions).
///
/// Media data and indexes are not read.
package struct AVIFile {
  private(set) var streams: [AVIStream] = []
  /// Tags by FFmpeg's names.
  private(set) var tags: [MetadataEntry] = []
  /// Microseconds of one frame, which replace a stream's rate if that is missing.
  private var framePeriod: UInt32 = 0
  /// Whether the file is shorter than its header says.
  package private(set) var isTruncated = false
  private let source: any ByteSource

  private static let maximumFormat = 64 << 10
  private static let maximumDepth = 4

  /// - Throws: ``ContainerError`` for a file that is not an AVI; the errors of the source.
  package init(_ source: any ByteSource) throws {
    self.source = source
    guard let (file, next) = try source.chunk(at: 0, before: source.count), file.listType == "AVI "
    else { throw ContainerError.notThisFormat("RIFF AVI file") }
    // The file's recorded size is 0 or wrong in recordings that were never finished.
    for chunk in try source.chunks(in: file.payload.lowerBound..<source.count, limit: 64) {
      if chunk.listType == "movi" { break }
      switch chunk.listType {
      case "hdrl", "strl": try read(header: chunk, depth: 0)
      case "INFO": try read(information: chunk)
      default: break
      }
    }
    // Frames are missing at the end of a truncated file.
    isTruncated = next > source.count
    if isTruncated {
      for index in streams.indices {
        streams[index].length *= Double(source.count) / Double(next)
        streams[index].length.round()
      }
    }
  }

  private mutating func read(header list: RIFFChunk, depth: Int) throws {
    for chunk in try source.chunks(in: list.payload, limit: 256) {
      switch chunk.listType ?? chunk.type {
      case "hdrl", "strl":
        guard depth < Self.maximumDepth else { return }
        try read(header: chunk, depth: depth + 1)
      case "avih":
        framePeriod =
          try source.bytes(at: chunk.payload.lowerBound, count: 4).u32(at: 0, .little) ?? 0
      case "strh":
        guard let content = try source.bytes(in: chunk.payload, limit: Self.maximumFormat),
          let stream = AVIStream(content, framePeriod: framePeriod)
        else { continue }
        streams.append(stream)
      case "strf":
        guard let content = try source.bytes(in: chunk.payload, limit: Self.maximumFormat),
          !streams.isEmpty
        else { continue }
        streams[streams.count - 1].read(format: content)
      case "strn":
        guard !streams.isEmpty else { continue }
        streams[streams.count - 1].name =
          try source.bytes(in: chunk.payload, limit: 1024)?.trimmedText
      case "vprp":
        guard !streams.isEmpty else { continue }
        streams[streams.count - 1].read(
          properties: try source.bytes(at: chunk.payload.lowerBound, count: 32))
      case "INFO": try read(information: chunk)
      case "IDIT":
        guard let text = try source.bytes(in: chunk.payload, limit: 256)?.trimmedText
        else { continue }
        add("creation_time", Self.isoDate(text))
      case "ncdt": try read(nikon: chunk)
      default: break
      }
    }
  }

  /// FFmpeg's names of the tags in an `INFO` list. Other tags keep their names.
  private static let names: [FourCC: String] = [
    "IART": "artist", "ICMT": "comment", "ICOP": "copyright", "ICRD": "date", "IGNR": "genre",
    "ILNG": "language", "INAM": "title", "IPRD": "album", "IPRT": "track", "ITRK": "track",
    "ISFT": "software", "ISMP": "timecode", "ITCH": "encoded_by",
  ]

  private mutating func read(information list: RIFFChunk) throws {
    for chunk in try source.chunks(in: list.payload, limit: 256) where chunk.listType == nil {
      guard let text = try source.bytes(in: chunk.payload, limit: 64 << 10)?.text, !text.isEmpty
      else { continue }
      add(Self.names[chunk.type] ?? chunk.type.description, text)
    }
  }

  /// Reads Nikon's tags: a 16-bit number, a 16-bit length, and a text (exiftool's Nikon.pm, `AVITags`).
  private mutating func read(nikon list: RIFFChunk) throws {
    for chunk in try source.chunks(in: list.payload, limit: 16) where chunk.type == "nctg" {
      guard let content = try source.bytes(in: chunk.payload, limit: Self.maximumFormat)
      else { continue }
      var position = 0
      while let tag = content.u16(at: position, .little),
        let length = content.u16(at: position + 2, .little),
        let value = content.bytes(at: position + 4, count: Int(length))
      {
        switch tag {
        case 0x03: add("maker", value.trimmedText)
        case 0x04: add("model", value.trimmedText)
        case 0x13: add("creation_time", value.trimmedText.flatMap(Self.isoDate))
        default: break
        }
        position += 4 + Int(length)
      }
    }
  }

  private mutating func add(_ key: String, _ value: String?) {
    guard let value else { return }
    tags.removeAll { $0.key == key }
    tags.append(MetadataEntry(key: key, value: value))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// A camera's date as ISO 8601: from `Fri Mar 10 15:04:05 2006` or `2006:03:10 15:04:05`. Nil for other forms.
  private static func isoDate(_ text: String) -> String? {
    let words = text.split(separator: " ")
    if words.count == 5, let month = months.firstIndex(of: String(words[1])),
      let day = Int(words[2]),
      let year = Int(words[4]), (0...9999).contains(year), (1...31).contains(day)
    {
      func padded(_ number: Int, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
      }
      return padded(year, 4) + "-" + padded(month + 1, 2) + "-" + padded(day, 2) + " " + words[3]
    }
    var characters = Array(text.unicodeScalars)
    guard characters.count > 8, characters[4] == ":", characters[7] == ":" else { return nil }
    (characters[4], characters[7]) = ("-", "-")
    return String(String.UnicodeScalarView(characters))
  }

  /// Whether the header leaves streams open: it lists none that can be read, or one of DV with audio inside.
  package var hasOpenStreams: Bool {
    streams.isEmpty || streams.contains { $0.type == "iavs" || $0.type == "ivas" }
  }

  /// Whether only the coded pictures of a video record the shape of a pixel.
  package var hasOpenPixelAspect: Bool { streams.contains(where: \.hasOpenPixelAspect) }

  /// The streams and tags as FFmpeg's AVI demuxer reports them, with FFmpeg's names.
  package var movie: Movie {
    let streams = streams.map(\.stream)
    return Movie(
      duration: streams.compactMap(\.duration).max(), streams: streams, metadata: tags)
  }
}

/// One stream of an AVI, by its `strh` and `strf` chunks.
struct AVIStream: Sendable, Hashable {
  /// `vids`, `auds`, `txts`; `iavs` for DV with audio inside.
  var type: FourCC
  /// Units of ``length`` per second.
  private var rate: UInt32
  private var scale: UInt32
  /// The number of frames; 0 if it counts bytes of audio.
  fileprivate(set) var length: Double
  fileprivate var name: String?
  private var codec: String?
  private var tag: FourCC?
  private var size: PixelSize?
  private var pixelAspect: Double?
  private var hasProperties = false

  /// Whether only the coded pictures record the shape of a pixel.
  fileprivate var hasOpenPixelAspect: Bool {
    type == "vids" && !hasProperties && VideoParameters.hasPixelAspect(codec: codec)
  }

  fileprivate init?(_ header: [UInt8], framePeriod: UInt32) {
    guard let type = header.fourCC(at: 0), let scale = header.u32(at: 20, .little),
      let rate = header.u32(at: 24, .little), let length = header.u32(at: 32, .little)
    else { return nil }
    self.type = type
    (self.rate, self.scale) = (rate, scale)
    if scale == 0 || rate == 0 {
      (self.rate, self.scale) = framePeriod == 0 ? (25, 1) : (1_000_000, framePeriod)
    }
    let sampleSize = header.u32(at: 44, .little) ?? 0
    self.length = type == "auds" && sampleSize > 0 ? 0 : Double(length)
  }

  fileprivate mutating func read(format: [UInt8]) {
    switch type {
    case "vids":
      guard let width = format.i32(at: 4, .little), let height = format.i32(at: 8, .little),
        let compression = format.fourCC(at: 16)
      else { return }
      if width > 0, height != 0, width < 1 << 20, height.magnitude < 1 << 20 {
        size = PixelSize(width: Int(width), height: Int(height.magnitude))
      }
      (codec, tag) = (windowsVideoCodec(compression), compression)
    case "auds":
      guard var number = format.u16(at: 0, .little) else { return }
      // An extensible format has the number at the start of an identifier.
      if number == 0xFFFE { number = format.u16(at: 24, .little) ?? number }
      codec = windowsAudioCodec(Int(number), bits: Int(format.u16(at: 14, .little) ?? 8))
    default: break
    }
  }

  /// Reads the shape of the frame from a `vprp` chunk (OpenDML §5.0).
  fileprivate mutating func read(properties: [UInt8]) {
    guard let bottom = properties.u16(at: 20, .little), let top = properties.u16(at: 22, .little),
      let width = properties.u32(at: 24, .little), let height = properties.u32(at: 28, .little),
      bottom > 0, top > 0, width > 0, height > 0
    else { return }
    hasProperties = true
    let aspect = Double(top) / Double(bottom) * Double(height) / Double(width)
    pixelAspect = aspect == 1 ? nil : aspect
  }

  fileprivate var stream: MovieStream {
    var stream = MovieStream(
      kind: type == "vids" ? .video : type == "auds" ? .audio : type == "txts" ? .subtitle : .data)
    stream.codec = codec
    stream.tag = tag.flatMap { $0.isPlausible ? $0.description : nil }
    stream.duration = length > 0 ? length * Double(scale) / Double(rate) : nil
    if let name { stream.metadata = [MetadataEntry(key: "title", value: name)] }
    guard stream.kind == .video else { return stream }
    stream.size = size
    stream.pixelAspect = pixelAspect
    stream.frameRate = Double(rate) / Double(scale)
    stream.dynamicRange = DynamicRange(codec: codec, container: nil, nil)
    return stream
  }
}
