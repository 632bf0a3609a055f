import Foundation
import MediaTools
import PlantedPlaces

/// Movies with the planted place in every part of their format that can contain it.
enum PlantedMovies {
  static let names = [
    "a.mov", "a.mp4", "fragments.mp4", "a.m4v", "a.3gp", "a.mkv", "a.webm", "a.avi",
  ]

  /// All spellings, with neutral bytes around them.
  private static let place: [UInt8] =
    zeros(3) + PlantedPlace.planted.plantable.flatMap { $0.bytes + [0] } + zeros(2)

  /// Makes one of ``names`` with ffmpeg and exiftool, and inserts the place into its bytes.
  static func make(_ name: String, in folder: String) async throws {
    let path = folder + "/" + name
    let place = PlantedPlace.planted
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    var arguments = [
      "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-f", "lavfi", "-i",
      "sine=d=1",
    ]
    switch ending {
    case "webm":
      arguments += ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"]
    case "avi": arguments += ["-c:v", "mpeg4", "-c:a", "mp3"]
    case "3gp": arguments += ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", "1"]
    default: arguments += ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    }
    for key in ["location", "comment", "description", "title", "artist", "copyright", "GPS"] {
      arguments += ["-metadata", key + "=" + place.decimals]
    }
    arguments += [
      "-metadata", "com.apple.quicktime.location.ISO6709=" + place.iso6709, "-metadata:s:v",
      "title=" + place.assignments, "-metadata:s:a", "handler_name=" + place.uri,
    ]
    if name == "fragments.mp4" {
      arguments += ["-movflags", "frag_keyframe+default_base_moof+empty_moov", "-g", "10"]
    } else if ending == "mov" {
      arguments += ["-movflags", "use_metadata_tags"]
    }
    try await Tool.ffmpeg.run(arguments + [path])
    if ["mov", "mp4", "m4v"].contains(ending), name != "fragments.mp4" {
      try await Tool.exiftool.run([
        "-q", "-n", "-overwrite_original", "-UserData:GPSCoordinates=47.123456 8.654321 408",
        "-Keys:GPSCoordinates=47.123456 8.654321 408", "-XMP-exif:GPSLatitude=47.123456",
        "-XMP-exif:GPSLongitude=8.654321", "-XMP-dc:Title=Lake", path,
      ])
    }
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    switch ending {
    case "mkv", "webm": plantElements(&bytes)
    case "avi": plantChunks(&bytes)
    default: plantBoxes(&bytes)
    }
    try Data(bytes).write(to: URL(filePath: path))
  }

  // MARK: MOV, MP4, M4V, 3GP

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8) + Array(type.utf8) + content
  }

  private static func number(_ value: Int, width: Int = 4) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// The range of the box at the end of a path of types.
  private static func find(
    _ path: [String], in bytes: [UInt8]
  ) -> [(start: Int, end: Int)]? {
    var found: [(start: Int, end: Int)] = []
    var (position, end) = (0, bytes.count)
    for type in path {
      var match: (start: Int, end: Int)?
      while match == nil, position + 8 <= end {
        let size = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard size >= 8, position + size <= end else { return nil }
        if Array(bytes[(position + 4)..<(position + 8)]) == Array(type.utf8) {
          match = (position, position + size)
        }
        position += size
      }
      guard let match else { return nil }
      found.append(match)
      (position, end) = (match.start + 8, match.end)
    }
    return found
  }

  /// Inserts content at the end of a box, and increases the sizes of the boxes around it.
  private static func insert(
    _ content: [UInt8], at path: [String], into bytes: inout [UInt8]
  ) {
    guard let parents = find(path, in: bytes), let last = parents.last else { return }
    for parent in parents {
      bytes.replaceSubrange(
        parent.start..<(parent.start + 4), with: number(parent.end - parent.start + content.count))
    }
    bytes.insert(contentsOf: content, at: last.end)
  }

  /// Adds a number of bytes to all chunk offsets, after the header in front of the media data has grown.
  private static func moveChunks(by shift: Int, in bytes: inout [UInt8]) {
    var position = 0
    while let table = bytes[position...].firstRange(of: Array("stco".utf8)) {
      position = table.upperBound
      let start = position + 8
      let count = value(at: position + 4, of: bytes)
      guard start + count * 4 <= bytes.count else { continue }
      for entry in stride(from: start, to: start + count * 4, by: 4) {
        bytes.replaceSubrange(
          entry..<(entry + 4), with: number(value(at: entry, of: bytes) + shift))
      }
    }
  }

  private static func value(at position: Int, of bytes: [UInt8]) -> Int {
    bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Samples keep their offsets from fragments; exiftool may have put the header first.
  private static func plantBoxes(_ bytes: inout [UInt8]) {
    let unknown =
      box("free", place) + box("skip", place) + box("abcd", place) + box("uuid", zeros(16) + place)
      + box("loci", place) + box("ID32", place)
    let levels = [
      ["moov"], ["moov", "trak"], ["moov", "trak", "mdia"], ["moov", "trak", "mdia", "minf"],
      ["moov", "trak", "mdia", "minf", "stbl"], ["moov", "udta"], ["moof"], ["moof", "traf"],
    ]
    // Fragments count from their header, and what is inserted into one moves its data.
    let isFragmented = find(["moof"], in: bytes) != nil
    let start = find(["mdat"], in: bytes)?.first?.start ?? 0
    for level in levels where !(isFragmented && level[0] == "moof") {
      insert(unknown, at: level, into: &bytes)
    }
    for level in [["moov"], ["moov", "trak"]] {
      insert(
        box("udta", box("abcd", place) + zeros(4) + place)
          + box(
            "meta",
            box("hdlr", zeros(8) + Array("mdta".utf8) + zeros(13) + place) + box("free", place)
              + box("idat", place)), at: level, into: &bytes)
    }
    insert(place, at: ["moov", "trak", "mdia", "hdlr"], into: &bytes)
    insert(place, at: ["moov", "trak", "mdia", "minf", "stbl", "stco"], into: &bytes)
    insert(place, at: ["moov", "trak", "tkhd"], into: &bytes)
    let shift = (find(["mdat"], in: bytes)?.first?.start ?? 0) - start
    if !isFragmented {
      if shift > 0 { moveChunks(by: shift, in: &bytes) }
      insert(place, at: ["mdat"], into: &bytes)
    }
    bytes += unknown + box("mdat", place) + box("PICT", place) + box("moov", place)
    bytes += number(0xFFFF) + place
  }

  // MARK: Matroska and WebM

  private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
    id + [0x01] + number(content.count, width: 7) + content
  }

  private static func plantElements(_ bytes: inout [UInt8]) {
    let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]
    guard let start = bytes.firstRange(of: segment)?.upperBound, bytes[start] == 0x01 else {
      return
    }
    let unknown =
      element([0xEC], place) + element([0x4F, 0xFF], place) + [0xBF, 0x84] + place.prefix(4)
    let text = Array(PlantedPlace.planted.uri.utf8)
    let tag = element(
      [0x67, 0xC8],
      element([0x45, 0xA3], Array("X".utf8)) + element([0x44, 0x85], place)
        + element([0x44, 0x87], text) + unknown)
    let tags = element([0x12, 0x54, 0xC3, 0x67], element([0x73, 0x73], tag + unknown) + unknown)
    let file = element(
      [0x61, 0xA7],
      element([0x46, 0x60], Array("text/plain".utf8)) + element([0x46, 0x5C], place))
    let files = element([0x19, 0x41, 0xA4, 0x69], file + unknown)
    let chapters = element(
      [0x10, 0x43, 0xA7, 0x70],
      element([0x45, 0xB9], element([0xB6], element([0x80], element([0x85], text))) + unknown))
    // A block of a missing track, an addition to another block, and bytes that are not an element.
    let block = [0x81, 0, 0, 0x80] + zeros(4)
    let addition = element(
      [0x75, 0xA1],
      element([0xA6], element([0xEE], [9]) + element([0xA5], place)) + unknown)
    let cluster = element(
      [0x1F, 0x43, 0xB6, 0x75],
      element([0xE7], [0x27, 0x10]) + element([0xA3], [0x85, 0, 0, 0x80] + place)
        + element([0xA0], element([0xA1], block) + addition) + unknown + zeros(4) + place)
    let planted = unknown + tags + files + chapters + cluster + unknown + zeros(4) + place
    let size = bytes[(start + 1)..<(start + 8)].reduce(0) { $0 << 8 | Int($1) }
    bytes.replaceSubrange((start + 1)..<(start + 8), with: number(size + planted.count, width: 7))
    bytes.insert(contentsOf: planted, at: min(start + 8 + size, bytes.count))
    bytes += unknown + zeros(4) + place
  }

  // MARK: AVI

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + number(content.count).reversed() + content
      + (content.count % 2 == 0 ? [] : [0x41])
  }

  /// ffmpeg writes the header, `movi` and the index; sizes of `movi` and the file are patched.
  private static func plantChunks(_ bytes: inout [UInt8]) {
    func grow(_ position: Int, by count: Int) {
      let size = bytes[position..<(position + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(position..<(position + 4), with: number(size + count).reversed())
    }
    let unknown =
      chunk("JUNK", place) + chunk("abcd", place) + chunk("LIST", Array("abcd".utf8) + place)
    guard let name = bytes.lastRange(of: Array("movi".utf8)) else { return }
    let size = bytes[(name.lowerBound - 4)..<name.lowerBound].reversed()
      .reduce(0) { $0 << 8 | Int($1) }
    bytes.insert(contentsOf: unknown, at: name.lowerBound + size)
    grow(name.lowerBound - 4, by: unknown.count)
    let texts = Array(PlantedPlace.planted.uri.utf8)
    let more =
      unknown
      + chunk(
        "LIST",
        Array("INFO".utf8) + chunk("IDIT", texts) + chunk("ISFT", texts) + chunk("INAM", texts)
          + unknown)
    grow(4, by: unknown.count + more.count)
    bytes += more + unknown + place
  }
}

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

extension [UInt8] {
  fileprivate func lastRange(of wanted: [UInt8]) -> Range<Int>? {
    for start in stride(from: count - wanted.count, through: 0, by: -1)
    where self[start..<(start + wanted.count)].elementsEqual(wanted) {
      return start..<(start + wanted.count)
    }
    return nil
  }
}
