import Testing

/// Small files that record a place in every form that their format has, and other metadata.
extension MadeFile {
  /// A text that the files contain only as a part of a place.
  static let place = "Zuerichplatz"

  static let located = [
    locatedJPEG, locatedPNG, locatedWebP, locatedGIF, locatedTIFF, locatedMovie, locatedMatroska,
    locatedAVI, locatedJPEGXL,
  ]

  static let locatedXMP = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <r:Description xmlns:e="http://ns.adobe.com/exif/1.0/" e:GPSLatitude="47.3600N"
      xmlns:p="http://ns.adobe.com/photoshop/1.0/" p:City='\(place)' p:Headline="Kept">
    <l:LocationShown xmlns:l="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><r:Bag><r:li>\(place)</r:li>
    </r:Bag></l:LocationShown></r:Description></r:RDF></x:xmpmeta>
    """.utf8)

  /// Headline, City and Country of IPTC.
  private static let datasets: [UInt8] =
    [0x1C, 2, 105, 0, 4] + Array("Kept".utf8) + [0x1C, 2, 90, 0, 12] + Array(place.utf8)
    + [0x1C, 2, 101, 0, 12] + Array(place.utf8)

  private static let resources: [UInt8] =
    Array("8BIM".utf8) + be16(0x0404) + [0, 0] + be32(Int64(datasets.count)) + datasets
    + (datasets.count % 2 == 1 ? [0] : [])

  /// ImageDescription, and a GPS IFD whose GPSProcessingMethod is the place.
  private static let exif: [UInt8] = {
    var block = Array("II".utf8) + le16(42) + le32(8)
    block += le16(2) + entry(0x010E, 2, 5, le32(38)) + entry(0x8825, 4, 1, le32(44)) + le32(0)
    block += Array("Kept\0\0".utf8)
    block += le16(1) + entry(0x001B, 7, 20, le32(62)) + le32(0)
    return block + Array("ASCII\0\0\0\(place)".utf8)
  }()

  private static let locatedJPEG = MadeFile(
    name: "located JPEG",
    bytes: [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + exif)
      + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + locatedXMP)
      + segment(0xE5, Array("RMETA\0\(place)".utf8))
      + segment(0xED, Array("Photoshop 3.0\0".utf8) + resources)
      + segment(0xFE, Array("GPS \(place)".utf8)) + segment(0xC0, [8, 0, 1, 0, 1, 1] + zeros(3))
      + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 2, 0xFF, 0xD9] + Array(place.utf8))

  private static let locatedPNG = MadeFile(
    name: "located PNG",
    bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", be32(1) + be32(1) + [8, 6, 0, 0, 0]) + chunk("eXIf", exif)
      + chunk("tEXt", Array("exif:GPSInfo\0\(place)".utf8))
      + chunk("caBX", Array(place.utf8))
      + chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + locatedXMP)
      + chunk("IDAT", [1, 2, 3]) + chunk("IEND", []) + Array(place.utf8))

  private static let locatedWebP: MadeFile = {
    let chunks =
      riff("VP8X", [0x0C, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + riff("VP8L", [0x2F, 0, 0, 0, 0])
      + riff("EXIF", exif) + riff("XMP ", locatedXMP) + riff("C2PA", Array(place.utf8))
    return MadeFile(
      name: "located WebP",
      bytes: Array("RIFF".utf8) + le32(chunks.count + 4) + Array("WEBP".utf8) + chunks)
  }()

  private static let locatedGIF = MadeFile(
    name: "located GIF",
    bytes: Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
      + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + locatedXMP + [1]
      + (0...255).reversed().map { UInt8($0) } + [0]
      + [0x21, 0xFE, 16] + Array("GPS \(place)".utf8) + [0]
      + [0x2C] + zeros(4) + [1, 0, 1, 0, 0, 2, 2, 0x4C, 0x01, 0, 0x3B])

  private static let locatedTIFF = MadeFile(name: "located TIFF", bytes: exif)

  private static let locationKey = "com.apple.quicktime.location.ISO6709"

  /// Metadata keys: one for a place, and another one.
  private static let keyedMetadata: [UInt8] = {
    let handler = box("hdlr", zeros(8) + Array("mdta".utf8) + zeros(13))
    let names = box("mdta", Array(locationKey.utf8)) + box("mdta", [0x61])
    let keys = box("keys", be32(0) + be32(2) + names)
    let value = box("data", be32(1) + be32(0) + Array(place.utf8))
    let other = box("data", be32(1) + be32(0) + Array("Kept".utf8))
    let list = box("ilst", box([0, 0, 0, 1], value) + box([0, 0, 0, 2], other))
    return box("meta", handler + keys + list)
  }()

  /// A track of one sample that records a place.
  private static func placeTrack(sampleSize: Int, at offset: Int) -> [UInt8] {
    let definition = box("keyd", Array("mdta\(locationKey)".utf8))
    let keys = box("keys", box([0, 0, 0, 1], definition))
    let entry = box("mebx", zeros(8) + keys)
    var tables = box("stsd", be32(0) + be32(1) + entry)
    tables += box("stsc", be32(0) + be32(1) + be32(1) + be32(1) + be32(1))
    tables += box("stsz", be32(0) + be32(0) + be32(1) + be32(Int64(sampleSize)))
    tables += box("stco", be32(0) + be32(1) + be32(Int64(offset)))
    let handler = box("hdlr", zeros(8) + Array("meta".utf8) + zeros(13))
    let media = box("mdia", handler + box("minf", box("stbl", tables)))
    return box("trak", box("tkhd", zeros(84)) + media)
  }

  /// User data, metadata keys, an unknown box, and a track with places as samples.
  private static let locatedMovie: MadeFile = {
    let ftyp = box("ftyp", Array("qt  ".utf8) + be32(0) + Array("qt  ".utf8))
    let sample = be32(20) + be32(1) + Array(place.utf8)
    var user = box([0xA9] + Array("xyz".utf8), be16(12) + be16(0) + Array(place.utf8))
    user += box("loci", Array(place.utf8))
    user += box("XMP_", locatedXMP)
    var movie = box("mvhd", zeros(100))
    movie += placeTrack(sampleSize: sample.count, at: ftyp.count + 8)
    movie += box("udta", user) + keyedMetadata
    var bytes = ftyp + box("mdat", sample) + box("moov", movie)
    bytes += box("gps0", Array(place.utf8)) + box("free", Array(place.utf8))
    return MadeFile(name: "located movie", bytes: bytes)
  }()

  private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
    id + [0x40 | UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }

  /// Two tags, one of which is a place.
  private static let locatedMatroska: MadeFile = {
    func tag(_ name: String, _ value: String) -> [UInt8] {
      element(
        [0x67, 0xC8],
        element([0x45, 0xA3], Array(name.utf8)) + element([0x44, 0x87], Array(value.utf8)))
    }
    let tags = element(
      [0x12, 0x54, 0xC3, 0x67],
      element([0x73, 0x73], tag("LOCATION", place) + tag("TITLE", "Kept")))
    return MadeFile(
      name: "located Matroska",
      bytes: element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
        + element([0x18, 0x53, 0x80, 0x67], tags))
  }()

  private static let locatedAVI: MadeFile = {
    func list(_ type: String, _ content: [UInt8]) -> [UInt8] {
      riff("LIST", Array(type.utf8) + content)
    }
    let content =
      list("hdrl", riff("avih", zeros(56)) + list("ncdt", Array(place.utf8)))
      + list("INFO", riff("INAM", Array("Kept".utf8)) + riff("ICNT", Array(place.utf8)))
      + list("movi", [])
    return MadeFile(
      name: "located AVI", bytes: riff("RIFF", Array("AVI ".utf8) + content))
  }()

  private static let locatedJPEGXL = MadeFile(
    name: "located JPEG XL",
    bytes: [0, 0, 0, 0x0C] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]
      + box("ftyp", Array("jxl ".utf8) + be32(0)) + box("jxlc", jpegXL.bytes)
      + box("Exif", be32(0) + exif) + box("xml ", locatedXMP)
      + box("brob", Array("Exif".utf8) + Array(place.utf8)))
}
