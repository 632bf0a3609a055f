package import ByteReading
package import MediaModel

/// The description of an MPEG program stream (ISO/IEC 13818-1 §2.5; MPEG-1: ISO/IEC 11172-1): its streams and their
/// times.
///
/// A program stream does not list its streams. They are found by their packets at the beginning of the file; the last
/// times are at its end.
package struct MPEGProgramStream {
  /// As much of the beginning is read as all streams need, but at most the last number of bytes.
  private static let headSizes = [1 << 20, 5 << 20]
  /// The same for the end.
  private static let tailSizes = [512 << 10, 4 << 20]
  private static let maximumStreams = 64
  /// Bytes of a packet that are used.
  private static let maximumPacket = 64 << 10

  private(set) var streams: [MPEGElementaryStream] = []
  /// `stream_type` by `stream_id`, from the program stream map.
  private var mappedTypes: [UInt8: UInt8] = [:]

  /// - Throws: ``ContainerError`` for a file without any stream; the errors of the source.
  package init(_ source: any ByteSource) throws {
    guard try source.bytes(at: 0, count: 4) == [0, 0, 1, 0xBA] else {
      throw ContainerError.notThisFormat("MPEG program stream")
    }
    for size in Self.headSizes {
      (streams, mappedTypes) = ([], [:])
      let head = try source.bytes(at: 0, count: size)
      visit(head, from: 0, isTail: false)
      let hasAll = !streams.isEmpty && streams.allSatisfy(\.isComplete)
      if hasAll || source.count <= UInt64(size) { break }
    }
    guard !streams.isEmpty else { throw ContainerError.damaged("has no video or audio packets") }
    for size in Self.tailSizes {
      let tail = try source.bytes(
        at: source.count - min(source.count, UInt64(size)), count: size)
      // Other start codes may be inside a packet that is cut off here.
      guard let start = tail.firstIndex(of: [0, 0, 1, 0xBA]) else { continue }
      visit(tail, from: start, isTail: true)
      let isSound = { (stream: MPEGElementaryStream) in
        stream.kind == .video || stream.kind == .audio
      }
      if streams.filter(isSound).allSatisfy(\.hasTimeInTail) || source.count <= UInt64(size) {
        break
      }
    }
  }

  /// Visits the packets of some bytes from an offset on.
  private mutating func visit(_ bytes: [UInt8], from start: Int, isTail: Bool) {
    var position = start
    while let code = bytes.firstIndex(of: [0, 0, 1], from: position),
      let kind = bytes.u8(at: code + 3)
    {
      position = code + 4
      // Packs have no length; their headers contain no start code. Codes below are those of video.
      guard kind >= 0xBB, let length = bytes.u16(at: position) else { continue }
      let end = min(position + 2 + Int(length), bytes.count)
      let packet = bytes[code..<min(end, code + Self.maximumPacket)]
      switch kind {
      case 0xBC: if !isTail { read(map: Array(packet)) }
      case 0xBD, 0xC0...0xEF, 0xFD: take(packet, identifier: kind, isTail: isTail)
      default: break
      }
      // A video packet of unknown length, and one that is damaged, ends at the next start code.
      position = length == 0 ? position : end
    }
  }

  /// Takes one packet of an elementary stream.
  private mutating func take(_ packet: ArraySlice<UInt8>, identifier: UInt8, isTail: Bool) {
    guard let header = MPEGPacketHeader(packet) else { return }
    var content = packet.dropFirst(header.length)
    var number = Int(identifier)
    if identifier == 0xBD {
      guard let part = DVDSubstream(content) else { return }
      content = content.dropFirst(part.headerLength)
      number = number << 8 | part.number
    }
    if let index = streams.firstIndex(where: { $0.identifier == number }) {
      streams[index].take(content, header, isTail: isTail)
      return
    }
    guard !isTail, streams.count < Self.maximumStreams, var stream = stream(number)
    else { return }
    stream.take(content, header, isTail: isTail)
    streams.append(stream)
  }

  /// A new stream; nil for padding, navigation data and unknown private data.
  private func stream(_ number: Int) -> MPEGElementaryStream? {
    let mapped = mappedTypes[UInt8(truncatingIfNeeded: number)].flatMap {
      MPEGElementaryStream.standardTypes[$0]
    }
    let found: (kind: MovieStream.Kind, codec: String?)? =
      switch number {
      case 0xC0...0xDF: mapped ?? (.audio, "mp2")
      case 0xE0...0xEF: mapped ?? (.video, nil)
      // Extended streams: VC-1 and others of HD DVDs.
      case 0xFD: (.video, nil)
      case 0xBD00...0xBDFF: DVDSubstream.kind(number & 0xFF)
      default: nil
      }
    // Maps do not distinguish MPEG-1 and MPEG-2 reliably.
    let isSearched = found?.codec == "mpeg1video" || found?.codec == "mpeg2video"
    return found.map {
      MPEGElementaryStream(
        identifier: number, kind: $0.kind, codec: isSearched ? nil : $0.codec,
        areFramesPackets: false)
    }
  }

  /// Reads the types of the streams from a program stream map (§2.5.4).
  private mutating func read(map packet: [UInt8]) {
    guard let information = packet.u16(at: 8) else { return }
    let start = 12 + Int(information)
    guard let length = packet.u16(at: start - 2) else { return }
    var position = start
    while position < start + Int(length), let type = packet.u8(at: position),
      let identifier = packet.u8(at: position + 1), let size = packet.u16(at: position + 2)
    {
      mappedTypes[identifier] = type
      position += 4 + Int(size)
    }
  }
}

extension MPEGProgramStream {
  /// The streams as FFmpeg's demuxer reports them, with FFmpeg's names. The size of a video with unknown parameters is
  /// nil.
  package var movie: Movie { Movie(streams) }
}

/// A stream in the packets of private stream 1, as on DVDs (libavformat/mpeg.c).
private struct DVDSubstream {
  /// The first byte of the payload.
  var number: Int
  /// Bytes before the stream's data.
  var headerLength: Int

  /// Nil for an empty packet.
  init?(_ content: ArraySlice<UInt8>) {
    guard let first = content.first else { return nil }
    number = Int(first)
    // Some programs write AC-3 without the header.
    if content.starts(with: [0x0B, 0x77]) {
      (number, headerLength) = (0x80, 0)
      return
    }
    headerLength = 1
    if (0x80...0xCF).contains(first) { headerLength = (0xB0...0xBF).contains(first) ? 5 : 4 }
  }

  static func kind(_ number: Int) -> (kind: MovieStream.Kind, codec: String?)? {
    switch number {
    case 0x20...0x3F: (.subtitle, "dvd_subtitle")
    case 0x80...0x87, 0xC0...0xCF: (.audio, "ac3")
    case 0x88...0x8F, 0x98...0x9F: (.audio, "dts")
    case 0xA0...0xAF: (.audio, "pcm_dvd")
    case 0xB0...0xBF: (.audio, "truehd")
    default: nil
    }
  }
}
