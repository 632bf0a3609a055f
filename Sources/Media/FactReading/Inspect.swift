import ByteReading
import LibExif
import MediaFormats
import MediaModel
import WorkerProtocol

// All tags of one file for display, in the file's order.

extension MediaFile {
  /// A file with more tags than this is an attack.
  private static let maximumTags = 10_000

  func tags(readers: CodecReaders?) throws -> [MetadataTag] {
    let source = WindowedSource(self)
    let promise = FileNameParts(name: path.lastComponent).fileExtension
    switch try ContentType(of: source, fileExtension: promise) {
    case .media(let type):
      if type.format is any MovieFormat.Type {
        let reading = try MovieReading.read(type, source, readers: readers)
        return Array(reading.tags.prefix(Self.maximumTags))
      }
      let tags = try PictureReading.read(type, source, readers: readers)?.tags ?? []
      return Array(tags.prefix(Self.maximumTags))
    case .sidecar(.xmp):
      let bytes = try source.bytes(at: 0, count: Int(min(count, 4 << 20)))
      return XMPPacket(bytes)?.tags ?? []
    case .sidecar, .unknown: return []
    }
  }
}

extension PictureReading {
  /// The tags of all blocks: EXIF, Apple's maker note, XMP, IPTC, text.
  fileprivate var tags: [MetadataTag] {
    var tags: [MetadataTag] = []
    if let exif {
      let apple = ExifBlock(tiff: exif)?.makerNote.flatMap { AppleMakerNote($0) }
      // libexif misreads Apple's maker note, so its tags are left out.
      tags += ExifBlock.namedTags(tiff: exif).filter { apple == nil || $0.group != "MakerNote" }
        .map { MetadataTag(group: "EXIF " + $0.group, name: $0.name, value: $0.value) }
      tags += (apple?.tags ?? []).map {
        MetadataTag(group: "Apple", name: $0.name, value: $0.value)
      }
    }
    tags += xmp?.tags ?? []
    tags += iptc.flatMap { IPTCRecords($0) }?.tags ?? []
    tags += texts.map { MetadataTag(group: "PNG", name: $0.keyword, value: $0.text) }
    return tags
  }
}

extension XMPPacket {
  fileprivate var tags: [MetadataTag] {
    properties.map { MetadataTag(group: "XMP", name: $0.path, value: $0.value) }
  }
}

extension IPTCRecords {
  fileprivate var tags: [MetadataTag] {
    datasets.filter { $0.record == 2 }.map { dataset in
      MetadataTag(
        group: "IPTC", name: "2:\(dataset.number)",
        value: ExifText.trimmed(dataset.bytes) ?? "")
    }
  }
}

extension MovieReading {
  /// The container's tags, QuickTime's keys and user data, and each stream.
  fileprivate var tags: [MetadataTag] {
    var tags = movie.metadata.map {
      MetadataTag(group: "Container", name: $0.key, value: $0.value)
    }
    let items = (boxes?.metadata ?? []) + (boxes?.userData ?? [])
    tags += items.map {
      MetadataTag(group: "QuickTime", name: $0.key, value: $0.value.text ?? "(binary)")
    }
    for (index, stream) in movie.streams.enumerated() {
      tags += stream.tags(group: "Stream \(index)")
    }
    return tags + (xmp?.tags ?? [])
  }
}

extension MovieStream {
  fileprivate func tags(group: String) -> [MetadataTag] {
    let values: [(String, String?)] = [
      ("Kind", kind.rawValue), ("Codec", codec), ("CodecTag", tag),
      ("Size", size.map { "\($0.width)x\($0.height)" }),
      ("Orientation", orientation.map { String($0.rawValue) }),
      ("FrameRate", frameRate.map { String($0) }), ("DynamicRange", dynamicRange?.rawValue),
      ("Duration", duration.map { String($0) }),
    ]
    return values.compactMap { name, value in
      value.map { MetadataTag(group: group, name: name, value: $0) }
    } + metadata.map { MetadataTag(group: group, name: $0.key, value: $0.value) }
  }
}
