import ByteReading
import FactReading
import LibExif
import LittleCMS
import MediaEdits
import MediaFormats
import MediaModel
import MetadataRemoval
import WorkerProtocol

// The readers of media files and of the blocks inside of them.

/// Reads a file's facts as a type, and removes its metadata.
func readFile(_ bytes: [UInt8], _ type: UniformType) {
  let source = ArraySource(bytes)
  let name = Array("fuzz".utf8)
  let facts =
    (try? PictureReading.read(type, source))??.facts(type: type, name: name)
    ?? (try? MovieReading.read(type, source))?.facts(type: type, name: name)
  if let facts { checkCoding(of: .media(facts, emptyFingerprint)) }
  _ = try? PictureMetadata.read(type, source)
  if type == .bmp { _ = BMPFile.decodable(bytes) }
  if type == .jpeg2000 { _ = JPEG2000File.decodable(bytes) }
  for policy in [MetadataPolicy.withoutLocation, .withoutCaptions, .appearanceOnly] {
    _ = (try? Redaction.of(type, source, policy))?.applied(to: bytes)
  }
}

func sniff(_ bytes: [UInt8]) {
  let source = ArraySource(bytes)
  _ = try? ProbeFailure.notMedia(source, promise: "jpg")
  for name in ["", "jpg", "mov", "json", "aae"] {
    switch try? ContentType(of: source, fileExtension: name) {
    case .media(let type): readFile(bytes, type)
    case .sidecar(let kind): readSidecar(kind, bytes)
    case .unknown, nil: break
    }
  }
}

/// Reads a sidecar file, and sends its facts as a worker does.
func readSidecar(_ kind: SidecarKind, _ bytes: [UInt8]) {
  guard let facts = (try? SidecarFacts(kind, ArraySource(bytes))) ?? nil else { return }
  checkCoding(of: .sidecar(facts, emptyFingerprint))
}

func readExif(_ bytes: [UInt8]) {
  _ = ExifBlock(tiff: bytes)
  _ = ExifBlock.namedTags(tiff: bytes)
  _ = MakerNote(exif: bytes)
  _ = exifThumbnail(in: bytes)
  _ = ExifBlockRedaction.removing(.withoutLocation, from: bytes)
  _ = ExifBlockRedaction.removing(.withoutCaptions, from: bytes)
}

/// Photoshop's image resources, and the IPTC records in them.
func readResources(_ bytes: [UInt8]) {
  for resource in PhotoshopResource.list(bytes) {
    _ = IPTCRecords(Array(bytes[resource.data])).map { ($0.title, $0.caption, $0.keywords) }
  }
  _ = IPTCRecords(bytes).map { ($0.title, $0.caption, $0.keywords) }
  for policy in [MetadataPolicy.withoutLocation, .withoutCaptions] {
    precondition(IPTCRedaction.removing(policy, fromResources: bytes).count == bytes.count)
  }
}

func readProfile(_ bytes: [UInt8]) {
  precondition(ICCRedaction.removing(.withoutLocation, from: bytes).count == bytes.count)
  convertBy(profile: bytes)
}

/// Converts pixels of each layout that a profile may describe.
private func convertBy(profile bytes: [UInt8]) {
  guard let space = ColorProfile.Space(of: bytes), let profile = try? ColorProfile(bytes) else {
    return
  }
  let layouts: [Raster.Layout] =
    switch space {
    case .gray: [.gray8, .gray16, .rgba8]
    case .rgb: [.rgb8, .rgba16]
    case .cmyk: [.rgba8, .rgba16]
    }
  let size = PixelSize(width: 64, height: 1)
  _ = try? profile.isSRGB()
  for layout in layouts {
    guard var raster = Raster(size: size, layout: layout) else { continue }
    for index in raster.planes[0].bytes.indices {
      raster.planes[0].bytes[index] = UInt8(truncatingIfNeeded: index * 37)
    }
    if let result = try? profile.convert(raster, isInverted: layout.isDeep) {
      precondition(result.size == size)
    }
  }
}

/// A text in any encoding that may contain a position.
func readPlace(_ bytes: [UInt8]) {
  _ = LocationDetection.recordsPlace(bytes)
  _ = LocationDetection.recordsPlace(bytes, key: "title")
  _ = LocationDetection.isMachineTag(bytes)
}

/// Coded video: the first byte chooses the codec, the second is the length of the decoder configuration that follows.
func readUserData(_ bytes: [UInt8]) {
  guard bytes.count > 2 else { return }
  let codecs: [VideoUserData.Codec] = [.h264, .hevc, .av1, .mpeg]
  let configuration = Array(bytes[2...].prefix(Int(bytes[1])))
  let packet = Array(bytes[(2 + configuration.count)...])
  let form = VideoUserData(codecs[Int(bytes[0]) % codecs.count], configuration: configuration)
  for isLayered in [false, true] {
    for range in form.erasable(inConfiguration: configuration, isLayered: isLayered) {
      precondition(range.upperBound <= configuration.count)
    }
  }
  for range in form.erasable(in: packet) { precondition(range.upperBound <= packet.count) }
}

func readZlib(_ bytes: [UInt8]) {
  let limit = 1 << 20
  if let content = inflateZlib(bytes, limit: limit) {
    precondition(content.count <= limit)
    let ranges = [0..<UInt64(bytes.count)]
    precondition((try? zlibLength(in: ArraySource(bytes), ranges)) != .some(nil))
  }
  _ = inflateRaw(bytes, limit: limit)
}

func readXML(_ bytes: [UInt8]) {
  _ = XMLMarkup(bytes)
  _ = XMPPacket(bytes)
  for policy in [MetadataPolicy.withoutLocation, .withoutCaptions, .appearanceOnly] {
    precondition(XMPRedaction.removing(policy, from: bytes).count == bytes.count)
  }
  readSidecar(.xmp, bytes)
}

/// A date in any of the texts of a picture.
func readDate(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = DateText(text)
  let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
    photoshop:DateCreated="\(text.filter { !"\"<&".contains($0) })"/></rdf:RDF></x:xmpmeta>
    """
  readSidecar(.xmp, Array(packet.utf8))
}
