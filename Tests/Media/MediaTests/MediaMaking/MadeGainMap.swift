import MediaTools
import Testing

@testable import ByteReading
@testable import MediaFormats

/// Pictures with a gain map, put together from files of heif-enc and ImageMagick after the specifications.
struct MadeGainMap {
  /// What describes the map.
  enum Kind {
    /// Apple's auxiliary picture, with its headroom in XMP or in a MakerNote (tags 0x21 and 0x30, in millionths).
    case apple(headroom: Double)
    case makerNote(headroom: Int, gain: Int)
    /// The content of a `tmap` item (ISO 21496-1), its version first.
    case toneMap([UInt8])
  }

  /// ISO 21496-1 annex C, with the version of a `tmap` item: one channel, in millionths.
  static func parameters(
    base: Int = 0, alternate: Int, minimum: Int = 0, maximum: Int, gamma: Int = 1_000_000,
    offset: Int = 15_625, minimumVersion: Int = 0
  ) -> [UInt8] {
    let numbers = [base, alternate, minimum, maximum, gamma, offset, offset]
    return [0] + bigEndian(minimumVersion, 2) + bigEndian(0, 2) + [0x40]
      + numbers.flatMap { bigEndian($0, 4) + bigEndian(1_000_000, 4) }
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    box(Array(type.utf8), content)
  }

  private static func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
    bigEndian(content.count + 8) + type + content
  }

  private static func appleXMP(_ headroom: Double) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/"
      HDRGainMap:HDRGainMapVersion="131072" HDRGainMap:HDRGainMapHeadroom="\(headroom)"/>
      </rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  /// An EXIF block with a MakerNote of Apple's, for an `Exif` item.
  private static func exif(_ headroom: Int, _ gain: Int) -> [UInt8] {
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      bigEndian(tag, 2) + bigEndian(type, 2) + bigEndian(count) + bigEndian(value)
    }
    let note =
      Array("Apple iOS\0\0\u{1}MM".utf8) + bigEndian(2, 2) + entry(0x21, 10, 1, 44)
      + entry(0x30, 10, 1, 52) + bigEndian(0)
      + bigEndian(headroom) + bigEndian(1_000_000) + bigEndian(gain) + bigEndian(1_000_000)
    let tiff =
      Array("MM\0*".utf8) + bigEndian(8) + bigEndian(1, 2) + entry(0x8769, 4, 1, 26) + bigEndian(0)
      + bigEndian(1, 2) + entry(0x927C, 7, note.count, 44) + bigEndian(0) + note
    return bigEndian(6) + Array("Exif\0\0".utf8) + tiff
  }

  /// Writes a HEIC with a gain map.
  ///
  /// - Parameters:
  ///   - base: a picture in any format of ImageMagick.
  ///   - map: a grey one.
  ///   - quarterTurns: anti-clockwise, of both pictures.
  static func writeHEIC(
    _ name: String, base: String, map: String, _ kind: Kind, quarterTurns: UInt8 = 0,
    in folder: ScratchFolder
  ) async throws {
    var parts: [(properties: [HEIFProperty], content: [UInt8])] = []
    for (picture, options) in [(base, ["-q", "95"]), (map, ["-L"])] {
      let coded = picture + ".heic"
      try await Tool.heifEncoder.run(options + [folder.path(picture), "-o", folder.path(coded)])
      let source = ArraySource(try folder.bytes(coded))
      let file = try HEIFContainer(source)
      let item = try #require(file.primaryItem.flatMap(file.item))
      let content = try #require(try file.content(of: item, from: source))
      parts.append((file.primaryProperties, content))
    }
    let aux = "urn:com:apple:photo:2020:aux:hdrgainmap\0"
    var items = [("hvc1", parts[0].content, 0), ("hvc1", parts[1].content, 1)]
    var references: [UInt8] = []
    func reference(_ type: String, _ from: Int, _ to: [Int]) {
      references += box(
        type, bigEndian(from, 2) + bigEndian(to.count, 2) + to.flatMap { bigEndian($0, 2) })
    }
    switch kind {
    case .apple(let headroom):
      items.append(("mime", appleXMP(headroom), 1))
      reference("auxl", 2, [1])
      reference("cdsc", 3, [2])
    case .makerNote(let headroom, let gain):
      items.append(("Exif", exif(headroom, gain), 1))
      reference("auxl", 2, [1])
      reference("cdsc", 3, [1])
    case .toneMap(let content):
      items.append(("tmap", content, 0))
      reference("dimg", 3, [1, 2])
    }
    var properties = parts.flatMap(\.properties).map { box($0.type.bytes, $0.content) }
    properties += [box("auxC", bigEndian(0) + Array(aux.utf8)), box("irot", [quarterTurns])]
    let first = parts[0].properties.count
    let second = properties.count - 2
    func association(_ item: Int, _ indexes: [Int]) -> [UInt8] {
      bigEndian(item, 2) + [UInt8(indexes.count)] + indexes.map { UInt8($0) }
    }
    let isAuxiliary = if case .toneMap = kind { false } else { true }
    let associations =
      association(1, Array(1...first) + [second + 2])
      + association(
        2, Array(first + 1...second) + (isAuxiliary ? [second + 1] : []) + [second + 2])
    func meta(at offset: Int) -> [UInt8] {
      var place = offset
      var locations = bigEndian(0) + [0x44, 0] + bigEndian(items.count, 2)
      for (index, item) in items.enumerated() {
        locations += bigEndian(index + 1, 2) + bigEndian(0, 2) + bigEndian(1, 2)
        locations += bigEndian(place) + bigEndian(item.1.count)
        place += item.1.count
      }
      let entries = items.enumerated().flatMap { index, item in
        box(
          "infe",
          bigEndian(0x0200_0000 | item.2) + bigEndian(index + 1, 2) + bigEndian(0, 2)
            + Array(item.0.utf8) + [0]
            + (item.0 == "mime" ? Array("application/rdf+xml\0".utf8) : []))
      }
      return box(
        "meta",
        bigEndian(0)
          + box(
            "hdlr",
            bigEndian(0) + bigEndian(0) + Array("pict".utf8) + bigEndian(0) + bigEndian(0)
              + bigEndian(0) + [0])
          + box("pitm", bigEndian(0) + bigEndian(1, 2)) + box("iloc", locations)
          + box("iinf", bigEndian(0) + bigEndian(items.count, 2) + entries)
          + box("iref", bigEndian(0) + references)
          + box(
            "iprp",
            box("ipco", properties.flatMap(\.self))
              + box("ipma", bigEndian(0) + bigEndian(2) + associations)))
    }
    let type = box("ftyp", Array("heic".utf8) + bigEndian(0) + Array("mif1heictmap".utf8))
    let offset = type.count + meta(at: 0).count + 8
    try folder.write(
      type + meta(at: offset) + box("mdat", items.flatMap(\.1)), to: name)
  }

  /// Writes an Ultra HDR JPEG: XMP in the map, a list of parts in the base, and no index of pictures.
  ///
  /// - Parameter attributes: of the map's description, in Adobe's schema.
  static func writeJPEG(
    _ name: String, base: String, map: String, _ attributes: String, in folder: ScratchFolder
  ) throws {
    func packet(_ content: String) -> [UInt8] {
      let text =
        "http://ns.adobe.com/xap/1.0/\0"
        + #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
        + content + "</rdf:RDF></x:xmpmeta>"
      return [0xFF, 0xE1] + bigEndian(text.utf8.count + 2, 2) + Array(text.utf8)
    }
    let schema = #"<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" "#
    let mapFile = try folder.bytes(map)
    let second =
      mapFile.prefix(2) + packet(schema + #"hdrgm:Version="1.0" \#(attributes)/>"#)
      + mapFile.dropFirst(2)
    func item(_ semantic: String, _ length: Int) -> String {
      #"<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" Item:Semantic="\#(semantic)" Item:Length="\#(length)"/></rdf:li>"#
    }
    let list =
      schema + #"hdrgm:Version="1.0" xmlns:Container="http://ns.google.com/photos/1.0/container/" "#
      + #"xmlns:Item="http://ns.google.com/photos/1.0/container/item/"><Container:Directory><rdf:Seq>"#
      + item("Primary", 0) + item("GainMap", second.count)
      + "</rdf:Seq></Container:Directory></rdf:Description>"
    let first = try folder.bytes(base)
    // After the EXIF segment, if there is one.
    try folder.write(
      Array(first.prefix(2)) + packet(list) + Array(first.dropFirst(2)) + Array(second), to: name)
  }
}
