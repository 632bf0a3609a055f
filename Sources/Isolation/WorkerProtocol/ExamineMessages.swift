package import MediaEdits
package import MediaModel

/// A file's description for planning its export, from its header.
package enum ExamineReply: BatchReply, Hashable {
  case picture(PictureDescription)
  case movie(MovieDescription)
  case failed(ProbeFailure)
}

extension ExamineReply {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .picture(let picture):
      writer.write(UInt8(1))
      writer.write(picture)
    case .movie(let movie):
      writer.write(UInt8(2))
      writer.write(movie)
    case .failed(let failure):
      writer.write(UInt8(3))
      writer.write(failure)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .picture(try reader.pictureDescription())
    case 2: self = .movie(try reader.movieDescription())
    case 3: self = .failed(try reader.probeFailure())
    case let other: throw .unknownCase(other)
    }
  }
}

/// A file, or a part of one, to be examined.
package struct ExamineItem: Sendable, Hashable {
  /// A worker gets only the last component.
  package var path: BytePath
  /// By content, as the catalog has it.
  package var uniformType: UniformType
  /// The clip inside the file; nil for the whole file.
  package var range: ByteRange?

  package init(path: BytePath, uniformType: UniformType, range: ByteRange? = nil) {
    self.path = path
    self.uniformType = uniformType
    self.range = range
  }
}

extension WireWriter {
  mutating func write(_ item: ExamineItem) {
    write(nameOf: item.path)
    write(item.uniformType.rawValue)
    write(optional: item.range) { $0.write($1) }
  }

  mutating func write(_ picture: PictureDescription) {
    write(picture.uprightSize)
    write(optional: picture.rawSize) { $0.write($1) }
    write(picture.orientation.rawValue)
    write(picture.bitDepth)
    write(picture.isTransparent)
    write(picture.hasMorePictures)
    write(picture.hasFewColors)
    write(picture.isSequenceFrame)
    write(picture.dynamicRange.rawValue)
    write(picture.hasGainMap)
    write(optional: picture.sdrCopy) { $0.write($1.rawValue) }
    write(text: picture.obstacle)
  }
}

extension WireReader {
  mutating func examineItem() throws(WireError) -> ExamineItem {
    ExamineItem(
      path: try fileName(), uniformType: UniformType(rawValue: try string()),
      range: try byteRange())
  }

  mutating func pictureDescription() throws(WireError) -> PictureDescription {
    PictureDescription(
      uprightSize: try pixelSize(), rawSize: try optionalPixelSize(),
      orientation: try enumeration(), bitDepth: try integer(),
      isTransparent: try bool(), hasMorePictures: try bool(), hasFewColors: try bool(),
      isSequenceFrame: try bool(),
      dynamicRange: try dynamicRange(), hasGainMap: try bool(),
      sdrCopy: try optional { (reader) throws(WireError) in try reader.enumeration() },
      obstacle: try text())
  }
}
