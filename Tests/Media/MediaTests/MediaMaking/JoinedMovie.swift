import MediaTools
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataTransfer

/// Movies that editors join without re-encoding: each track has the sample entries of all parts, and says in `stsc` which
/// of them each chunk uses (ISO/IEC 14496-12 §8.5.2). ffmpeg does not write such files.
enum JoinedMovie {
  /// Joins movies that ffmpeg has made, whose tracks have the same order and timescales.
  static func bytes(_ parts: [[UInt8]]) throws -> [UInt8] {
    let sources = parts.map { ArraySource($0) }
    let first = sources[0]
    let top = try first.boxes(in: 0..<first.count)
    let brands = try #require(top.first)
    let moov = try #require(top.first { $0.type == "moov" })
    var media = first.bytes(at: 0, count: Int(brands.end)) + [UInt8](repeating: 0, count: 8)
    let start = media.count - 8
    let length = try sources.reduce(0) { try $0 + duration(of: $1) }
    var tables: [[UInt8]] = []
    for index in 0..<(try tracks(of: first).count) {
      tables.append(try table(ofTrack: index, sources, &media))
    }
    media.replaceSubrange(
      start..<(start + 8), with: bigEndian(media.count - start) + Array("mdat".utf8))
    return try media + header(moov, first, &tables, length: length)
  }

  private static func tracks(of source: ArraySource) throws -> [ISOBox] {
    let moov = try #require(
      try source.boxes(in: 0..<source.count).first { $0.type == "moov" })
    return try source.boxes(inside: moov).filter { $0.type == "trak" }
  }

  private static func duration(of source: ArraySource) throws -> Int {
    let moov = try #require(try source.boxes(in: 0..<source.count).first { $0.type == "moov" })
    let header = try #require(try source.child("mvhd", of: moov))
    return Int(try #require(try source.start(of: header, 20).u32(at: 16)))
  }

  /// The sample table of a track of all parts, whose samples are appended to `media`.
  private static func table(
    ofTrack index: Int, _ sources: [ArraySource], _ media: inout [UInt8]
  ) throws -> [UInt8] {
    var (entries, sizes, chunks, runs): ([UInt8], [UInt8], [UInt8], [UInt8]) = ([], [], [], [])
    var lists: [FourCC: [UInt8]] = [:]
    var (entryCount, count) = (0, 0)
    for (part, source) in sources.enumerated() {
      let mdia = try #require(try source.child("mdia", of: tracks(of: source)[index]))
      let minf = try #require(try source.child("minf", of: mdia))
      let stbl = try #require(try source.child("stbl", of: minf))
      chunks += bigEndian(media.count)
      let before = count
      try ISOSampleTable(stbl, source).visitSamples(limit: .max) { range in
        let sample = source.bytes(at: range.lowerBound, count: range.count)
        media += sample
        sizes += bigEndian(sample.count)
        count += 1
      }
      runs += bigEndian(part + 1) + bigEndian(count - before) + bigEndian(entryCount + 1)
      for box in try source.boxes(inside: stbl) {
        let content = source.bytes(at: box.payload.lowerBound, count: box.payload.count)
        switch box.type {
        case "stsd":
          entries += content.bytes(from: 8)
          entryCount += Int(try #require(content.u32(at: 4)))
        case "stss":
          let numbers = stride(from: 8, to: content.count, by: 4).compactMap { content.u32(at: $0) }
          lists["stss", default: []] += numbers.flatMap { bigEndian(Int($0) + before) }
        case "stts", "ctts": lists[box.type, default: []] += content.bytes(from: 8)
        default: continue
        }
      }
    }
    func list(_ type: FourCC, _ content: [UInt8], width: Int) -> [UInt8] {
      isoBox(type, bigEndian(0) + bigEndian(content.count / width) + content)
    }
    var made = isoBox("stsd", bigEndian(0) + bigEndian(entryCount) + entries)
    for type in ["stts", "ctts", "stss"] as [FourCC] {
      guard let content = lists[type] else { continue }
      made += list(type, content, width: type == "stss" ? 4 : 8)
    }
    made += isoBox("stsz", bigEndian(0) + bigEndian(0) + bigEndian(count) + sizes)
    return made + list("stsc", runs, width: 12) + list("stco", chunks, width: 4)
  }

  /// The header of the first part with these sample tables, in the order of its tracks.
  private static func header(
    _ box: ISOBox, _ source: ArraySource, _ tables: inout [[UInt8]], length: Int
  ) throws -> [UInt8] {
    var content = source.bytes(at: box.payload.lowerBound, count: box.payload.count)
    switch box.type {
    case "moov", "trak", "mdia", "minf":
      content = []
      for child in try source.boxes(inside: box) {
        content += try header(child, source, &tables, length: length)
      }
    case "stbl": content = tables.removeFirst()
    case "mvhd": content.replaceSubrange(16..<20, with: bigEndian(length))
    case "tkhd": content.replaceSubrange(20..<24, with: bigEndian(length))
    // The durations of the media and of the only edit are those of the first part.
    case "mdhd": content.replaceSubrange(16..<20, with: bigEndian(1 << 30))
    case "edts": content.replaceSubrange(16..<20, with: bigEndian(length))
    default: break
    }
    return isoBox(box.type, content)
  }
}
