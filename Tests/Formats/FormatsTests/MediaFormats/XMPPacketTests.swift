import MediaFormats
import MediaModel
import Testing

struct XMPPacketTests {
  private func packet(_ description: String) throws -> XMPPacket {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\(description)</rdf:RDF></x:xmpmeta>
      """
    return try #require(XMPPacket(Array(text.utf8)))
  }

  @Test func `arrays and alternatives are read`() throws {
    let packet = try #require(XMPPacket(MadeFile.xmpPacket))
    #expect(packet.keywords == ["one & only", "zwei"])
    #expect(packet.title == "Title")
    #expect(packet.value(XMPNamespace.camera, "MotionPhoto") == "1")
  }

  @Test func `container items are read in both forms`() throws {
    let items = try #require(XMPPacket(MadeFile.xmpPacket)).containerItems
    #expect(items.map(\.semantic) == ["Primary", "MotionPhoto"])
    #expect(items.map(\.mime) == ["image/jpeg", "video/mp4"])
    #expect(items.map(\.length) == [0, UInt64(MadeFile.clip.count)])
  }

  /// Thousands of deep paths would be hundreds of thousands of rows.
  @Test func `hierarchical keywords are limited`() throws {
    func path(_ levels: Int, _ name: String) -> String {
      Array(repeating: name, count: levels).joined(separator: "|")
    }
    func paths(_ items: [String]) throws -> [String] {
      try packet(
        """
        <rdf:Description xmlns:lr="http://ns.adobe.com/lightroom/1.0/"><lr:hierarchicalSubject><rdf:Bag>
        \(items.map { "<rdf:li>\($0)</rdf:li>" }.joined())
        </rdf:Bag></lr:hierarchicalSubject></rdf:Description>
        """
      ).keywordPaths
    }
    let many = (0..<3200).map { path(32, "n\($0)") }
    #expect(try paths(many) == Array(many.prefix(128)))
    #expect(try paths([path(32, "a"), path(33, "b")]) == [path(32, "a")])
    // 512 bytes, and one more.
    let (longest, longer) = (
      "a|" + String(repeating: "é", count: 255), "ab|" + String(repeating: "é", count: 255)
    )
    #expect(try paths([longer, longest]) == [longest])
    // A worker's reply is limited by the same function.
    #expect(KeywordPath.limited(many + [longer]) == Array(many.prefix(128)))
  }

  @Test func `schemas are identified by their URI`() throws {
    let packet = try packet(
      """
      <rdf:Description xmlns:xmp="http://example.org/" xmp:Rating="1"
        xmlns:zzz="http://ns.adobe.com/xap/1.0/"><zzz:Rating>4</zzz:Rating></rdf:Description>
      """)
    #expect(packet.rating == 4)
  }

  @Test func `UTF-16 is read`() throws {
    let text = String(decoding: MadeFile.xmpPacket, as: UTF8.self)
    let big: [UInt8] = text.utf16.map(Int.init).flatMap(be16)
    let little: [UInt8] = [0xFF, 0xFE] + text.utf16.map(Int.init).flatMap(le16)
    #expect(XMPPacket(little)?.title == "Title")
    #expect(XMPPacket(big)?.title == "Title")
  }

  @Test func `Latin-1 is read`() {
    let text = String(decoding: MadeFile.xmpPacket, as: UTF8.self)
      .replacing("zwei", with: "zwölf").replacing("\u{FEFF}", with: "")
    #expect(XMPPacket(text.unicodeScalars.map { UInt8($0.value) })?.keywords.last == "zwölf")
  }

  @Test func `entities are not expanded`() throws {
    let text = """
      <!DOCTYPE x [<!ENTITY lol "lollollol"><!ENTITY f SYSTEM "file:///etc/passwd">]>
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="&lol;&f; &lt;&#65;&#x42;&gt;"/>
      </rdf:RDF>
      """
    let packet = try #require(XMPPacket(Array(text.utf8)))
    #expect(packet.camera.software == "&lol;&f; <AB>")
  }

  @Test func `the depth is bounded`() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(XMPPacket(Array(deep.utf8)) == nil)
  }

  @Test func `the location is read`() throws {
    let packet = try packet(
      """
      <rdf:Description xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="47,21.6S"
        e:GPSLongitude="8,32,24E" e:GPSAltitude="4080/10" e:GPSAltitudeRef="1"/>
      """)
    let location = try #require(packet.location)
    #expect(abs(location.latitude + 47.36) < 1e-9)
    #expect(abs(location.longitude - 8.54) < 1e-9)
    #expect(location.altitude == -408)
  }

  /// Programs that know no place leave the direction, as `"" + "N"`.
  @Test(arguments: ["N", " S ", "", "1,2,3,4N", ",N", "NaN", "-5,0N"])
  func `what is not a latitude is no place on the equator`(latitude: String) throws {
    let packet = try packet(
      """
      <rdf:Description xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="\(latitude)"
        e:GPSLongitude="8,32,24E"/>
      """)
    #expect(packet.location == nil)
  }

  /// XMP records the reference as EXIF does. EXIF 3.0 §4.6.7, GPSAltitudeRef: 0 and 2 are above the reference,
  /// 1 and 3 below it; no value means 0.
  @Test(arguments: [
    ("e:GPSAltitudeRef=\"0\"", 430.0), ("e:GPSAltitudeRef=\"1\"", -430),
    ("e:GPSAltitudeRef=\"2\"", 430), ("e:GPSAltitudeRef=\"3\"", -430), ("", 430),
  ])
  func `altitudes of every reference are read`(reference: String, altitude: Double) throws {
    let packet = try packet(
      """
      <rdf:Description xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="47,21.6N"
        e:GPSLongitude="8,32,24E" e:GPSAltitude="430/1" \(reference)/>
      """)
    #expect(packet.location?.altitude == altitude)
  }

  @Test func `hierarchical keywords are read`() throws {
    let packet = try packet(
      """
      <rdf:Description xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
        xmlns:dk="http://www.digikam.org/ns/1.0/"><lr:hierarchicalSubject><rdf:Bag>
        <rdf:li>Animals|Cat</rdf:li></rdf:Bag></lr:hierarchicalSubject><dk:TagsList><rdf:Seq>
        <rdf:li>Places/Home</rdf:li><rdf:li>Pets/Cat</rdf:li></rdf:Seq></dk:TagsList>
      </rdf:Description>
      """)
    #expect(packet.keywords == ["Cat", "Home"])
  }

  /// Regions as exiftool 12.57 writes them for `-RegionInfo` and `-RegionInfoMP`.
  @Test func `people of all schemas are read, and are not keywords`() throws {
    let packet = try packet(
      """
      <rdf:Description xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
        xmlns:MP="http://ns.microsoft.com/photo/1.2/"
        xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#"
        xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#"
        xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
        xmlns:fstop="http://www.fstopapp.com/xmp/" fstop:favorite="1"
        xmlns:dk="http://www.digikam.org/ns/1.0/">
      <Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Ann</rdf:li></rdf:Bag></Iptc4xmpExt:PersonInImage>
      <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>
        <rdf:li rdf:parseType="Resource"><mwg-rs:Name>Bob</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type></rdf:li>
        <rdf:li rdf:parseType="Resource"><mwg-rs:Name>Rex</mwg-rs:Name><mwg-rs:Type>Pet</mwg-rs:Type></rdf:li>
      </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
      <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>
        <rdf:li rdf:parseType="Resource"><MPReg:PersonDisplayName>Cleo</MPReg:PersonDisplayName></rdf:li>
      </rdf:Bag></MPRI:Regions></MP:RegionInfo>
      <dk:TagsList><rdf:Seq><rdf:li>People/Family/Dan</rdf:li><rdf:li>People</rdf:li>
        <rdf:li>sea</rdf:li></rdf:Seq></dk:TagsList>
      </rdf:Description>
      """)
    #expect(packet.people == ["Ann", "Bob", "Cleo", "Dan"])
    #expect(packet.keywords == ["People", "sea"])
    #expect(packet.isFavorite)
  }

  @Test func `a keyword with a separator is not split`() throws {
    let packet = try packet(
      """
      <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:dk="http://www.digikam.org/ns/1.0/"><dc:subject><rdf:Bag><rdf:li>a/b</rdf:li>
        </rdf:Bag></dc:subject><dk:TagsList><rdf:Seq><rdf:li>a/b</rdf:li></rdf:Seq></dk:TagsList>
      </rdf:Description>
      """)
    #expect(packet.keywords == ["a/b"])
  }

  /// EXIF 3.0 §4.6.7.1.7: 1 is below sea level.
  @Test(arguments: [
    ("0", "12/1", 12.0), ("1", "12/1", -12), ("1", "-12/1", -12), ("0", "-12/1", -12),
  ])
  func `altitudes below sea level are negative`(
    reference: String, altitude: String, expected: Double
  ) throws {
    let packet = try packet(
      """
      <rdf:Description xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="1,0N" e:GPSLongitude="2,0E"
        e:GPSAltitudeRef="\(reference)" e:GPSAltitude="\(altitude)"/>
      """)
    #expect(packet.location?.altitude == expected)
  }

  /// A search of all properties for each region would take minutes.
  @Test(.timeLimit(.minutes(1)))
  func `thousands of faces are read`() throws {
    let count = 9000
    let faces = (0..<count).map {
      "<rdf:li m:Name='p\($0)' m:Type='\($0 % 2 == 0 ? "Face" : "Pet")'/>"
    }
    let packet = try packet(
      """
      <rdf:Description xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/"><m:Regions
        rdf:parseType="Resource"><m:RegionList><rdf:Bag>\(faces.joined())</rdf:Bag></m:RegionList></m:Regions>
      </rdf:Description>
      """)
    #expect(packet.people == stride(from: 0, to: count, by: 2).map { "p\($0)" })
  }
}
