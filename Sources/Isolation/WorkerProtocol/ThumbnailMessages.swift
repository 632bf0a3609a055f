package import MediaModel

/// A file to make a thumbnail of.
package struct ThumbnailItem: Sendable, Hashable {
  /// A worker gets only the last component.
  package var path: BytePath
  /// By content, as the catalog has it.
  package var uniformType: UniformType

  package init(path: BytePath, uniformType: UniformType) {
    self.path = path
    self.uniformType = uniformType
  }
}

/// A picture of an asset to look at: upright, a JPEG without metadata.
package struct Thumbnail: Sendable, Hashable {
  /// The limit on each side in pixels.
  package static let maximumSide = 4096
  /// Smaller ones are not made.
  package static let minimumSide = 16
  /// The longest side of a small picture, of which a library has many.
  package static let smallSide = 1024

  /// The size limit in bytes of a picture with this number of pixels on its longer side. A person sees one large picture
  /// at a time, so its quality matters more.
  package static func maximumBytes(longerSide: Int) -> Int {
    longerSide <= smallSide ? 64 << 10 : 8 << 20
  }

  package var jpeg: [UInt8]
  package var size: PixelSize
  /// To find pictures that look the same; nil if the picture is of no use for that.
  package var signature: PictureSignature?

  package init(jpeg: [UInt8], size: PixelSize, signature: PictureSignature? = nil) {
    self.jpeg = jpeg
    self.size = size
    self.signature = signature
  }

  /// Whether it is a JPEG within the limits: a hostile file may have taken over the process that made it.
  package var isSound: Bool {
    jpeg.starts(with: [0xFF, 0xD8, 0xFF])
      && jpeg.count <= Self.maximumBytes(longerSide: max(size.width, size.height))
      && (1...Self.maximumSide).contains(size.width)
      && (1...Self.maximumSide).contains(size.height)
  }

  /// Whether it is not larger than requested.
  package func fits(longerSide: Int) -> Bool {
    max(size.width, size.height) <= max(longerSide, Self.minimumSide)
  }
}

/// A file's thumbnail, or why there is none.
package enum ThumbnailReply: BatchReply, Hashable {
  case thumbnail(Thumbnail)
  case failed(ProbeFailure)

  package func write(to writer: inout WireWriter) {
    switch self {
    case .thumbnail(let thumbnail):
      writer.write(UInt8(1))
      writer.write(thumbnail.size)
      writer.write(thumbnail.jpeg)
      writer.write(thumbnail.signature?.bytes ?? [])
    case .failed(let failure):
      writer.write(UInt8(2))
      writer.write(failure)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1:
      let size = try reader.pixelSize()
      let thumbnail = Thumbnail(
        jpeg: try reader.byteString(), size: size,
        signature: PictureSignature(bytes: try reader.byteString()))
      guard thumbnail.isSound else { throw .tooLarge(thumbnail.jpeg.count) }
      self = .thumbnail(thumbnail)
    case 2: self = .failed(try reader.probeFailure())
    case let other: throw .unknownCase(other)
    }
  }
}

extension WireWriter {
  mutating func write(_ item: ThumbnailItem) {
    write(nameOf: item.path)
    write(item.uniformType.rawValue)
  }
}

extension WireReader {
  mutating func thumbnailItem() throws(WireError) -> ThumbnailItem {
    ThumbnailItem(
      path: try fileName(), uniformType: UniformType(rawValue: try string()))
  }
}
