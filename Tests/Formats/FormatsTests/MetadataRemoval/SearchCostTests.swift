import MediaEdits
import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval

/// The work to search metadata is bounded by its size.
@Suite(.timeLimit(.minutes(1)))
struct SearchCostTests {
  // MARK: Texts

  /// The readings in UTF-16 have up to three bytes for each two of the text.
  @Test(arguments: [[0x31], [0x31, 0], [0xD8, 0x01, 0xFF, 0xFE], [0x30, 0xAB]] as [[UInt8]])
  func `a text is read at most eight times`(unit: [UInt8]) {
    let text = [UInt8]((0..<1000).flatMap { _ in unit })
    var count = 0
    #expect(
      !TextReadings.contain(text) {
        count += $0.count
        return false
      })
    #expect(count >= text.count && count <= 8 * text.count)
  }

  @Test func `no further reading is made after one with the property`() {
    var readings: [[UInt8]] = []
    let text: [UInt8] = [0x31, 0, 0x32, 0, 0x33, 0]
    #expect(
      TextReadings.contain(text) {
        readings.append($0)
        return $0.count < text.count
      })
    #expect(readings == [text, Array("123".utf8)])
  }

  /// The standard library decodes UTF-16 too.
  @Test func `readings in UTF-16 are those of the standard library`() {
    let units: [UInt16] = [
      0x31, 0xB0, 0x7FF, 0x800, 0x2032, 0xD83D, 0xDE00, 0xD800, 0x41, 0xDC00, 0xDBFF, 0xDBFF,
      0xDFFF,
      0xFFFD, 0xFFFF, 0xD800,
    ]
    for order in [ByteOrder.big, .little] {
      let bytes = units.flatMap { encoded($0, width: 2, order) }
      var readings: [[UInt8]] = []
      _ = TextReadings.contain(bytes) {
        readings.append($0)
        return false
      }
      #expect(readings.contains(Array(String(decoding: units, as: UTF16.self).utf8)))
    }
  }

  @Test(arguments: [
    ("47.3711%2C8.5422", true), ("47.3711%2c8.5422", true), ("47.3711%8.5422", false),
    ("47.3711%+28.5422", false), ("47.3711,%A", false), ("47.3711%2", false),
    ("47.3711,\u{A0}\u{202F}\u{2009}\u{2212}8.5422", true), ("47.3711,\u{2013}8.5422", true),
    ("47.3711,\u{E9}8.5422", false), ("\u{C2}", false),
  ])
  func `characters that stand for others are replaced`(text: String, isPlace: Bool) {
    #expect(WrittenCoordinates.occur(in: Array(text.utf8)) == isPlace)
    // The end of a text can cut off a character.
    for count in 0..<3 {
      let cut = Array("47.37".utf8) + Array("\u{202F}".utf8.prefix(count))
      #expect(!WrittenCoordinates.occur(in: cut))
    }
  }

  // MARK: XMP

  private func packet(_ content: String, uri: String = "http://example.org/") -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)"><rdf:Description \
      xmlns:dc="\(XMPNamespace.dublinCore)" xmlns:a="\(uri)">\(content)</rdf:Description></rdf:RDF>\
      </x:xmpmeta>
      """.utf8)
  }

  /// Elements inside of each other, which are captions by their names.
  private func captions(_ depth: Int) -> [UInt8] {
    packet(
      String(repeating: "<dc:description>", count: depth) + String(repeating: "kept ", count: 4000)
        + String(repeating: "</dc:description>", count: depth))
  }

  /// The outer element is searched as a whole, and the others again.
  @Test func `a caption in a caption is searched a few times`() throws {
    let few = captions(4)
    #expect(XMPRedaction.removing(.withoutLocation, from: few) == few)
    let many = captions(40)
    let changed = XMPRedaction.removing(.withoutLocation, from: many)
    #expect(changed.count == many.count)
    #expect(changed.firstIndex(of: "kept") == nil)
    // The first four elements stay.
    #expect(changed.firstIndex(of: String(repeating: "<dc:description>", count: 4) + " ") != nil)
    #expect(XMLMarkup(changed) != nil)
  }

  @Test func `values that are searched cost their length only`() {
    var budget = 30
    let name = XMLName(namespace: XMPNamespace.dublinCore, local: "description")
    let other = XMLName(namespace: XMPNamespace.tiff, local: "Make")
    let value = Array("0123456789".utf8)[...]
    #expect(!LocationDetection.recordsPlace(other, value, budget: &budget))
    #expect(budget == 30)
    for left in [20, 10, 0] {
      #expect(!LocationDetection.recordsPlace(name, value, budget: &budget))
      #expect(budget == left)
    }
    #expect(LocationDetection.recordsPlace(name, value, budget: &budget))
  }

  /// Each property of a packet can have the same namespace.
  @Test(arguments: [1024, 1025])
  func `a packet with a very long namespace becomes spaces`(count: Int) {
    let uri = String(repeating: "u", count: count)
    let own = packet("<a:b>Kept</a:b>", uri: uri)
    let changed = XMPRedaction.removing(.withoutLocation, from: own)
    #expect(changed == (count > 1024 ? [UInt8](repeating: 0x20, count: own.count) : own))
  }

  @Test(arguments: ["http://example.org/GeoX/", "urn:gEo", "geo"])
  func `a namespace of positions is found in any case`(uri: String) {
    let changed = XMPRedaction.removing(.withoutLocation, from: packet("<a:b>1</a:b>", uri: uri))
    #expect(changed.firstIndex(of: "a:b>1") == nil)
    let other = packet("<a:b>1</a:b>", uri: "http://gexo.org/ge")
    #expect(XMPRedaction.removing(.withoutLocation, from: other) == other)
  }

  // MARK: Fragments

  /// Each track is in a movie of many fragments, which are read once for all tracks together.
  @Test(arguments: ["text", "meta"])
  func `tracks do not read all fragments again`(handler: String) throws {
    let count = 300
    let tables = box("stsd", be32(0) + be32(1) + box("text", zeros(8)))
    let media =
      box("hdlr", zeros(8) + Array(handler.utf8) + zeros(13)) + box("minf", box("stbl", tables))
    let tracks = (1...count).flatMap { id in
      box("trak", box("tkhd", zeros(12) + be32(Int64(id)) + zeros(68)) + box("mdia", media))
    }
    let fragment = box("moof", box("traf", box("tfhd", be32(0) + be32(9999))))
    let source = CountingSource(
      box("ftyp", Array("isom".utf8) + be32(512) + Array("isommp42".utf8))
        + box("moov", box("mvhd", zeros(100)) + tracks) + (0..<count).flatMap { _ in fragment })
    _ = try Redaction.of(.mpeg4, source, .withoutLocation)
    // 90,000 pairs of a track and a fragment would each need several.
    #expect(source.reads < 60_000)
  }

  /// The second track begins where the first one ends (ISO/IEC 14496-12 §8.8.7), and each fragment has both.
  @Test func `the index of fragments has the samples of each track`() throws {
    func run(_ sizes: [Int64]) -> [UInt8] {
      box("trun", be32(0x200) + be32(Int64(sizes.count)) + sizes.flatMap { be32($0) })
    }
    func header(_ id: Int64, _ flags: Int64 = 0) -> [UInt8] {
      box("tfhd", be32(flags) + be32(id))
    }
    let fragment = box(
      "moof",
      box("traf", header(1, 0x20000) + run([1, 2]) + run([3]))
        + box("traf", header(2) + run([4, 5])) + box("traf", header(3)))
    let file = box("moov", []) + fragment + fragment
    let source = ArraySource(file)
    let boxes = try source.boxes(in: 0..<source.count, limit: 3)
    let fragments = try ISOFragments(boxes[0], source)
    let index = try #require(try fragments.index(boxes.dropFirst(), maximum: 6))
    #expect(try fragments.index(boxes.dropFirst(), maximum: 5) == nil)
    let starts = boxes.dropFirst().map(\.offset)
    /// The ranges from some bytes to others after the start of each fragment.
    func ranges(_ bounds: [(UInt64, UInt64)]) -> [Range<UInt64>] {
      starts.flatMap { start in bounds.map { (start + $0.0)..<(start + $0.1) } }
    }
    let expected: [UInt32: (samples: [(UInt64, UInt64)], runs: [(UInt64, UInt64)])] = [
      1: ([(0, 1), (1, 3), (3, 6)], [(0, 3), (3, 6)]), 2: ([(6, 10), (10, 15)], [(6, 15)]),
      3: ([], []),
    ]
    for (track, bounds) in expected {
      var (samples, runs): ([Range<UInt64>], [Range<UInt64>]) = ([], [])
      try fragments.visitSamples(of: track, in: index) { samples.append($0) }
      try fragments.visitRuns(of: track, in: index) { runs.append($0) }
      #expect(samples == ranges(bounds.samples))
      #expect(runs == ranges(bounds.runs))
    }
  }
}
