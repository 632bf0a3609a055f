import ByteReading
import Foundation
import MediaModel
import Testing

@testable import FactReading
@testable import MediaFormats

/// The facts that large sidecars contain.
struct LargeSidecarTests {
  private func packet(_ history: String) -> String {
    """
    <?xml version="1.0"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
     xmlns:darktable="http://darktable.sf.net/" xmp:Rating="4"><darktable:history><rdf:Seq>\(history)</rdf:Seq>
    </darktable:history><dc:title><rdf:Alt><rdf:li xml:lang="x-default">“Café” – 5 €</rdf:li></rdf:Alt></dc:title>
    </rdf:Description></rdf:RDF></x:xmpmeta>
    """
  }

  /// darktable stores the parameters of each step, and the points of each mask.
  @Test(arguments: [0, 700, 3000])
  func `a long history does not hide the rest of a sidecar`(steps: Int) throws {
    let step =
      "<rdf:li darktable:operation=\"retouch\" darktable:params=\"\(String(repeating: "gz09", count: 800))\"/>"
    let bytes = Array(packet(String(repeating: step, count: steps)).utf8)
    let facts = try #require(try SidecarFacts(.xmp, ArraySource(bytes)))
    #expect(facts.rating == 4)
    #expect(facts.title == "“Café” – 5 €")
  }

  /// The keys by which a Takeout's file is recognised follow the description. A JSON text can contain quotation marks,
  /// backslashes and braces (RFC 8259 §7).
  @Test(arguments: [60_000, 66_000, 131_072, 3_000_000])
  func `a long description does not hide the rest of a Takeout's file`(length: Int) throws {
    let unit = "A \"{[lake]}\" \\ – "
    let description = String(repeating: unit, count: length / unit.utf8.count)
    let record =
      #"{"title": "IMG_1.jpg", "description": \#(try encoded(description)), "imageViews": "3", "#
      + #""photoTakenTime": {"timestamp": "1645012541"}, "people": [{"name": "Ada"}]}"#
    let source = ArraySource(Array(record.utf8))
    #expect(try ContentType(of: source, fileExtension: "json") == .sidecar(.takeoutJSON))
    let facts = try #require(try SidecarFacts(.takeoutJSON, source))
    #expect(facts.caption == description)
    #expect(facts.people == ["Ada"])
    // date -u -d @1645012541
    #expect(facts.captureTime?.iso8601 == "2022-02-16T11:55:41+00:00")
  }

  @Test func `a long description does not hide the rest of an album's file`() throws {
    let text = String(repeating: "At the lake. ", count: 10_000)
    let record =
      #"{"title": "Lake", "description": "\#(text)", "access": "protected", "#
      + #""date": {"timestamp": "1645012541"}}"#
    let source = ArraySource(Array(record.utf8))
    #expect(try ContentType(of: source, fileExtension: "json") == .sidecar(.albumJSON))
    #expect(try SidecarFacts(.albumJSON, source)?.title == "Lake")
  }

  private func encoded(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  /// Foundation converts the text.
  @Test func `texts of old programs are read as Windows-1252`() throws {
    let data = try #require(packet("").data(using: .windowsCP1252))
    let facts = try #require(try SidecarFacts(.xmp, ArraySource(Array(data))))
    #expect(facts.title == "“Café” – 5 €")
  }
}
