package import ByteReading
package import MediaModel

/// The description of an MPEG-2 transport stream (ISO/IEC 13818-1): the streams of its program, and their times.
///
/// The beginning and the end of the file are read.
package struct MPEGTransportStream {
  /// The beginning is read in pieces until the parameters of all streams are known.
  private static let pieceSize = 512 << 10
  private static let maximumHead = 4 << 20
  private static let tailSize = 512 << 10
  private static let maximumStreams = 64

  private(set) var streams: [MPEGElementaryStream] = []
  private var programTables: Set<Int> = []
  private var sections: [Int: [UInt8]] = [:]

  /// - Throws: ``ContainerError`` for a file with none or several programs; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: ContentType.headSize)
    guard let packets = MPEGTransportPackets(head: head) else {
      throw ContainerError.notThisFormat("MPEG transport stream")
    }
    var position: UInt64 = 0
    while position < min(source.count, UInt64(Self.maximumHead)), !hasAllParameters {
      let piece = try source.bytes(at: position, count: Self.pieceSize)
      let visited = packets.visit(in: piece) { take($0, isTail: false) }
      guard visited > 0 else { break }
      position += UInt64(visited)
    }
    guard !streams.isEmpty, programTables.count == 1 else {
      throw ContainerError.damaged("has no streams, or several programs")
    }
    let tail = source.count - min(source.count, UInt64(Self.tailSize))
    let bytes = try source.bytes(at: tail, count: Self.tailSize)
    _ = packets.visit(in: bytes) { take($0, isTail: true) }
  }

  private var hasAllParameters: Bool {
    !streams.isEmpty && streams.allSatisfy(\.isComplete)
  }

  /// Takes one packet (§2.4.3.2).
  private mutating func take(_ packet: ArraySlice<UInt8>, isTail: Bool) {
    let first = packet.startIndex
    let isStart = packet[first + 1] & 0x40 != 0
    let identifier = Int(packet[first + 1] & 0x1F) << 8 | Int(packet[first + 2])
    let control = packet[first + 3]
    // Scrambled packets, and those without a payload.
    guard control & 0xC0 == 0, control & 0x10 != 0 else { return }
    let header = control & 0x20 == 0 ? 4 : 5 + Int(packet[first + 4])
    guard header < MPEGTransportPackets.size else { return }
    let payload = packet[(first + header)...]
    if let index = streams.firstIndex(where: { $0.identifier == identifier }) {
      streams[index].take(payload, isStart: isStart, isTail: isTail)
    } else if !isTail, identifier == 0 || programTables.contains(identifier) {
      take(section: payload, identifier, isStart: isStart)
    }
  }

  /// Collects a section of a table (§2.4.4), and reads it when it is complete.
  private mutating func take(section payload: ArraySlice<UInt8>, _ identifier: Int, isStart: Bool) {
    if isStart {
      let pointer = Int(payload.first ?? 0)
      sections[identifier] = Array(payload.dropFirst(1 + pointer))
    } else {
      guard sections[identifier] != nil else { return }
      sections[identifier]? += payload
    }
    guard let section = sections[identifier], let length = section.u16(at: 1),
      let content = section.bytes(at: 0, count: 3 + Int(length & 0xFFF))
    else { return }
    sections[identifier] = nil
    // The last four bytes are a checksum.
    let body = Array(content.dropLast(4))
    if identifier == 0, body.first == 0 { read(association: body) }
    if identifier != 0, body.first == 2, streams.isEmpty { read(programMap: body) }
  }

  /// Reads the identifiers of the programs' tables (§2.4.4.3). Program 0 is the network.
  private mutating func read(association body: [UInt8]) {
    for position in stride(from: 8, to: body.count, by: 4) {
      guard let number = body.u16(at: position), let table = body.u16(at: position + 2), number != 0
      else { continue }
      programTables.insert(Int(table & 0x1FFF))
    }
  }

  /// Reads the streams of a program (§2.4.4.8).
  private mutating func read(programMap body: [UInt8]) {
    guard let length = body.u16(at: 10) else { return }
    var position = 12 + Int(length & 0xFFF)
    let program = MPEGDescriptors(body.bytes(at: 12, count: Int(length & 0xFFF)) ?? [])
    while streams.count < Self.maximumStreams, let type = body.u8(at: position),
      let identifier = body.u16(at: position + 1), let size = body.u16(at: position + 3)
    {
      let descriptors = MPEGDescriptors(
        body.bytes(at: position + 5, count: Int(size & 0xFFF)) ?? [])
      streams.append(
        MPEGElementaryStream(
          identifier: Int(identifier & 0x1FFF), type: type, descriptors,
          isBluRay: program.registration == "HDMV"))
      position += 5 + Int(size & 0xFFF)
    }
  }
}

extension MPEGTransportStream {
  /// The streams as FFmpeg's demuxer reports them, with FFmpeg's names. The size of a video with unknown parameters is
  /// nil.
  package var movie: Movie { Movie(streams) }
}
