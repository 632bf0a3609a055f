import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Further pictures in a JPEG, which exiftool confirms, and PNG's coded colour.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .exiftool)))
struct AuxiliaryPictureTests {
  private let folder: ScratchFolder
  private static let isoName = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)

  init() throws {
    folder = try ScratchFolder()
  }

  private func clues(_ name: String) throws -> [String] {
    guard case .media(let facts, _) = probe(BytePath(folder.path(name))) else {
      throw ToolFailure(description: "\(name): \(probe(BytePath(folder.path(name))))")
    }
    return facts.clues.map(\.line)
  }

  private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(content.count + 2, 2) + content
  }

  private func xmp(_ properties: String) -> [UInt8] {
    segment(
      0xE1,
      Array("http://ns.adobe.com/xap/1.0/\0".utf8)
        + Array(
          """
          <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
           xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
           xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"
           xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/">\(properties)</rdf:Description>
          </rdf:RDF></x:xmpmeta>
          """.utf8))
  }

  /// The index of two pictures (CIPA DC-007 §5.2); the second begins `distance` bytes after its header.
  private func index(first: Int, second: Int, distance: Int, type: Int) -> [UInt8] {
    let entries = [(0x030000, first, 0), (type, second, distance)].flatMap {
      bigEndian($0.0, 4) + bigEndian($0.1, 4) + bigEndian($0.2, 4) + bigEndian(0, 4)
    }
    let fields =
      bigEndian(0xB000, 2) + bigEndian(7, 2) + bigEndian(4, 4) + Array("0100".utf8)
      + bigEndian(0xB001, 2) + bigEndian(4, 2) + bigEndian(1, 4) + bigEndian(2, 4)
      + bigEndian(0xB002, 2) + bigEndian(7, 2) + bigEndian(32, 4) + bigEndian(50, 4)
    let tiff = Array("MM\0*".utf8) + bigEndian(8, 4) + bigEndian(3, 2) + fields + bigEndian(0, 4)
    return segment(0xE2, Array("MPF\0".utf8) + tiff + entries)
  }

  /// Writes a JPEG with two pictures, of which the second has an additional segment.
  private func make(
    _ name: String, first: [UInt8] = [], second: [UInt8], type: Int = 0, isCut: Bool = false
  ) async throws {
    try await folder.makePicture("base-" + name)
    let base = try folder.bytes("base-" + name)
    let other = base.prefix(2) + second + base.dropFirst(2)
    let placeholder = index(first: 0, second: 0, distance: 0, type: type)
    let length = base.count + first.count + placeholder.count
    // The index's own header follows SOI, marker, length and `MPF`.
    let mark = index(first: length, second: other.count, distance: length - 10, type: type)
    let primary = base.prefix(2) + mark + first + base.dropFirst(2)
    try folder.write(Array(primary) + (isCut ? [] : Array(other)), to: name)
    if !isCut {
      let count = try await Tool.exiftool.run(["-s3", "-MPF:NumberOfImages", folder.path(name)])
      try #require(count == "2")
    }
  }

  @Test(arguments: ["urn:com:apple:photo:2020:aux:hdrgainmap", "disparity"])
  func iPhonesNameAuxiliaryPictures(kind: String) async throws {
    let packet = xmp("<apdi:AuxiliaryImageType>\(kind)</apdi:AuxiliaryImageType>")
    try await make("a.jpg", second: packet)
    let confirmed = try await Tool.exiftool.run([
      "-ee", "-s3", "-XMP-apdi:AuxiliaryImageType", folder.path("a.jpg"),
    ])
    #expect(confirmed == kind)
    #expect(try clues("a.jpg") == ["jpeg.aux=\(kind)"])
  }

  @Test func aGainMapIsRecognisedByItsSegments() async throws {
    let iso = segment(0xE2, Self.isoName + [UInt8](repeating: 0, count: 40))
    try await make("iso.jpg", first: segment(0xE2, Self.isoName + [0, 0, 0, 0]), second: iso)
    #expect(try clues("iso.jpg") == ["jpeg.gainMap"])
    try await make("adobe.jpg", second: xmp("<hdrgm:Version>1.0</hdrgm:Version>"))
    #expect(try clues("adobe.jpg") == ["jpeg.gainMap"])
  }

  /// Ultra HDR image format 1.1: the directory of the file's parts contains the gain map's length, with or
  /// without an index of pictures.
  @Test func aGainMapIsFoundByTheListOfParts() async throws {
    try await folder.makePicture("base.jpg")
    let base = try folder.bytes("base.jpg")
    let map = base.prefix(2) + xmp("<hdrgm:Version>1.0</hdrgm:Version>") + base.dropFirst(2)
    func item(_ semantic: String, _ length: Int) -> String {
      #"<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="\#(semantic)" Item:Length="\#(length)"/></rdf:li>"#
    }
    let parts = xmp(
      #"<Container:Directory xmlns:Container="http://ns.google.com/photos/1.0/container/" "#
        + #"xmlns:Item="http://ns.google.com/photos/1.0/container/item/"><rdf:Seq>"#
        + item("Primary", 0) + item("GainMap", map.count) + "</rdf:Seq></Container:Directory>"
        + "<hdrgm:Version>1.0</hdrgm:Version>")
    let primary = Array(base.prefix(2) + parts + base.dropFirst(2))
    try folder.write(primary + map, to: "a.jpg")
    let confirmed = try await Tool.exiftool.run([
      "-a", "-s3", "-sep", ",", "-XMP:DirectoryItemLength", folder.path("a.jpg"),
    ])
    // Versions of exiftool differ in whether they make a list of them.
    #expect(confirmed.split { ",\n".contains($0) } == ["0", "\(map.count)"])
    #expect(try clues("a.jpg") == ["jpeg.gainMap", "hdrgm=1.0"])
    try folder.write(primary, to: "stripped.jpg")
    #expect(try clues("stripped.jpg") == ["hdrgm=1.0"])
  }

  /// Xiaomi's camera writes its own XML into an XMP property; every picture has this property.
  @Test(arguments: [("&lt;depthmap version='2'/>", ["xmp.MiDepth"]), ("&lt;?xml ?>", [])])
  func xiaomisPortraitsNameADepthMap(content: String, expected: [String]) async throws {
    try await folder.makePicture("base.jpg")
    let base = try folder.bytes("base.jpg")
    let packet = xmp(
      #"<m:XMPMeta xmlns:m="http://ns.xiaomi.com/photos/1.0/camera/">\#(content)</m:XMPMeta>"#)
    try folder.write(Array(base.prefix(2) + packet + base.dropFirst(2)), to: "a.jpg")
    #expect(try clues("a.jpg") == expected)
  }

  /// Samsung's phones write their trailer after a PNG's last chunk, too.
  @Test func samsungsTrailerIsReadAfterAPNG() async throws {
    func little(_ number: Int, _ width: Int) -> [UInt8] { bigEndian(number, width).reversed() }
    let block =
      little(0, 2) + little(0x0C51, 2) + little(20, 4)
      + Array("Samsung_Capture_InfoScreenshot".utf8)
    let entry = little(0, 2) + little(0x0C51, 2) + little(block.count, 4) + little(block.count, 4)
    let directory = Array("SEFH".utf8) + little(101, 4) + little(1, 4) + entry
    try await folder.makePicture("base.png")
    let trailer = block + directory + little(directory.count, 4) + Array("SEFT".utf8)
    try folder.write(try folder.bytes("base.png") + trailer, to: "a.png")
    #expect(try clues("a.png").contains("samsung.CaptureInfo=Screenshot"))
  }

  /// The first picture's XMP, whose gain map is missing; a preview; another kind of segment.
  @Test func otherPicturesAreNotGainMaps() async throws {
    let iso = segment(0xE2, Self.isoName + [0, 0, 0, 0])
    try await make("cut.jpg", first: iso, second: iso, isCut: true)
    #expect(try clues("cut.jpg").isEmpty)
    try await make("preview.jpg", first: iso, second: [], type: 0x010001)
    #expect(try clues("preview.jpg") == [])
    try await make("other.jpg", second: segment(0xE2, Array("urn:iso:std:iso:ts:1:-1\0".utf8)))
    #expect(try clues("other.jpg") == [])
  }

  /// PNG 3rd edition §11.3.2.6: primaries, transfer (ITU-T H.273: 16 PQ, 18 HLG), matrix, full range.
  @Test(arguments: [(16, ["png.transfer=pq"]), (18, ["png.transfer=hlg"]), (13, [])])
  func codedColourContainsTheTransfer(transfer: Int, expected: [String]) async throws {
    try await folder.makePicture("a.png")
    let png = try folder.bytes("a.png")
    let chunk = bigEndian(4, 4) + Array("cICP".utf8) + [9, UInt8(transfer), 0, 1] + bigEndian(0, 4)
    // After the signature and IHDR, 33 bytes.
    try folder.write(png.prefix(33) + chunk + png.dropFirst(33), to: "b.png")
    #expect(try clues("b.png").filter { $0.hasPrefix("png.transfer") } == expected)
  }
}
