import ByteReading
import Foundation
import MediaModel
import Testing

@testable import FactReading

/// The facts that XMP files contain.
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

  /// Foundation converts the text.
  @Test func `texts of old programs are read as Windows-1252`() throws {
    let data = try #require(packet("").data(using: .windowsCP1252))
    let facts = try #require(try SidecarFacts(.xmp, ArraySource(Array(data))))
    #expect(facts.title == "“Café” – 5 €")
  }
}
