/// Finds what tells a place, or all metadata, in an AVI. Chunks that are to go become `JUNK` chunks of
/// the same size.
struct AVIRedaction {
  private static let header: Set<FourCC> = ["avih", "strh", "strf", "strn", "indx", "vprp", "dmlh"]
  private static let headerLists: Set<FourCC> = ["hdrl", "strl", "odml"]
  /// Tags of the `INFO` list that tell no place.
  private static let harmless: Set<FourCC> = [
    "IARL", "IART", "ICMS", "ICMT", "ICOP", "ICRD", "IENG", "IGNR", "IKEY", "IMED", "INAM", "IPRD",
    "ISBJ", "ISFT", "ISRC", "ITCH", "IDIT", "ISMP", "ILNG",
  ]

  private let source: any ByteSource
  private let aim: ISORedaction.Aim
  private var redaction = Redaction()

  /// - Throws: ``RedactionRefusal`` for a movie with streams of data; ``ContainerError`` for what is no
  ///   AVI; what the source throws.
  static func find(_ aim: ISORedaction.Aim, in source: any ByteSource) throws -> Redaction {
    let head = try source.bytes(at: 0, count: 12)
    guard head.hasText("RIFF"), head.hasText("AVI ", at: 8) else {
      throw ContainerError.notThisFormat("AVI file")
    }
    var found = AVIRedaction(source: source, aim: aim)
    for part in try source.chunks(in: 0..<source.count) {
      if part.listType == "AVI " || part.listType == "AVIX" {
        for chunk in try source.chunks(in: part.payload) { try found.visit(chunk) }
      } else {
        found.redaction.fill(part.payload)
      }
    }
    return found.redaction
  }

  private init(source: any ByteSource, aim: ISORedaction.Aim) {
    self.source = source
    self.aim = aim
  }

  private mutating func visit(_ chunk: RIFFChunk) throws {
    switch chunk.listType ?? chunk.type {
    case "movi", "idx1", "rec ": return
    case "JUNK", "junk": redaction.fill(chunk.payload)
    case "hdrl": try visit(header: chunk, depth: 0)
    case "INFO" where aim == .location: try visit(information: chunk)
    case "_PMX" where aim == .location:
      guard let packet = try source.bytes(in: chunk.payload, limit: 64 << 20)
      else { return erase(chunk) }
      redaction.overwrite(
        at: chunk.payload.lowerBound, with: XMPSurgery.withoutLocation(packet))
    default: erase(chunk)
    }
  }

  private mutating func erase(_ chunk: RIFFChunk) {
    let start = chunk.payload.lowerBound - (chunk.listType == nil ? 8 : 12)
    redaction.overwrite(at: start, with: Array("JUNK".utf8))
    redaction.fill((start + 8)..<chunk.payload.upperBound)
  }

  private mutating func visit(header list: RIFFChunk, depth: Int) throws {
    for chunk in try source.chunks(in: list.payload, limit: 256) {
      if let kind = chunk.listType, Self.headerLists.contains(kind), depth < 4 {
        try visit(header: chunk, depth: depth + 1)
      } else if chunk.type == "JUNK" {
        redaction.fill(chunk.payload)
      } else if chunk.type == "IDIT", aim == .location {
        continue
      } else if !Self.header.contains(chunk.type) {
        erase(chunk)
      } else if chunk.type == "strh" {
        let kind = try source.bytes(at: chunk.payload.lowerBound, count: 4).text
        guard ["vids", "auds", "iavs"].contains(kind) else {
          throw RedactionRefusal(
            """
            The movie has a stream of data that may record places and cannot be taken out of a \
            copy; the video preset `compatible` makes a new video without it.
            """
          )
        }
      }
    }
  }

  private mutating func visit(information list: RIFFChunk) throws {
    for chunk in try source.chunks(in: list.payload, limit: 1024) {
      guard Self.harmless.contains(chunk.type),
        let text = try source.bytes(in: chunk.payload, limit: 1 << 20),
        !LocationNames.isTold(in: text)
      else {
        erase(chunk)
        continue
      }
    }
  }
}
