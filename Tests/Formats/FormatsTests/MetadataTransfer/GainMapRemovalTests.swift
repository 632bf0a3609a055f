import MediaEdits
import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataTransfer

/// JPEGs with a gain map that are built byte by byte after CIPA DC-007, ISO 21496-1 and Ultra HDR image format 1.1.
struct GainMapRemovalTests {
  /// The coded picture of the first file, with its frame and End Of Image.
  private static let coded: [UInt8] =
    segment(0xC0, [8, 0, 2, 0, 2, 1, 1, 0x11, 0]) + segment(0xDA, [1, 1, 0, 0, 63, 0])
    + [1, 2, 0xFF, 0, 3, 0xFF, 0xD9]
  private static let thumbnail: [UInt8] = [0xFF, 0xD8] + coded.dropLast(5) + [9, 9, 9, 0xFF, 0xD9]
  private static let version = segment(
    0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + zeros(4))
  private static let item = "http://ns.google.com/photos/1.0/container/item/"

  private static func packet(_ attributes: String, _ content: String = "") -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)"><rdf:Description
       rdf:about="" xmlns:g="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:dc="\(XMPNamespace.dublinCore)"
       xmlns:c="http://ns.google.com/photos/1.0/camera/"
       xmlns:l="http://ns.google.com/photos/1.0/container/" xmlns:i="\(item)"
       \(attributes)>\(content)</rdf:Description></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  private static func xmp(_ packet: [UInt8]) -> [UInt8] {
    segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  private static func directory(_ items: [(String, Int)]) -> String {
    "<l:Directory><rdf:Seq>"
      + items.map {
        #"<rdf:li rdf:parseType="Resource"><l:Item i:Mime="image/jpeg" i:Semantic="\#($0.0)" "#
          + #"i:Length="\#($0.1)"/></rdf:li>"#
      }.joined() + "</rdf:Seq></l:Directory>"
  }

  /// A gain map with Adobe's parameters.
  private static let map: [UInt8] =
    [0xFF, 0xD8] + xmp(packet(#"g:Version="1.0" g:GainMapMax="2" g:HDRCapacityMax="2""#)) + coded

  /// A gain map with the parameters of ISO 21496-1, in millionths.
  private static func isoMap(base: Int64, alternate: Int64) -> [UInt8] {
    let numbers = [base, alternate, 0, 2_000_000, 1_000_000, 0, 0]
    let parameters = zeros(4) + [0x40] + numbers.flatMap { be32($0) + be32(1_000_000) }
    let name = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    return [0xFF, 0xD8] + segment(0xE2, name + parameters) + coded
  }

  private typealias Part = (type: Int, bytes: [UInt8])

  /// A file of a first picture and parts.
  ///
  /// - Parameters:
  ///   - parts: those with a type of 0 or more are in the index of pictures.
  ///   - isShifted: whether the offsets in the index are wrong by 5 bytes.
  private static func file(
    _ segments: [UInt8], _ parts: [Part], isShifted: Bool = false
  ) -> [UInt8] {
    let listed = parts.filter { $0.type >= 0 }
    // Version, number of images, entries, identifiers of 33 bytes each.
    let table = 8 + 2 + 4 * 12 + 4
    let count = listed.count + 1
    let length = table + 16 * count + 33 * count
    let start = 2 + segments.count + 8
    let end = start + length + coded.count
    var entries = le32(0x0003_0000) + le32(end) + le32(0) + le32(0)
    var place = end
    for part in parts {
      if part.type >= 0 {
        entries += le32(part.type) + le32(part.bytes.count)
        entries += le32(place - start + (isShifted ? 5 : 0)) + le32(0)
      }
      place += part.bytes.count
    }
    let index =
      Array("II".utf8) + le16(42) + le32(8) + le16(4)
      + entry(0xB000, 7, 4, Array("0100".utf8)) + entry(0xB001, 4, 1, le32(count))
      + entry(0xB002, 7, 16 * count, le32(table))
      + entry(0xB003, 7, 33 * count, le32(table + 16 * count)) + le32(0) + entries
      + (0..<count).flatMap { [UInt8](repeating: UInt8(0x41 + $0), count: 33) }
    return [0xFF, 0xD8] + segments
      + (listed.isEmpty ? [] : segment(0xE2, Array("MPF\0".utf8) + index)) + coded
      + parts.flatMap(\.bytes)
  }

  private func removed(_ file: [UInt8]) throws -> [UInt8] {
    #expect(try GainMapRemoval.sdrCopy(of: ArraySource(file), limit: 1 << 20) == .withoutGainMap)
    return try #require(try GainMapRemoval.removed(from: file))
  }

  private func packet(of file: [UInt8]) throws -> XMPPacket {
    try #require(try JPEGFile(ArraySource(file)).xmp.flatMap { XMPPacket($0) })
  }

  /// The bytes of the further pictures by the index.
  private func listed(in file: [UInt8]) throws -> [[UInt8]] {
    try JPEGFile(ArraySource(file)).pictures.dropFirst().map {
      file.bytes(at: Int($0.offset), count: Int($0.length)) ?? []
    }
  }

  private func clip(in file: [UInt8]) throws -> (bytes: [UInt8], evidence: String)? {
    let source = ArraySource(file)
    let jpeg = try JPEGFile(source)
    let found = try EmbeddedClipSearch.find(
      in: source, xmp: jpeg.xmp.flatMap { XMPPacket($0) }, trailer: SamsungTrailer(source),
      jpeg: jpeg)
    guard case .clip(let clip) = found else { return nil }
    return (file.bytes(at: Int(clip.offset), count: Int(clip.length)) ?? [], clip.evidence)
  }

  @Test(arguments: [map, isoMap(base: 0, alternate: 2_000_000)])
  func `all of a gain map goes and all else stays`(map: [UInt8]) throws {
    let exif = segment(0xE1, Array("Exif\0\0".utf8) + MadeFile.exifBlock)
    let profile = segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + zeros(128))
    let list = Self.directory([("Primary", 0), ("GainMap", map.count)])
    let packet = Self.packet(#"g:Version="1.0" dc:format="image/jpeg""#, list)
    let made = try removed(
      Self.file(exif + Self.xmp(packet) + Self.version + profile, [(0, map)]))
    let own = try self.packet(of: made)
    #expect(own.properties.map(\.path) == ["format"])
    // Without XMP's segment the rest is what was there, in its order.
    let segments = try JPEGMetadata(ArraySource(made)).segments
    let rest = segments.filter { !made.hasText("http:", at: Int($0.payload.lowerBound)) }
      .flatMap { made[Int($0.offset)..<Int($0.payload.upperBound)] }
    #expect(rest == exif + profile + Self.coded.prefix(13))
    #expect(made.suffix(Self.coded.count) == ArraySlice(Self.coded))
  }

  @Test func `a packet about nothing but the gain map goes with it`() throws {
    let list = Self.directory([("Primary", 0), ("GainMap", Self.map.count)])
    let packet = Self.xmp(Self.packet(#"g:Version="1.0""#, list))
    #expect(try removed(Self.file(packet, [(0, Self.map)])) == [0xFF, 0xD8] + Self.coded)
  }

  /// Large thumbnails (0x010001, 0x010002) before and after the map.
  @Test(arguments: [[0, 1], [1, 0], [1, 0, 2], [2, 1, 0]])
  func `other pictures stay in the index`(order: [Int]) throws {
    let second = Self.thumbnail.dropLast(2) + [8, 0xFF, 0xD9]
    let known: [Part] = [(0, Self.map), (0x01_0001, Self.thumbnail), (0x01_0002, Array(second))]
    let parts = order.map { known[$0] }
    let file = Self.file(Self.version, parts)
    let made = try removed(file)
    let stay = parts.filter { $0.type > 0 }
    #expect(try listed(in: made) == stay.map(\.bytes))
    let pictures = try JPEGFile(ArraySource(made)).pictures
    #expect(pictures.map { Int($0.type) } == [0x03_0000] + stay.map(\.type))
    let end = made.count - stay.reduce(0) { $0 + $1.bytes.count }
    #expect(pictures.first?.length == UInt64(end))
    #expect(made.suffix(made.count - end) == ArraySlice(stay.flatMap(\.bytes)))
    // The number of images, the length of the identifiers, and the identifiers themselves.
    let start = try #require(made.firstIndex(of: Array("MPF\0II".utf8))) + 4
    let tiff = try TIFFFile(ArraySource(made.bytes(from: start)))
    let directory = try #require(try tiff.directory(at: 8))
    let number = try #require(directory[0xB001])
    #expect(try tiff.unsigned(number) == UInt64(stay.count + 1))
    let identifiers = try #require(directory[0xB003])
    let letters = try tiff.bytes(of: identifiers, limit: 1000)
    let numbers = [0] + order.indices.filter { order[$0] != 0 }.map { $0 + 1 }
    #expect(
      letters == numbers.flatMap { [UInt8](repeating: UInt8(0x41 + $0), count: 33) })
  }

  /// As in files of programs that have rewritten the segments only.
  @Test func `a map that an index misses is found by XMP`() throws {
    let list = Self.directory([("Primary", 0), ("GainMap", Self.map.count)])
    let packet = Self.xmp(Self.packet(#"g:Version="1.0""#, list))
    let file = Self.file(packet, [(0, Self.map)], isShifted: true)
    #expect(try removed(file) == [0xFF, 0xD8] + Self.coded)
  }

  /// Padding that belongs to the map goes with it; other data after it stays.
  @Test(arguments: [(zeros(7), 0), (Array("unknown".utf8), 7)])
  func `what follows a map`(rest: [UInt8], kept: Int) throws {
    let made = try removed(Self.file([], [(0, Self.map + rest)]))
    #expect(made == [0xFF, 0xD8] + Self.coded + rest.suffix(kept))
  }

  /// Motion Photo format 1.0: the clip is the last item, its length counts from the end.
  @Test(arguments: [true, false])
  func `a motion photo keeps its clip`(hasMapFirst: Bool) throws {
    let clip = MadeFile.clip
    let items = [("GainMap", Self.map.count), ("MotionPhoto", clip.count)]
    let parts: [Part] = [(0, Self.map), (-1, clip)]
    let list = Self.directory([("Primary", 0)] + (hasMapFirst ? items : items.reversed()))
    let packet = Self.packet(#"g:Version="1.0" c:MotionPhoto="1""#, list)
    let made = try removed(
      Self.file(Self.xmp(packet), hasMapFirst ? parts : parts.reversed()))
    let found = try #require(try self.clip(in: made))
    #expect(found.bytes == clip)
    #expect(found.evidence == "xmp:MotionPhoto")
    #expect(made.suffix(clip.count) == ArraySlice(clip))
    #expect(
      try self.packet(of: made).containerItems.map(\.semantic) == ["Primary", "MotionPhoto"])
  }

  @Test(arguments: [true, false])
  func `the offset of a micro video counts from the new end`(hasMapFirst: Bool) throws {
    let clip = MadeFile.clip
    let parts: [Part] = [(0, Self.map), (-1, clip)]
    let back = clip.count + (hasMapFirst ? 0 : Self.map.count)
    let packet = Self.packet(#"c:MicroVideo="1" c:MicroVideoOffset="\#(back)""#)
    let made = try removed(
      Self.file(Self.xmp(packet), hasMapFirst ? parts : parts.reversed()))
    let found = try #require(try self.clip(in: made))
    #expect(found.bytes == clip)
    #expect(found.evidence == "xmp:MicroVideo")
  }

  /// A block of the form `mpv2` has the clip's offset in the file.
  @Test func `Samsung's trailer has the new place of the clip`() throws {
    let clip = MadeFile.clip
    func file(clipAt offset: Int) -> [UInt8] {
      let block =
        le16(0) + le16(0x0A30) + le32(16) + Array("MotionPhoto_Data".utf8) + Array("mpv2".utf8)
        + be32(Int64(offset)) + be32(Int64(clip.count))
      let directory =
        Array("SEFH".utf8) + le32(101) + le32(1) + le16(0) + le16(0x0A30) + le32(block.count)
        + le32(block.count)
      let trailer = block + directory + le32(directory.count) + Array("SEFT".utf8)
      return Self.file(Self.version, [(0, Self.map), (-1, clip), (-1, trailer)])
    }
    let place = try #require(file(clipAt: 0).firstIndex(of: clip))
    let made = try removed(file(clipAt: place))
    let found = try #require(try self.clip(in: made))
    #expect(found.bytes == clip)
    #expect(found.evidence == "sef")
    #expect(made.hasBytes([0xFF, 0xD8] + Self.coded + clip))
  }

  /// XMP specification part 3 §1.1.3.1: the first packet has the digest of the second.
  @Test func `the second packet loses the gain map too`() throws {
    let list = Self.directory([("Primary", 0), ("GainMap", Self.map.count)])
    let second = Self.packet(#"g:Version="1.0" dc:source="kept""#, list)
    let name = md5Text(second)
    let first = Self.packet(
      #"xmlns:n="http://ns.adobe.com/xmp/note/" n:HasExtendedXMP="\#(name.text)""#)
    let part =
      Array("http://ns.adobe.com/xmp/extension/\0".utf8) + name + be32(Int64(second.count))
      + be32(0) + second
    let made = try removed(Self.file(Self.xmp(first) + segment(0xE1, part), [(0, Self.map)]))
    let metadata = try PictureMetadata.jpeg(ArraySource(made))
    #expect(metadata.notes.isEmpty)
    let packet = try #require(metadata.extendedXMP.flatMap { XMPPacket($0) })
    #expect(packet.properties.map(\.path) == ["source"])
  }

  @Test func `a picture that is HDR itself keeps its map`() throws {
    let flag = #"g:Version="1.0" g:BaseRenditionIsHDR="True""#
    let files = [
      Self.file(Self.xmp(Self.packet(flag)), [(0, Self.map)]),
      Self.file([], [(0, Self.isoMap(base: 2_000_000, alternate: 0))]),
      Self.file(
        [],
        [(0, [0xFF, 0xD8] + Self.xmp(Self.packet(flag + #" g:GainMapMax="2""#)) + Self.coded)]),
    ]
    for file in files {
      #expect(try GainMapRemoval.sdrCopy(of: ArraySource(file), limit: 1 << 20) == nil)
      #expect(try GainMapRemoval.removed(from: file) == nil)
    }
  }

  @Test func `a picture without a map is copied as it is`() throws {
    let disparity = Self.packet(
      #"xmlns:a="http://ns.apple.com/pixeldatainfo/1.0/" a:AuxiliaryImageType="disparity""#)
    let other = [0xFF, 0xD8] + Self.xmp(disparity) + Self.coded
    for file in [Self.file([], []), Self.file(Self.version, [(0, other)])] {
      #expect(try GainMapRemoval.sdrCopy(of: ArraySource(file), limit: 1 << 20) == .unchanged)
      #expect(try GainMapRemoval.removed(from: file) == file)
    }
  }

  /// Such files are re-encoded.
  @Test func `a map that cannot be removed is not`() throws {
    let damaged = Self.xmp(Array("<x:xmpmeta><rdf:RDF".utf8))
    var cut = Self.file([], [(0, Self.map)])
    // The first picture has no end, the map begins within it.
    let end = try #require(cut.firstIndex(of: Self.coded)) + Self.coded.count
    cut.replaceSubrange(end - 2..<end, with: [0, 0])
    for file in [Self.file(damaged, [(0, Self.map)]), cut] {
      #expect(try GainMapRemoval.sdrCopy(of: ArraySource(file), limit: 1 << 20) == nil)
    }
    let large = Self.file([], [(0, Self.map)])
    #expect(try GainMapRemoval.sdrCopy(of: ArraySource(large), limit: 100) == nil)
  }
}
