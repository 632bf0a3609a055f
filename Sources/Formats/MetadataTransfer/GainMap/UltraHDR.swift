import ByteReading
package import MediaFormats

/// Writes JPEGs that are followed by a gain map: Ultra HDR (Android's image format 1.1) and ISO 21496-1 at once, since
/// most readers know one of them only. Readers that know neither show the first picture.
package enum UltraHDR {
  /// A gain map's file: a coded picture with the parameters in XMP and in ISO's segment.
  ///
  /// - Parameters:
  ///   - encoded: the samples on the logarithmic scale, as a JPEG.
  ///   - profile: of the colours in which the gain applies, where these are not the base picture's.
  package static func gainMap(
    _ encoded: [UInt8], _ metadata: GainMapMetadata, profile: [UInt8]? = nil
  ) -> [UInt8] {
    var segments = PictureAssembly.segment(
      JPEGMarker.app1,
      Array(JPEGSegmentName.xmp.utf8) + XMPPatch.packet(with: description(metadata)))
    segments += PictureAssembly.segment(
      JPEGMarker.app2, ISOGainMap.segmentName + ISOGainMap.bytes(metadata))
    if let profile { segments += PictureAssembly.profileSegments(profile) }
    // The segments come after the start marker, and after JFIF's segment if there is one.
    var start = 2
    if encoded.u16(at: 2) == 0xFFE0, let length = encoded.u16(at: 4) {
      start = min(4 + Int(length), encoded.count)
    }
    return encoded[..<start] + segments + encoded[start...]
  }

  /// A base picture's XMP with the gain map in the list of the file's parts; nil for a damaged packet.
  static func packet(_ packet: [UInt8]?, announcing gainMap: [UInt8]) -> [UInt8]? {
    let list = Array(
      (#"<rdf:Description rdf:about="" xmlns:hdrgm="\#(XMPNamespace.hdrGainMap)" "#
        + #"xmlns:Container="\#(XMPNamespace.container)" xmlns:Item="\#(XMPNamespace.containerItem)" "#
        + #"hdrgm:Version="1.0"><Container:Directory><rdf:Seq>"#
        + #"<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>"#
        + #"<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" "#
        + #"Item:Length="\#(gainMap.count)"/></rdf:li></rdf:Seq></Container:Directory></rdf:Description>"#)
        .utf8)
    guard let packet else { return XMPPatch.packet(with: list) }
    return XMPPatch.appending(list, to: packet)
  }

  /// The whole file.
  ///
  /// - Parameters:
  ///   - head: the base picture up to its last segment of metadata.
  ///   - rest: the base picture from there on.
  static func joined(
    head: [UInt8], _ rest: ArraySlice<UInt8>, _ gainMap: [UInt8]
  ) -> [UInt8] {
    let name = Array(JPEGSegmentName.multiPicture.utf8)
    let version = PictureAssembly.segment(
      JPEGMarker.app2, ISOGainMap.segmentName + ISOGainMap.versions)
    // Offsets count from the byte after the segment's marker, length and name.
    let base = head.count + version.count + 4 + name.count
    let length = base + indexLength + rest.count
    let index = pictureIndex(
      lengths: (length, gainMap.count), offsetOfSecond: length - base)
    return head + version + PictureAssembly.segment(JPEGMarker.app2, name + index) + rest + gainMap
  }

  private static let indexLength = 8 + 2 + 3 * 12 + 4 + 2 * 16

  /// The index of two pictures, the second of which is a part of the first (CIPA DC-007 §5.2.3).
  private static func pictureIndex(
    lengths: (first: Int, second: Int), offsetOfSecond: Int
  ) -> [UInt8] {
    func entry(_ tag: Int, type: Int, count: Int, _ value: [UInt8]) -> [UInt8] {
      encoded(tag, width: 2) + encoded(type, width: 2) + encoded(count, width: 4) + value
    }
    func picture(_ attributes: Int, _ length: Int, _ offset: Int) -> [UInt8] {
      encoded(attributes, width: 4) + encoded(length, width: 4) + encoded(offset, width: 4)
        + [0, 0, 0, 0]
    }
    let afterDirectory = 8 + 2 + 3 * 12 + 4
    return Array("MM".utf8) + encoded(42, width: 2) + encoded(8, width: 4) + encoded(3, width: 2)
      + entry(0xB000, type: 7, count: 4, Array("0100".utf8))
      + entry(0xB001, type: 4, count: 1, encoded(2, width: 4))
      + entry(0xB002, type: 7, count: 2 * 16, encoded(afterDirectory, width: 4))
      + encoded(0, width: 4)
      + picture(0x03_0000, lengths.first, 0) + picture(0, lengths.second, offsetOfSecond)
  }

  // MARK: XMP of the map

  private static func description(_ metadata: GainMapMetadata) -> [UInt8] {
    let channels = metadata.channels
    let values: [(String, [Double])] = [
      ("GainMapMin", channels.map(\.minimum)), ("GainMapMax", channels.map(\.maximum)),
      ("Gamma", channels.map(\.gamma)), ("OffsetSDR", channels.map(\.baseOffset)),
      ("OffsetHDR", channels.map(\.alternateOffset)),
      ("HDRCapacityMin", [metadata.baseHeadroom]),
      ("HDRCapacityMax", [metadata.alternateHeadroom]),
    ]
    var attributes = #"hdrgm:Version="1.0" hdrgm:BaseRenditionIsHDR="False""#
    var elements = ""
    for (name, numbers) in values {
      if numbers.count == 1 {
        attributes += #" hdrgm:\#(name)="\#(decimal(numbers[0]))""#
      } else {
        let items = numbers.map { "<rdf:li>\(decimal($0))</rdf:li>" }.joined()
        elements += "<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
      }
    }
    return Array(
      (#"<rdf:Description rdf:about="" xmlns:hdrgm="\#(XMPNamespace.hdrGainMap)" \#(attributes)>"#
        + elements + "</rdf:Description>").utf8)
  }

  /// A number with six decimals and without an exponent.
  private static func decimal(_ value: Double) -> String {
    let millionths = Int((value * 1_000_000).rounded())
    let digits = String(millionths.magnitude)
    let padded = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    return (millionths < 0 ? "-" : "") + padded.dropLast(6) + "." + padded.suffix(6)
  }
}
